import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var upstream: [Self] {
    Clause(
      "conversations.upstream.held-back", "A consumer that takes its time holds the source of an answer back."
    ) { trial in
      let talk = try await trial.started()
      let watched = try await trial.given(.upstreamIsWatched)
      var chunks = try await trial.send("Hello", in: talk).makeAsyncIterator()
      for number in 1...5 {
        _ = try await chunks.next()
        let taken = await watched.taken()
        trial.expect(
          (number...number + watched.lead).contains(taken),
          "Expected the source to have given \(number) chunks and \(watched.lead) more at most, found \(taken)."
        )
      }
    }

    Clause("conversations.upstream.left", "A consumer that walks away closes the source of an answer.") {
      trial in
      let talk = try await trial.started()
      let watched = try await trial.given(.upstreamIsWatched)
      try await Self.take(3, of: try await trial.send("Hello", in: talk))
      trial.expect(await watched.isClosed(), "Expected the source of the answer to be closed.")
      let taken = await watched.taken()
      trial.expect(
        taken <= 3 + watched.lead,
        "Expected the source to have given 3 chunks and \(watched.lead) more at most, found \(taken).")
      // If chunks are buffered in transit, the source may have ended before the consumer stopped reading.
      guard watched.lead == 0 else { return }
      trial.expect(
        try await trial.history(of: talk).map(\.role), equals: [.user], "the roles of what is stored")
    }

    Clause("conversations.upstream.unread", "An answer without a reader is closed at its source.") { trial in
      let talk = try await trial.started()
      let watched = try await trial.given(.upstreamIsWatched)
      _ = try await trial.send("Hello", in: talk)
      trial.expect(await watched.isClosed(), "Expected the source of the answer to be closed.")
      let taken = await watched.taken()
      trial.expect(
        taken <= watched.lead,
        "Expected the source to have given \(watched.lead) chunks at most, found \(taken).")
    }

    Clause("conversations.upstream.complete", "With its last chunk an answer is closed at its source.") {
      trial in
      let talk = try await trial.started()
      let watched = try await trial.given(.upstreamIsWatched)
      // The stream is still referenced when the source must be closed.
      let stream = try await trial.send("Hello", in: talk)
      trial.expectComplete(await Reading(of: stream))
      trial.expect(await watched.isClosed(), "Expected the source of the answer to be closed.")
      _ = stream
    }
  }

  /// Reads a number of chunks and stops.
  private static func take(_ count: Int, of stream: AsyncThrowingStream<MessageChunk, any Error>) async throws
  {
    var left = count
    for try await _ in stream {
      left -= 1
      if left == 0 { break }
    }
  }
}
