public import Foundation
public import Observation
public import SharedServices

/// The list of the user's children (seed 001, example 3), with what a parent can change there.
///
/// Whatever a service does, ``isLoading`` goes off once nothing is under way. Answers that come late never undo
/// what came after them: an older list does not replace a newer one, nor bring back a child that was deleted.
@MainActor
@Observable
public final class ProfileViewModel {
  /// The children, the newest first, as they were last loaded or changed.
  public private(set) var children: [Child] = []

  /// Whether anything is under way.
  public private(set) var isLoading: Bool = false

  /// What went wrong last, for the user; gone with the next action.
  public private(set) var errorMessage: String?

  private let auth: any AuthService
  private let service: any ChildrenService

  @ObservationIgnored private var actionsUnderWay = 0
  @ObservationIgnored private var loadsBegun = 0
  /// The number of the newest load whose answer is shown.
  @ObservationIgnored private var loadShown = 0
  /// How many changes have been stored; a list that was asked for before the last of them is out of date.
  @ObservationIgnored private var changesStored = 0
  @ObservationIgnored private var childrenChanging: Set<UUID> = []

  /// A view model over these services.
  public init(auth: any AuthService, children: any ChildrenService) {
    self.auth = auth
    service = children
  }

  /// Loads the children.
  ///
  /// What is shown stays until the answer is there, also when it never comes.
  public func loadChildren() async {
    loadsBegun += 1
    let load = loadsBegun
    await act(failingWith: "Failed to load children", isOutdated: { load < loadShown }) {
      () async throws(AppError) in
      let userID = try await auth.currentUserID()
      var asOf: Int
      var fetched: [Child]
      repeat {
        asOf = changesStored
        fetched = try await service.fetchChildren(userID: userID)
      } while asOf != changesStored && load > loadShown
      guard load > loadShown else { return }
      loadShown = load
      children = fetched
    }
  }

  /// Stores a changed child.
  ///
  /// A second change of the same child while one is under way does nothing.
  public func updateChild(_ child: Child) async {
    await change(child.id, failingWith: "Failed to save child") { () async throws(AppError) in
      let stored = try await service.updateChild(child)
      if let place = children.firstIndex(where: { $0.id == stored.id }) { children[place] = stored }
    }
  }

  /// Removes a child.
  ///
  /// It stays on the screen until the service has removed it.
  public func deleteChild(id: UUID) async {
    await change(id, failingWith: "Failed to delete child") { () async throws(AppError) in
      try await service.deleteChild(id: id)
      children.removeAll { $0.id == id }
    }
  }

  private func change(
    _ id: UUID, failingWith message: String, _ body: () async throws(AppError) -> Void
  ) async {
    guard childrenChanging.insert(id).inserted else { return }
    defer { childrenChanging.remove(id) }
    await act(failingWith: message) { () async throws(AppError) in
      try await body()
      changesStored += 1
    }
  }

  /// Runs an action between the states that the screen shows for it.
  private func act(
    failingWith message: String, isOutdated: () -> Bool = { false },
    _ body: () async throws(AppError) -> Void
  ) async {
    actionsUnderWay += 1
    if !isLoading { isLoading = true }
    if errorMessage != nil { errorMessage = nil }
    defer {
      actionsUnderWay -= 1
      if actionsUnderWay == 0 { isLoading = false }
    }
    do throws(AppError) {
      try await body()
    } catch .cancelled {
    } catch {
      if !isOutdated() { errorMessage = message }
    }
  }
}
