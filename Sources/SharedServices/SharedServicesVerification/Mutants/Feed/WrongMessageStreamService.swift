import SharedServices
import Understudy

/// A message stream service with one mistake.
struct WrongMessageStreamService: MessageStreamService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case tellsTwice
    case startsAtTheBeginning
    case startsAtTheBeginningAfterAnEmptyID
    case losesOptions
    case tellsNothingOld
    case tellsAllPiecesSoFar
    case tellsOncePerFollower
    case keepsFollowing
    case hidesReconnecting
    case forgetsWhereItWas
    case goesOnAtTheLastMessage
    case repeatsPieces
    case takesPartsForMessages
    case abandonsWhatIsHalfTold
    case takesResetsForGaps
    case endsAtALoss
    case failsLater
    case losesTheDelay
    case followsTheFirstSession
    case tellsLossesToAll
    case hidesUnknownTypes
    case endsAllWithOne
    case abandonsOne
    case abandonsAgain
    case abandonsNothingFromTheHistory
    case takesTheHistoryForParts
  }

  let base: any MessageStreamService
  let mistake: Mistake
  private let followers = Locked(0)
  private let relays = Relays()
  /// The session that was followed first.
  private let first = Locked<String?>(nil)
  /// The number of lost connections of all followers.
  private let losses = Locked(0)
  /// Whether a reader has left.
  private let hasLeft = Locked(false)

  init(base: any MessageStreamService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let sessionID = first.withLock { first in
      if first == nil || mistake != .followsTheFirstSession { first = sessionID }
      return first ?? sessionID
    }
    let updates: AsyncThrowingStream<FeedUpdate, any Error>
    do throws(AppError) {
      let hasStart =
        mistake != .startsAtTheBeginning
        && (mistake != .startsAtTheBeginningAfterAnEmptyID || messageID != "")
      let start = hasStart ? messageID : nil
      updates = try await base.updates(of: sessionID, after: start)
    } catch {
      switch (mistake, error) {
      case (.failsLater, _): return AsyncThrowingStream { throw error }
      case (.losesTheDelay, .network(.rateLimited)): throw .network(.rateLimited(retryAfter: nil))
      default: throw error
      }
    }
    if mistake == .keepsFollowing { return relays.relay(updates) }
    followers.withLock { $0 += 1 }
    return told(WrongTelling(mistake, isFromTheBeginning: messageID == nil), of: updates)
  }

  /// Returns the updates that are delivered.
  private func told(
    _ telling: WrongTelling, of updates: AsyncThrowingStream<FeedUpdate, any Error>
  ) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let telling = Locked(telling)
    let seenLosses = Locked(losses.withLock { $0 })
    let reader = mistake == .endsAllWithOne ? Reader(hasLeft: hasLeft) : nil
    return AsyncThrowingStream { [mistake, followers, losses] in
      if reader?.hasLeft.withLock({ $0 }) == true { return nil }
      while true {
        let (next, isOver) = telling.withLock { ($0.next(), $0.isOver) }
        if next != nil || isOver { return next }
        var iterator = updates.makeAsyncIterator()
        guard let update = try await iterator.next() else { return nil }
        let count = followers.withLock { $0 }
        if mistake == .tellsLossesToAll {
          let all = losses.withLock { losses in
            if update == .reconnecting { losses += 1 }
            return losses
          }
          let seen = seenLosses.withLock { seen in
            defer { seen = all }
            return seen
          }
          if all > seen, update != .reconnecting {
            telling.withLock { $0.take(.reconnecting, followers: count) }
          }
        }
        telling.withLock { $0.take(update, followers: count) }
      }
    }
  }
}

/// A reader of a stream; a cancelled stream releases it.
private final class Reader: Sendable {
  let hasLeft: Locked<Bool>

  init(hasLeft: Locked<Bool>) {
    self.hasLeft = hasLeft
  }

  deinit {
    hasLeft.withLock { $0 = true }
  }
}

/// Tasks that forward the updates of streams, with or without a reader, until this is deinitialized.
private final class Relays: Sendable {
  private let tasks = Locked<[Task<Void, Never>]>([])

  deinit {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  func relay(
    _ updates: AsyncThrowingStream<FeedUpdate, any Error>
  ) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let (told, continuation) = AsyncThrowingStream<FeedUpdate, any Error>.makeStream()
    let task = Task {
      do {
        for try await update in updates { continuation.yield(update) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    tasks.withLock { $0.append(task) }
    return told
  }
}
