import Foundation
import SharedServices
import UnderstudyPrimitives

/// A service of changes that is right but for one thing.
struct WrongRealtimeService: RealtimeService {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case takesChangesForInsertions
    case tellsTwice
    case keepsSubscriptionsOfLeavers
    case endsQuietly
    case failsInTheStream
    case failsAgain
    case subscribesAgain
    case takesCancellationForLoss
  }

  typealias Changes = AsyncThrowingStream<ChildChange, any Error>

  let base: any RealtimeService
  let mistake: Mistake
  private let kept = Locked<[Changes]>([])

  init(base: any RealtimeService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func childChanges() async throws(AppError) -> Changes {
    let stream: Changes
    do throws(AppError) {
      stream = try await base.childChanges()
    } catch .cancelled where mistake == .takesCancellationForLoss {
      throw .network(.connectionLost)
    } catch {
      guard mistake == .failsInTheStream else { throw error }
      return AsyncThrowingStream { throw error }
    }
    if mistake == .keepsSubscriptionsOfLeavers { kept.withLock { $0.append(stream) } }
    let last = Locked<ChildChange?>(nil)
    let error = Locked<AppError?>(nil)
    return AsyncThrowingStream {
      if mistake == .failsAgain, let error = error.withLock({ $0 }) { throw error }
      if mistake == .tellsTwice, let change = last.withLock({ $0.take() }) { return change }
      do {
        let change = try await stream.next()
        last.withLock { $0 = change }
        switch change {
        case .updated(let child) where mistake == .takesChangesForInsertions: return .inserted(child)
        default: return change
        }
      } catch  where mistake == .endsQuietly {
        return nil
      } catch let thrown as AppError where mistake == .failsAgain {
        error.withLock { $0 = thrown }
        throw thrown
      } catch AppError.network(.unauthorized) where mistake == .subscribesAgain {
        // As whoever is signed in now, which is not whom the stream was for.
        return try await base.childChanges().next()
      }
    }
  }
}
