import Foundation
import SharedServices
import UnderstudyPrimitives

/// A children service that is right but for one thing.
struct WrongChildrenService: ChildrenService {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case losesGoals
    case clampsAge
    case oldestFirst
    case overwritesOthers
    case returnsWhatItWasGiven
    case refusesToDeleteTwice
    case emptyWhenSignedOut
    case emptyWhenUnreadable
    case takesTimeoutsForFailures
    case repeatsLostWrites
    case takesLostWritesBack
    case renamesDuplicates
    case ignoresCancellation
  }

  let base: any ChildrenService
  let mistake: Mistake
  private let created = Locked<Set<UUID>>([])
  private let lost = Locked<Set<String>>([])

  init(base: any ChildrenService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    var child = child
    switch mistake {
    case .losesGoals: child.goals = []
    case .clampsAge: child.age = min(max(child.age, 6), 16)
    case .ignoresCancellation:
      let settled = child
      return try await shielded { () async throws(AppError) in try await base.createChild(settled) }
    default: break
    }
    do throws(AppError) {
      let stored = try await translating { () async throws(AppError) in try await base.createChild(child) }
      created.withLock { _ = $0.insert(stored.id) }
      return stored
    } catch .network(.connectionLost) where mistake == .repeatsLostWrites {
      child.name += " again"
      _ = try? await base.createChild(child)
      throw .network(.connectionLost)
    } catch .network(.connectionLost) where mistake == .takesLostWritesBack {
      let name = child.name
      lost.withLock { _ = $0.insert(name) }
      throw .network(.connectionLost)
    } catch .network(.conflict) where mistake == .renamesDuplicates {
      child.name += " \(UUID())"
      return try await base.createChild(child)
    }
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    do throws(AppError) {
      let children = try await translating { () async throws(AppError) in
        try await base.fetchChildren(userID: userID)
      }
      if mistake == .takesLostWritesBack {
        for child in children where lost.withLock({ $0.contains(child.name) }) {
          try await base.deleteChild(id: child.id)
        }
        return try await base.fetchChildren(userID: userID)
      }
      return mistake == .oldestFirst ? children.reversed() : children
    } catch .authentication(.notSignedIn) where mistake == .emptyWhenSignedOut {
      return []
    } catch .network(.unreadableAnswer) where mistake == .emptyWhenUnreadable {
      return []
    }
  }

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    let stored = try await translating { () async throws(AppError) in try await base.updateChild(child) }
    if mistake == .overwritesOthers {
      for var other in try await base.fetchChildren(userID: child.userID) where other.id != child.id {
        other.age = child.age
        _ = try await base.updateChild(other)
      }
    }
    return mistake == .returnsWhatItWasGiven ? child : stored
  }

  func deleteChild(id: UUID) async throws(AppError) {
    if mistake == .refusesToDeleteTwice, !created.withLock({ $0.contains(id) }) { throw .network(.notFound) }
    try await translating { () async throws(AppError) in try await base.deleteChild(id: id) }
  }

  private func translating<Value>(
    _ call: () async throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    do throws(AppError) {
      return try await call()
    } catch .network(.timeout) where mistake == .takesTimeoutsForFailures {
      throw .network(.serverError)
    }
  }

  private func shielded<Value: Sendable>(
    _ call: @escaping @Sendable () async throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    // A task of its own does not hear of the caller's cancellation.
    let result = await Task { () async -> Result<Value, AppError> in
      do throws(AppError) { return .success(try await call()) } catch { return .failure(error) }
    }.value
    return try result.get()
  }
}
