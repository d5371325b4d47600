import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy

/// A realtime service with one mistake.
struct WrongRealtimeService: RealtimeService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case takesChangesForInsertions
    case tellsWhatWasStored
    case keepsOneSubscription
    case keepsSubscriptionsOfLeavers
    case failsAgain
    case subscribesAgain
    case tellsTheNextUser
    case endsWithItsToken
    case failsInTheStream
    case givesUpOnAnExpiredToken
    case takesCancellationForLoss
    case tellsEverybodys
    case tellsTheFirstUser
    case forgetsEarlierChildren
    case tellsOnlyTheFirstOfChanges
    case hidesEqualValues
    case losesChangesBeyondItsBuffer
    case keepsItsConnection
    case endsSessionWhenLimited
    case subscribesBeforeItAsks
    case goesOnAfterSignOut
  }

  typealias Changes = AsyncThrowingStream<ChildChange, any Error>

  /// The state that a mistake keeps between calls.
  private struct Memory {
    var kept: [Changes] = []
    var subscriptions = 0
    var user: UUID?
    var feeds: [Changes] = []
  }

  let base: any RealtimeService
  let backend: InMemorySharedServices
  let mistake: Mistake
  private let memory: Locked<Memory> = Locked(Memory())

  init(base: any RealtimeService, backend: InMemorySharedServices, mistake: Mistake) {
    self.base = base
    self.backend = backend
    self.mistake = mistake
  }

  func childChanges() async throws(AppError) -> Changes {
    let exchanges = backend.exchangeCount
    let stream: Changes
    do throws(AppError) {
      stream = try await base.childChanges()
    } catch .cancelled where mistake == .takesCancellationForLoss {
      throw .network(.connectionLost)
    } catch {
      if mistake == .subscribesBeforeItAsks { keepFeed() }
      if mistake == .endsSessionWhenLimited, case .network(.rateLimited) = error {
        try? await backend.auth.signOut()
      }
      guard mistake == .failsInTheStream else { throw error }
      return AsyncThrowingStream { throw error }
    }
    if mistake == .givesUpOnAnExpiredToken, backend.exchangeCount > exchanges {
      throw .network(.unauthorized)
    }
    if mistake == .tellsEverybodys { return backend.backend.changes(ofChildrenOf: nil) }
    if mistake == .keepsSubscriptionsOfLeavers { memory.withLock { $0.kept.append(stream) } }
    return wrong(stream, before: await stored())
  }

  /// Opens a subscription at the server that no consumer ends.
  private func keepFeed() {
    guard let user = backend.auth.userID else { return }
    let feed = backend.backend.changes(ofChildrenOf: user)
    memory.withLock { $0.feeds.append(feed) }
  }

  /// Returns the stored children, for a service that delivers them first.
  private func stored() async -> [Child] {
    guard mistake == .tellsWhatWasStored, let user = backend.auth.userID else { return [] }
    return (try? await backend.children.fetchChildren(userID: user)) ?? []
  }

  /// Returns a subscription with the mistake.
  private func wrong(_ stream: Changes, before stored: [Child]) -> Changes {
    let number = memory.withLock { memory in
      memory.subscriptions += 1
      return memory.subscriptions
    }
    let exchanges = backend.exchangeCount
    let rest = Locked(stored[...])
    let last = Locked<ChildChange?>(nil)
    let hasTold = Locked(false)
    let error = Locked<AppError?>(nil)
    // The changes for the user who subscribed, regardless of later sign-ins.
    let direct = ([.tellsTheNextUser, .goesOnAfterSignOut].contains(mistake) ? backend.auth.userID : nil)
      .map { backend.backend.changes(ofChildrenOf: $0) }
    if mistake == .tellsTheFirstUser {
      let first = memory.withLock { memory in
        memory.user = memory.user ?? backend.auth.userID
        return memory.user
      }
      if let first, first != backend.auth.userID { return backend.backend.changes(ofChildrenOf: first) }
    }
    let count = Locked(0)
    return AsyncThrowingStream {
      if let child = rest.withLock({ $0.popFirst() }) { return .inserted(child) }
      if mistake == .keepsOneSubscription, memory.withLock({ $0.subscriptions }) > number { return nil }
      if mistake == .failsAgain, let error = error.withLock({ $0 }) { throw error }
      do {
        var change = try await stream.next()
        if mistake == .forgetsEarlierChildren, !hasTold.withLock({ $0 }) {
          while case .deleted = change { change = try await stream.next() }
        }
        if mistake == .tellsOnlyTheFirstOfChanges, case .updated = last.withLock({ $0 }) {
          while case .updated = change { change = try await stream.next() }
        }
        if mistake == .hidesEqualValues, case .updated(let known) = last.withLock({ $0 }) {
          while case .updated(let child) = change, child.asNew == known.asNew {
            change = try await stream.next()
          }
        }
        if mistake == .losesChangesBeyondItsBuffer {
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number == 101 { change = try await stream.next() }
        }
        last.withLock { [change] in $0 = change }
        if mistake == .endsWithItsToken, backend.exchangeCount > exchanges {
          throw AppError.network(.unauthorized)
        }
        switch change {
        case .inserted: hasTold.withLock { $0 = true }
        case .updated(let child) where mistake == .takesChangesForInsertions: return .inserted(child)
        default: break
        }
        return change
      } catch  where mistake == .keepsItsConnection {
        keepFeed()
        throw error
      } catch AppError.cancelled where mistake == .takesCancellationForLoss {
        throw AppError.network(.connectionLost)
      } catch let thrown as AppError where mistake == .failsAgain {
        error.withLock { $0 = thrown }
        throw thrown
      } catch AppError.network(.unauthorized) where mistake == .subscribesAgain {
        // Subscribes as the currently signed-in user, who may differ from the stream's user.
        return try await base.childChanges().next()
      } catch AppError.network(.unauthorized)
        where [.tellsTheNextUser, .goesOnAfterSignOut].contains(mistake) && backend.auth.userID != nil
      {
        return try await direct?.next()
      }
    }
  }
}

extension Child {
  /// The same child as if it had never been changed.
  fileprivate var asNew: Child {
    Child(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: createdAt)
  }
}
