import SharedServices
import SharedServicesContracts
import Understudy

/// A stream service that logs its updates, so that the service is checked separately from the view model.
final class WatchedUpdates: MessageStreamService {
  /// The updates of one subscription.
  fileprivate struct Telling: Sendable {
    let place: String?
    var updates: [FeedUpdate] = []
  }

  private let base: any MessageStreamService
  private let tellings = Locked<[Telling]>([])

  init(_ base: any MessageStreamService) {
    self.base = base
  }

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let updates = try await base.updates(of: sessionID, after: messageID)
    let number = tellings.withLock { tellings in
      tellings.append(Telling(place: messageID))
      return tellings.count - 1
    }
    return AsyncThrowingStream { [tellings] in
      // The iterators of one stream share its state.
      var iterator = updates.makeAsyncIterator()
      let update = try await iterator.next()
      if let update { tellings.withLock { $0[number].updates.append(update) } }
      return update
    }
  }

  /// Returns the difference between the updates and a session whose stream never lost a position, if any.
  ///
  /// Each subscription must deliver the messages after its position once and in order, no part of an answer twice, and
  /// no part after the whole. A subscription may have ended before it delivered all of them.
  func difference(from messages: [PaginatedMessage]) -> String? {
    for telling in tellings.withLock({ $0 }) {
      if let difference = telling.difference(from: messages) { return difference }
    }
    return nil
  }
}

extension WatchedUpdates.Telling {
  fileprivate func difference(from messages: [PaginatedMessage]) -> String? {
    let start = place.flatMap { place in messages.firstIndex { $0.id == place }.map { $0 + 1 } } ?? 0
    var expected = messages[start...]
    var pieces: [String: String] = [:]
    for update in updates {
      for id in [update].wholeMessages where expected.popFirst()?.id != id {
        return "The message \(id) was delivered again, or out of order."
      }
      if case .reset = update {
        return "All messages were delivered again, although the session discarded none."
      }
      guard case .event(.message(let message)) = update,
        case .assistant(let piece, isDelta: true) = message.content
      else { continue }
      pieces[message.id, default: ""] += piece
      guard let whole = expected.first(where: { $0.id == message.id }) else {
        return "A piece of the message \(message.id) was delivered after the message, or without one."
      }
      guard whole.content.unicodeScalars.starts(with: pieces[message.id, default: ""].unicodeScalars) else {
        return "The pieces of the message \(message.id) differ from the message."
      }
    }
    return nil
  }
}
