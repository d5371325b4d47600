import SharedServices
import UnderstudyPrimitives

/// A stream of a session that is right but for one thing.
struct WrongMessageStreamService: MessageStreamService {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case tellsTwice
    case startsAtTheBeginning
    case forgetsWhereItWas
    case swapsPairs
    case hidesGaps
    case hidesReconnecting
    case hidesAbandonedAnswers
    case takesResetsForGaps
    case endsQuietly
    case failsLater
    case takesCancellationForLoss
  }

  let base: any MessageStreamService
  let mistake: Mistake

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let updates: AsyncThrowingStream<FeedUpdate, any Error>
    do throws(AppError) {
      let start = mistake == .startsAtTheBeginning ? nil : messageID
      updates = try await base.updates(of: sessionID, after: start)
    } catch .cancelled where mistake == .takesCancellationForLoss {
      throw .network(.connectionLost)
    } catch {
      guard mistake == .failsLater else { throw error }
      return AsyncThrowingStream { throw error }
    }
    let waiting = Locked<[FeedUpdate]>([])
    let isBack = Locked(false)
    return AsyncThrowingStream {
      if let update = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return update }
      do {
        while true {
          var iterator = updates.makeAsyncIterator()
          guard let update = try await iterator.next() else { return nil }
          switch (mistake, update) {
          case (.tellsTwice, .event): waiting.withLock { $0.append(update) }
          case (.hidesGaps, .missed), (.hidesAbandonedAnswers, .abandoned),
            (.hidesReconnecting, .reconnecting):
            continue
          case (.forgetsWhereItWas, .reconnecting): isBack.withLock { $0 = true }
          case (.forgetsWhereItWas, .connected): isBack.withLock { $0 = false }
          case (.forgetsWhereItWas, .event) where isBack.withLock({ $0 }): continue
          case (.swapsPairs, .event):
            guard let next = try await iterator.next() else { return update }
            waiting.withLock { $0.append(update) }
            return next
          case (.takesResetsForGaps, .reset(let messages)): return .missed(messages)
          default: break
          }
          return update
        }
      } catch  where mistake == .endsQuietly {
        return nil
      }
    }
  }
}
