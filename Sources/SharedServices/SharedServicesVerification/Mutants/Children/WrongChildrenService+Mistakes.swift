import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy

extension WrongChildrenService {
  /// Performs a call, with the mistakes that apply to every call.
  func perform<Value>(
    _ call: () async throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    if memory.withLock({ $0.isOffline }) { throw .network(.noConnection) }
    if mistake == .refreshesInAdvance { try await backend.auth.refresh() }
    let exchanges = backend.exchangeCount
    let value: Value
    do throws(AppError) {
      value = try await call()
    } catch {
      if mistake == .staysOffline, error == .network(.noConnection) {
        memory.withLock { $0.isOffline = true }
      }
      switch (error, mistake) {
      case (.network(.rateLimited), .signsOutWhenLimited), (.network(.noConnection), .signsOutOffline):
        try? await backend.auth.signOut()
      default: break
      }
      throw mistake == .hidesTheDelay ? error.withoutDelay : error
    }
    if mistake == .givesUpOnAnExpiredToken, backend.exchangeCount > exchanges {
      throw .network(.unauthorized)
    }
    return value
  }

  /// Returns the values that are sent for a new child.
  func given(_ child: NewChild) -> NewChild {
    var child = child
    switch mistake {
    case .losesGoals: child.goals = []
    case .storesEqualGoalsOnce:
      var goals: Set<String> = []
      child.goals.removeAll { !goals.insert($0).inserted }
    case .cutsLongText: child.topics = child.topics.map { String($0.prefix(1000)) }
    case .clampsAge: child.age = min(max(child.age, Child.ages.lowerBound), Child.ages.upperBound)
    default: break
    }
    return child
  }

  /// Returns the values that are returned for a stored child.
  func told(_ child: Child) -> Child {
    guard mistake == .datesInMilliseconds else { return child }
    return child.with(createdAt: child.createdAt.inMilliseconds, updatedAt: child.updatedAt.inMilliseconds)
  }

  /// Returns the children that are returned for a user.
  func listed(_ children: [Child], of userID: UUID) async throws(AppError) -> [Child] {
    switch mistake {
    case .ordersBySeconds:
      return children.sorted { one, other in
        let seconds = [one, other].map { $0.createdAt.timeIntervalSinceReferenceDate.rounded(.down) }
        return seconds[0] == seconds[1] ? one.name < other.name : seconds[0] > seconds[1]
      }
    case .datesInMilliseconds: return children.map(told)
    case .readsOnePage: return Array(children.prefix(20))
    case .hidesInsteadOfDeleting: return children.filter { !memory.withLock { $0.deleted }.contains($0.id) }
    case .addsASample where children.isEmpty: return [.sample(of: userID)]
    case .listsEverybodys:
      // Reads as the backend itself, which no policy restricts, and without a user id.
      return backend.backend.children
    case .takesLostWritesBack:
      for child in children where memory.withLock({ $0.lost.contains(child.name) }) {
        try await base.deleteChild(id: child.id)
      }
      return try await base.fetchChildren(userID: userID)
    default: return children
    }
  }

  /// Creates a child in a separate task, which the caller's cancellation does not reach.
  func createInATask(_ child: NewChild) async throws(AppError) -> Child {
    let id = UUID()
    let task = memory.withLock { [base] memory in
      let task = Task { () async -> Result<Child, AppError> in
        do throws(AppError) { return .success(try await base.createChild(child)) } catch {
          return .failure(error)
        }
      }
      memory.underWay[id] = task
      return task
    }
    defer { memory.withLock { $0.underWay[id] = nil } }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      guard mistake == .cancelsAll else { return }
      // All calls share one session, and cancelling one call cancels the session.
      for task in memory.withLock({ $0.underWay.values }) { task.cancel() }
    }
    return try result.get()
  }

  /// Fetches children, or waits for the fetch that is under way.
  func fetchTogether(userID: UUID) async throws(AppError) -> [Child] {
    let task = memory.withLock { [base] memory in
      if let task = memory.fetch { return task }
      let task = Task { () async -> Result<[Child], AppError> in
        do throws(AppError) { return .success(try await base.fetchChildren(userID: userID)) } catch {
          return .failure(error)
        }
      }
      memory.fetch = task
      return task
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    memory.withLock { $0.fetch = nil }
    return try result.get()
  }

  /// Creates a child; loses it if another call is creating one at the same time.
  func createAlone(_ child: NewChild) async throws(AppError) -> Child {
    let isOverwritten = memory.withLock { memory in
      defer { memory.running += 1 }
      return memory.running > 0
    }
    defer { memory.withLock { $0.running -= 1 } }
    let stored = try await overlapping { [base] () async throws(AppError) in try await base.createChild(child)
    }
    if isOverwritten { try await base.deleteChild(id: stored.id) }
    return stored
  }
}

extension Child {
  fileprivate static func sample(of userID: UUID) -> Child {
    let date = Date(timeIntervalSince1970: 0)
    return Child(
      id: userID, userID: userID, name: "Sample", age: 8, birthday: CalendarDate(date, in: .gmt), goals: [],
      topics: [], temperament: .easygoing, talkativeness: 5, sensitivity: 5, accountability: 5,
      createdAt: date, updatedAt: date)
  }
}

extension Date {
  fileprivate var inMilliseconds: Date {
    Date(timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate * 1_000).rounded(.down) / 1_000)
  }
}
