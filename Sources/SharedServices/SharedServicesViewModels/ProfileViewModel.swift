public import Foundation
public import Observation
public import SharedServices

/// The view model of the list of the user's children, with editing (seed 001, example 3).
///
/// ``isLoading`` becomes `false` once no action is in progress. A late response never undoes a later action: an older
/// list does not replace a newer one, and does not restore a deleted child. With ``followChanges()`` the list also
/// shows the changes from other devices.
@MainActor
@Observable
public final class ProfileViewModel {
  /// The children, newest first, as last loaded or changed.
  public var children: [Child] { list.content.children }

  /// Whether the children are being loaded or changed.
  public var isLoading: Bool { actions.isRunning { $0 != .follow } }

  /// The message of the last error, for the user.
  public var errorMessage: String? { actions.errorMessage }

  /// The message of the last stored change, for the user.
  public var successMessage: String? { actions.successMessage }

  /// The list of a user.
  fileprivate struct List {
    var children: [Child] = []
    /// The number of the newest load whose result is shown.
    var loadShown = 0
    /// The number of the newest load that has failed.
    var loadFailed = 0
    /// The number of changes; a list requested before the last change is out of date.
    var changes = 0
    /// The deleted children, which a late answer or message must not restore.
    var deleted: Set<UUID> = []
  }

  private var list: Owned<List>
  private let actions: ScreenActions
  private let service: any ChildrenService
  private let realtime: (any RealtimeService)?
  @ObservationIgnored private var loadsBegun = 0

  /// Creates a view model.
  ///
  /// - Parameters:
  ///   - auth: The holder of the signed-in user.
  ///   - children: The service that stores the children.
  ///   - realtime: The service that reports changes from other devices; `nil` shows the changes of this one only.
  public init(
    auth: AuthViewModel, children: any ChildrenService, realtime: (any RealtimeService)? = nil
  ) {
    service = children
    self.realtime = realtime
    list = Owned(List(), empty: List(), auth: auth)
    actions = ScreenActions(auth: auth)
  }

  /// Loads the children.
  ///
  /// The shown children stay until the response arrives, and after an error.
  public func loadChildren() async {
    loadsBegun += 1
    let load = loadsBegun
    await actions.perform(.load, isRepeatable: true) { [self] run throws(AppError) in
      do throws(AppError) {
        let user = try await actions.user(of: run)
        var asOf: Int
        var fetched: [Child]
        repeat {
          asOf = list.content.changes
          fetched = try await service.fetchChildren(userID: user)
          try run.check()
        } while asOf != list.content.changes && load > list.content.loadShown
        guard load > list.content.loadShown else { throw .cancelled }
        list.content.loadShown = load
        list.content.children = fetched
        // The list was requested after the last deletion, so what it has was stored again.
        list.content.deleted.subtract(fetched.map(\.id))
        // A newer load has failed, and its message stays.
        if load < list.content.loadFailed { throw .cancelled }
      } catch {
        guard actions.isCurrent(run.owner), error != .cancelled else { throw .cancelled }
        // The failure of an older load says nothing about a newer list.
        if load < list.content.loadShown { throw .cancelled }
        list.content.loadFailed = max(load, list.content.loadFailed)
        throw error
      }
    }
  }

  /// Stores a changed child.
  ///
  /// A second change of the same child during the first has no effect.
  public func updateChild(_ child: Child) async {
    await change(.update(child.id), of: child.id, succeedingWith: "Saved successfully") {
      [self] () async throws(AppError) -> (inout List) -> Void in
      let stored = try await service.updateChild(child)
      return { list in
        if let place = list.children.firstIndex(where: { $0.id == stored.id }),
          list.children[place].updatedAt <= stored.updatedAt
        {
          list.children[place] = stored
        }
      }
    }
  }

  /// Deletes a child.
  ///
  /// The child stays on the screen until the service has deleted it.
  public func deleteChild(id: UUID) async {
    await change(.delete(id), of: id, succeedingWith: "Child removed") {
      [self] () async throws(AppError) -> (inout List) -> Void in
      try await service.deleteChild(id: id)
      return { $0.delete(id) }
    }
  }

  /// Removes the messages, as the button of an alert does.
  public func dismissMessage() {
    actions.dismissMessages()
  }

  private func change(
    _ action: ScreenAction, of id: UUID, succeedingWith message: String,
    _ body: @escaping @MainActor () async throws(AppError) -> (inout List) -> Void
  ) async {
    actions.abandonCancelled()
    guard !actions.isRunning({ $0.changes(id) }) else { return }
    await actions.perform(action, succeedingWith: message) { [self] run throws(AppError) in
      _ = try await actions.user(of: run)
      let apply = try await body()
      // What is stored is shown, even if the user no longer waits for it.
      guard actions.isCurrent(run.owner) else { throw .cancelled }
      apply(&list.content)
      list.content.changes += 1
    }
  }

  // MARK: - Changes from other devices

  /// Loads the children, and shows changes from other devices until the task is cancelled or the user signs out.
  ///
  /// A subscription that breaks is renewed once, and the list is loaded again, because changes may have been missed.
  /// If the subscription stays broken, ``errorMessage`` says so; another call repeats it. A second call during the first
  /// has no effect.
  public func followChanges() async {
    guard let realtime else { return await loadChildren() }
    await actions.perform(.follow) { [self] run throws(AppError) in
      var isRenewal = false
      while true {
        let changes: AsyncThrowingStream<ChildChange, any Error>
        do throws(AppError) {
          _ = try await actions.user(of: run)
          changes = try await realtime.childChanges()
          try run.check()
        } catch {
          // The list itself does not depend on the subscription.
          if !isRenewal, !error.endsSession, error != .cancelled { await loadChildren() }
          throw error
        }
        // No change is missed from here on, so the list is complete.
        await loadChildren()
        try run.check()
        do {
          for try await change in changes {
            try run.check()
            show(change)
            isRenewal = false
          }
          try run.check()
          // A stream ends by itself only in a cancelled task, unless the service violates its contract.
          throw AppError.network(.connectionLost)
        } catch {
          let failure = error as? AppError ?? .unknown(error)
          // A renewed subscription that breaks before it has reported anything stays broken.
          if isRenewal || failure.endsSession || failure == .cancelled { throw failure }
          isRenewal = true
        }
      }
    }
  }

  private func show(_ change: ChildChange) {
    var next = list.content
    // A part of a list that was never loaded would look like the whole.
    if next.loadShown == 0 { return }
    switch change {
    case .inserted(let child), .updated(let child): next.put(child)
    case .deleted(let id): next.delete(id)
    }
    // The echo of this device's own change changes nothing.
    guard next.children != list.content.children || next.deleted != list.content.deleted else { return }
    next.changes += 1
    list.content = next
  }
}

extension ProfileViewModel.List {
  fileprivate mutating func delete(_ id: UUID) {
    deleted.insert(id)
    children.removeAll { $0.id == id }
  }

  /// Shows a child once, in its place, unless it was deleted or a newer state of it is shown.
  fileprivate mutating func put(_ child: Child) {
    guard !deleted.contains(child.id) else { return }
    if let place = children.firstIndex(where: { $0.id == child.id }) {
      if children[place].updatedAt <= child.updatedAt { children[place] = child }
    } else {
      let place = children.firstIndex { $0.createdAt < child.createdAt } ?? children.endIndex
      children.insert(child, at: place)
    }
  }
}
