import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any MessageStreamService {
  /// The contract of every ``/SharedServices/MessageStreamService`` implementation.
  public static var messageStream: Self {
    Contract("stream") {
      Clause.streamTelling
      Clause.streamSessions
      Clause.streamGaps
      Clause.streamLosses
      Clause.streamBreaking
      Clause.streamRefusing
    }
  }
}

extension Trial where Subject == any MessageStreamService {
  /// Follows the messages of a speaker after a given message.
  package func following(_ speaker: FeedSpeaker, after messageID: String? = nil) async throws
    -> FollowedSession
  {
    FollowedSession(updates: try await subject.updates(of: speaker.sessionID, after: messageID))
  }

  /// Creates a session, with a speaker and a connected reader.
  package func followed() async throws -> (FeedSpeaker, FollowedSession) {
    let speaker = try await given(.speaker)
    let session = try await following(speaker)
    expect(try await session.next(1), equals: [.connected], "the first update of a new session")
    return (speaker, session)
  }

  /// Expects updates to be the messages that are stored, with every field.
  package func expect(
    _ told: [FeedUpdate?], tells contents: [StreamContent], of messages: some Collection<PaginatedMessage>,
    fileID: String = #fileID, line: Int = #line
  ) {
    expect(told.count, equals: contents.count, "the number of updates", fileID: fileID, line: line)
    for ((update, content), stored) in zip(zip(told, contents), messages) {
      guard case .event(.message(let message))? = update else {
        expect(false, "Expected a message, found \(update as Any).", fileID: fileID, line: line)
        continue
      }
      expect(message.id, equals: stored.id, "the id", fileID: fileID, line: line)
      expect(message.content, equals: content, "the content of \(stored.id)", fileID: fileID, line: line)
      expect(
        message.timestamp, equals: stored.timestamp, "the timestamp of \(stored.id)", fileID: fileID,
        line: line)
    }
  }
}

/// A session and the updates that a follower receives.
package struct FollowedSession: Sendable {
  package let updates: AsyncThrowingStream<FeedUpdate, any Error>

  package init(updates: AsyncThrowingStream<FeedUpdate, any Error>) {
    self.updates = updates
  }

  /// Returns the next updates.
  package func next(_ count: Int) async throws -> [FeedUpdate?] {
    // The iterators of one stream share its state.
    var iterator = updates.makeAsyncIterator()
    var found: [FeedUpdate?] = []
    for _ in 0..<count { found.append(try await iterator.next()) }
    return found
  }

  /// Returns the updates up to one that can be recognized whatever the service does to it, or to the end.
  package func next(upTo isLast: (FeedUpdate) -> Bool) async throws -> [FeedUpdate] {
    var found: [FeedUpdate] = []
    while found.last.map(isLast) != true, let update = try await next(1)[0] { found.append(update) }
    return found
  }

  /// Returns the updates before the next ``FeedUpdate/connected``.
  package func untilConnected() async throws -> [FeedUpdate] {
    var found: [FeedUpdate] = []
    for try await update in updates {
      if update == .connected { break }
      found.append(update)
    }
    return found
  }

  /// Returns the updates until an error, and the error.
  package func rest() async -> (updates: [FeedUpdate], error: (any Error)?) {
    var found: [FeedUpdate] = []
    do {
      for try await update in updates { found.append(update) }
      return (found, nil)
    } catch {
      return (found, error)
    }
  }
}

extension [FeedUpdate] {
  /// The ids of the whole messages, in order, from every kind of update.
  package var wholeMessages: [String] {
    flatMap { update -> [String] in
      switch update {
      case .event(.message(let message)):
        if case .assistant(_, isDelta: true) = message.content { [] } else { [message.id] }
      case .missed(let messages), .reset(let messages): messages.map(\.id)
      default: []
      }
    }
  }

  /// Returns the pieces of an answer, joined.
  package func pieces(of id: String) -> String {
    reduce(into: "") { text, update in
      if case .event(.message(let message)) = update, message.id == id,
        case .assistant(let piece, isDelta: true) = message.content
      {
        text += piece
      }
    }
  }
}
