import SharedServices
import Testing
import UnderstudyTesting

@testable import SharedServicesVerification

/// A chat shows each message once even if its stream delivers it twice, so the stream is checked separately.
@Suite(.stallLimit()) struct WatchedStreamTests {
  private static let messages = ["1", "2", "3"].map {
    PaginatedMessage(id: $0, role: "assistant", content: "Answer \($0)", timestamp: "2026-01-03T12:00:00Z")
  }

  private static func event(_ id: String, _ content: StreamContent) -> FeedUpdate {
    .event(.message(StreamedMessage(id: id, timestamp: "2026-01-03T12:00:00Z", content: content)))
  }

  private static func whole(_ id: String) -> FeedUpdate { event(id, .assistant("Answer \(id)")) }
  private static func piece(_ id: String, _ text: String) -> FeedUpdate {
    event(id, .assistant(text, isDelta: true))
  }

  private func difference(of updates: [FeedUpdate], after messageID: String?) async throws -> String? {
    let stream = WatchedUpdates(StoredUpdates(updates))
    var found: [FeedUpdate] = []
    for try await update in try await stream.updates(of: "s", after: messageID) { found.append(update) }
    #expect(found == updates)
    return stream.difference(from: Self.messages)
  }

  nonisolated static let right: [[FeedUpdate]] = [
    [],
    [.connected, whole("2"), whole("3")],
    [whole("2"), .reconnecting, .missed([messages[2]]), .connected],
    [.connected, piece("2", "Ans"), .reconnecting, piece("3", "An"), piece("2", "wer 2"), whole("2")],
  ]

  @Test(arguments: right) func messagesThatAreDeliveredOnceAreRight(_ updates: [FeedUpdate]) async throws {
    #expect(try await difference(of: updates, after: "1") == nil)
  }

  private static let misplaced = "was delivered again, or out of order."
  private static let late = "was delivered after the message, or without one."

  nonisolated static let wrong: [(updates: [FeedUpdate], difference: String)] = [
    ([whole("1")], "The message 1 \(misplaced)"),
    ([whole("2"), whole("2")], "The message 2 \(misplaced)"),
    ([whole("2"), .reconnecting, .missed([messages[1], messages[2]])], "The message 2 \(misplaced)"),
    ([whole("3"), whole("2")], "The message 3 \(misplaced)"),
    ([whole("2"), whole("3"), whole("4")], "The message 4 \(misplaced)"),
    (
      [.reset(Array(messages[1...]))],
      "All messages were delivered again, although the session discarded none."
    ),
    ([whole("2"), piece("2", "Answer 2")], "A piece of the message 2 \(late)"),
    (
      [piece("2", "Ans"), .reconnecting, piece("2", "Answer")],
      "The pieces of the message 2 differ from the message."
    ),
  ]

  @Test(arguments: wrong) func messagesThatAreDeliveredTwiceAreFound(
    _ row: (updates: [FeedUpdate], difference: String)
  ) async throws {
    #expect(try await difference(of: row.updates, after: "1") == row.difference)
  }
}

/// A stream that delivers its updates and ends.
private struct StoredUpdates: MessageStreamService {
  let updates: [FeedUpdate]

  init(_ updates: [FeedUpdate]) { self.updates = updates }

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    AsyncThrowingStream { continuation in
      for update in updates { continuation.yield(update) }
      continuation.finish()
    }
  }
}
