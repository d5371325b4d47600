import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Wrong services for children and for the session.
@Suite(.stallLimit(), Effort.needsAll) struct AccountExamTests {
  @Test(arguments: children) func aWrongChildrenServiceFails(_ service: WrongService<any ChildrenService>)
    async
  {
    await service.expectFailure(of: .childrenService)
  }

  @Test(arguments: authentication) func aWrongAuthServiceFails(_ service: WrongService<any AuthService>) async
  {
    await service.expectFailure(of: .authService)
  }

  private static let children: [WrongService<any ChildrenService>] = [
    WrongService(
      "identical-create", "A second child with the values of a stored one returns the stored one.",
      around: .inMemory
    ) { IdenticalCreate(base: $0) },
    WrongService(
      "empty-lists-unsent", "An update does not send empty goals and topics.", around: .inMemory
    ) { EmptyListsUnsent(base: $0) },
    WrongService(
      "unchanged-update", "An update without a change succeeds without a call.", around: .inMemory
    ) { UnchangedUpdate(base: $0) },
    WrongService(
      "recently-changed-first", "The list is sorted by the last change.", around: .inMemory
    ) { RecentlyChangedFirst(base: $0) },
    WrongService(
      "offline-list", "A list that cannot be fetched is the last one that was.", around: .inMemory
    ) { OfflineList(base: $0) },
    WrongService(
      "uncancelled-delete", "A cancelled deletion is carried out.", around: .inMemory
    ) { UncancelledDelete(base: $0) },
    WrongService(
      "clamped-update", "An update moves an age that is out of range into it.", around: .inMemory
    ) { ClampedUpdate(base: $0) },
    WrongService(
      "whole-seconds", "A created child has dates in whole seconds, a fetched one has the stored dates.",
      around: .inMemory
    ) { WholeSeconds(base: $0) },
    WrongService(
      "trimmed-update", "An update trims the name.", around: .inMemory
    ) { TrimmedUpdate(base: $0) },
    WrongService(
      "shared-fetch", "A list that is fetched meanwhile is the answer for every user.", around: .inMemory
    ) { SharedFetch(base: $0) },
    WrongService(
      "unique-goals", "Of equal goals only the first is stored.", around: .inMemory
    ) { UniqueGoals(base: $0) },
    WrongService(
      "no-empty-topics", "An update leaves out empty topics.", around: .inMemory
    ) { NoEmptyTopics(base: $0) },
    WrongService(
      "leap-day-update", "An update moves a birthday of 29 February to the 28th.", around: .inMemory
    ) { LeapDayUpdate(base: $0) },
  ]

  private static let authentication: [WrongService<any AuthService>] = [
    WrongService(
      "trimmed-password", "Signing in trims the password.", around: .inMemory
    ) { TrimmedPassword(base: $0) },
    WrongService(
      "refresh-before-sign-out", "Signing out needs a new token, and fails without one.", around: .inMemory
    ) { RefreshBeforeSignOut(base: $0) },
    WrongService(
      "kept-refresh", "A refresh that failed is shared by all later callers.", around: .inMemory
    ) { KeptRefresh(base: $0) },
    WrongService(
      "already-signed-in", "Signing in to the current account does not check the password.",
      around: .inMemory
    ) { AlreadySignedIn(base: $0) },
    WrongService(
      "kept-user-id", "The user's id outlives a session that the server has ended.", around: .inMemory
    ) { KeptUserID(base: $0) },
    WrongService(
      "cancelled-refresh", "A caller of a shared refresh that is cancelled cancels it for all.",
      around: .inMemory
    ) { CancelledRefresh(base: $0) },
    WrongService(
      "uncancelled-sign-out", "Signing out in a cancelled task ends the session.", around: .inMemory
    ) { UncancelledSignOut(base: $0) },
  ]
}

// MARK: - Children

private protocol ChildrenWrapper: ChildrenService {
  var base: any ChildrenService { get }
}

extension ChildrenWrapper {
  func createChild(_ child: NewChild) async throws(AppError) -> Child { try await base.createChild(child) }
  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await base.fetchChildren(userID: userID)
  }
  func updateChild(_ child: Child) async throws(AppError) -> Child { try await base.updateChild(child) }
  func deleteChild(id: UUID) async throws(AppError) { try await base.deleteChild(id: id) }
}

/// Protects from a button that is tapped twice.
private struct IdenticalCreate: ChildrenWrapper {
  let base: any ChildrenService

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    do throws(AppError) {
      return try await base.createChild(child)
    } catch {
      guard error == .network(.conflict) else { throw error }
      let stored = try await base.fetchChildren(userID: child.userID).first { stored in
        NewChild(
          userID: stored.userID, name: stored.name, age: stored.age, birthday: stored.birthday,
          goals: stored.goals, topics: stored.topics, temperament: stored.temperament,
          talkativeness: stored.talkativeness, sensitivity: stored.sensitivity,
          accountability: stored.accountability) == child
      }
      guard let stored else { throw error }
      return stored
    }
  }
}

/// Treats an empty list as a field that the form does not have.
private struct EmptyListsUnsent: ChildrenWrapper {
  let base: any ChildrenService

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var child = child
    if child.goals.isEmpty || child.topics.isEmpty,
      let stored = try await base.fetchChildren(userID: child.userID).first(where: { $0.id == child.id })
    {
      if child.goals.isEmpty { child.goals = stored.goals }
      if child.topics.isEmpty { child.topics = stored.topics }
    }
    return try await base.updateChild(child)
  }
}

/// Saves a request by comparing with the last known value, which a deletion does not remove.
private struct UnchangedUpdate: ChildrenWrapper {
  let base: any ChildrenService
  private let known = Locked<[UUID: Child]>([:])

  init(base: any ChildrenService) { self.base = base }

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    let stored = try await base.createChild(child)
    known.withLock { $0[stored.id] = stored }
    return stored
  }

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    if known.withLock({ $0[child.id] }) == child { return child }
    let stored = try await base.updateChild(child)
    known.withLock { $0[stored.id] = stored }
    return stored
  }
}

private struct RecentlyChangedFirst: ChildrenWrapper {
  let base: any ChildrenService

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await base.fetchChildren(userID: userID).sorted { $0.updatedAt > $1.updatedAt }
  }
}

private struct OfflineList: ChildrenWrapper {
  let base: any ChildrenService
  private let lists = Locked<[UUID: [Child]]>([:])

  init(base: any ChildrenService) { self.base = base }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    do throws(AppError) {
      let list = try await base.fetchChildren(userID: userID)
      lists.withLock { $0[userID] = list }
      return list
    } catch {
      switch error {
      case .network(.noConnection), .network(.timeout), .network(.serverError), .network(.connectionLost):
        guard let list = lists.withLock({ $0[userID] }) else { throw error }
        return list
      default: throw error
      }
    }
  }
}

/// Runs the deletion in a task of its own, so that leaving the screen does not stop it.
private struct UncancelledDelete: ChildrenWrapper {
  let base: any ChildrenService

  func deleteChild(id: UUID) async throws(AppError) {
    let deletion = Task { () async -> Result<Void, AppError> in
      do throws(AppError) { return .success(try await base.deleteChild(id: id)) } catch {
        return .failure(error)
      }
    }
    try await deletion.value.get()
  }
}

private struct ClampedUpdate: ChildrenWrapper {
  let base: any ChildrenService

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var child = child
    child.age = min(max(child.age, Child.ages.lowerBound), Child.ages.upperBound)
    return try await base.updateChild(child)
  }
}

private struct WholeSeconds: ChildrenWrapper {
  let base: any ChildrenService

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    let child = try await base.createChild(child)
    func whole(_ date: Date) -> Date {
      Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
    }
    return Child(
      id: child.id, userID: child.userID, name: child.name, age: child.age, birthday: child.birthday,
      goals: child.goals, topics: child.topics, temperament: child.temperament,
      talkativeness: child.talkativeness, sensitivity: child.sensitivity,
      accountability: child.accountability, createdAt: whole(child.createdAt),
      updatedAt: whole(child.updatedAt))
  }
}

private struct TrimmedUpdate: ChildrenWrapper {
  let base: any ChildrenService

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var child = child
    child.name = child.name.trimmingCharacters(in: .whitespacesAndNewlines)
    return try await base.updateChild(child)
  }
}

/// Joins the calls that are under way, without a look at their arguments.
private struct SharedFetch: ChildrenWrapper {
  let base: any ChildrenService
  private let fetch = Locked<Task<Result<[Child], AppError>, Never>?>(nil)

  init(base: any ChildrenService) { self.base = base }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    if Task.isCancelled { throw .cancelled }
    let task = fetch.withLock { current in
      if let current { return current }
      let task = Task { [base] () async -> Result<[Child], AppError> in
        do throws(AppError) {
          return .success(try await base.fetchChildren(userID: userID))
        } catch {
          return .failure(error)
        }
      }
      current = task
      return task
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    fetch.withLock { $0 = nil }
    return try result.get()
  }
}

private struct UniqueGoals: ChildrenWrapper {
  let base: any ChildrenService

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    var child = child
    var goals: Set<String> = []
    child.goals.removeAll { !goals.insert($0).inserted }
    return try await base.createChild(child)
  }
}

private struct NoEmptyTopics: ChildrenWrapper {
  let base: any ChildrenService

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var child = child
    child.topics.removeAll(where: \.isEmpty)
    return try await base.updateChild(child)
  }
}

/// Moves the birthday into a year without the day and back.
private struct LeapDayUpdate: ChildrenWrapper {
  let base: any ChildrenService

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var child = child
    if child.birthday.month == 2, child.birthday.day == 29 {
      child.birthday = child.birthday.adding(years: 1).adding(years: -1)
    }
    return try await base.updateChild(child)
  }
}

// MARK: - Authentication

private protocol AuthWrapper: AuthService {
  var base: any AuthService { get }
}

extension AuthWrapper {
  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try await base.signIn(email: email, password: password)
  }
  func signOut() async throws(AppError) { try await base.signOut() }
  func currentUserID() async throws(AppError) -> UUID { try await base.currentUserID() }
  func refresh() async throws(AppError) { try await base.refresh() }
}

private struct TrimmedPassword: AuthWrapper {
  let base: any AuthService

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try await base.signIn(email: email, password: password.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

/// Makes sure that the server accepts the request to sign out.
private struct RefreshBeforeSignOut: AuthWrapper {
  let base: any AuthService

  func signOut() async throws(AppError) {
    do throws(AppError) {
      try await base.refresh()
    } catch {
      guard error == .authentication(.notSignedIn) || error == .network(.unauthorized) else { throw error }
    }
    try await base.signOut()
  }
}

/// Forgets the shared task only if it succeeded.
private struct KeptRefresh: AuthWrapper {
  let base: any AuthService
  private let exchange = Locked<Task<Result<Void, AppError>, Never>?>(nil)

  init(base: any AuthService) { self.base = base }

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    let id = try await base.signIn(email: email, password: password)
    exchange.withLock { $0 = nil }
    return id
  }

  func refresh() async throws(AppError) {
    if Task.isCancelled { throw .cancelled }
    let task = exchange.withLock { current in
      if let current { return current }
      let task = Task { [base] () async -> Result<Void, AppError> in
        do throws(AppError) { return .success(try await base.refresh()) } catch { return .failure(error) }
      }
      current = task
      return task
    }
    try await task.value.get()
    exchange.withLock { $0 = nil }
  }
}

private struct AlreadySignedIn: AuthWrapper {
  let base: any AuthService
  private let last = Locked<(email: String, id: UUID)?>(nil)

  init(base: any AuthService) { self.base = base }

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    if let last = last.withLock({ $0 }), last.email == email, let current = try? await base.currentUserID(),
      current == last.id
    {
      return current
    }
    let id = try await base.signIn(email: email, password: password)
    last.withLock { $0 = (email, id) }
    return id
  }
}

private struct KeptUserID: AuthWrapper {
  let base: any AuthService
  private let userID = Locked<UUID?>(nil)

  init(base: any AuthService) { self.base = base }

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    let id = try await base.signIn(email: email, password: password)
    userID.withLock { $0 = id }
    return id
  }

  func signOut() async throws(AppError) {
    if Task.isCancelled { throw .cancelled }
    userID.withLock { $0 = nil }
    try await base.signOut()
  }

  func currentUserID() async throws(AppError) -> UUID {
    if Task.isCancelled { throw .cancelled }
    if let id = userID.withLock({ $0 }) { return id }
    return try await base.currentUserID()
  }
}

private struct CancelledRefresh: AuthWrapper {
  let base: any AuthService
  private let exchange = Locked<Task<Result<Void, AppError>, Never>?>(nil)

  init(base: any AuthService) { self.base = base }

  func refresh() async throws(AppError) {
    if Task.isCancelled { throw .cancelled }
    let task = exchange.withLock { current in
      if let current { return current }
      let task = Task { [base] () async -> Result<Void, AppError> in
        do throws(AppError) { return .success(try await base.refresh()) } catch { return .failure(error) }
      }
      current = task
      return task
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    exchange.withLock { $0 = nil }
    try result.get()
  }
}

private struct UncancelledSignOut: AuthWrapper {
  let base: any AuthService

  func signOut() async throws(AppError) {
    let end = Task { () async -> Result<Void, AppError> in
      do throws(AppError) { return .success(try await base.signOut()) } catch { return .failure(error) }
    }
    try await end.value.get()
  }
}
