public import Foundation
public import Observation
public import SharedServices

/// The view model of the list of the user's children, with editing (seed 001, example 3).
///
/// ``isLoading`` becomes `false` once no action is in progress. A late response never undoes a later action: an older
/// list does not replace a newer one, and does not restore a deleted child.
@MainActor
@Observable
public final class ProfileViewModel {
  /// The children, newest first, as last loaded or changed.
  public private(set) var children: [Child] = []

  /// Whether an action is in progress.
  public private(set) var isLoading: Bool = false

  /// The message of the last error, for the user; cleared by the next action.
  public private(set) var errorMessage: String?

  private let auth: any AuthService
  private let service: any ChildrenService

  @ObservationIgnored private var actionsUnderWay = 0
  @ObservationIgnored private var loadsBegun = 0
  /// The number of the newest load whose result is shown.
  @ObservationIgnored private var loadShown = 0
  /// The number of stored changes; a list requested before the last change is out of date.
  @ObservationIgnored private var changesStored = 0
  @ObservationIgnored private var childrenChanging: Set<UUID> = []

  /// Creates a view model.
  public init(auth: any AuthService, children: any ChildrenService) {
    self.auth = auth
    service = children
  }

  /// Loads the children.
  ///
  /// The shown children stay until the response arrives, and after an error.
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
  /// A second change of the same child during the first has no effect.
  public func updateChild(_ child: Child) async {
    await change(child.id, failingWith: "Failed to save child") { () async throws(AppError) in
      let stored = try await service.updateChild(child)
      if let place = children.firstIndex(where: { $0.id == stored.id }) { children[place] = stored }
    }
  }

  /// Deletes a child.
  ///
  /// The child stays on the screen until the service has deleted it.
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

  /// Runs an action, and updates the state of the screen before and after it.
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
