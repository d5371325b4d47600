import Foundation
import SharedServices
import UnderstudyTransport

/// Decodes an answer from the events of a body, one chunk at a time, on demand.
///
/// Seed 001 decodes each line that begins with `data: `. It cannot read an event of several lines, and accepts one that
/// the end of the connection has cut off. Here events are framed as in WHATWG HTML §9.2.6.
///
/// The last chunk, an error and the reader's deinitialization release the body, which closes it.
final class MessageChunkReader: Sendable {
  private enum Source: Sendable {
    case waiting(ServerSentEvents.AsyncIterator)
    /// A task is waiting for the next event.
    case taken
    case over
  }

  private let source: Guarded<Source>

  init(_ body: HTTP.Body) {
    source = Guarded(.waiting(body.serverSentEvents.makeAsyncIterator()))
  }

  /// Returns the next chunk; `nil` after the last chunk, and after an error.
  ///
  /// - Throws: `AppError`.
  func next() async throws -> MessageChunk? {
    let source = self.source.withLock { source in
      defer { if case .waiting = source { source = .taken } }
      return source
    }
    switch source {
    case .over: return nil
    case .taken: throw AppError.unknown(TwoReaders())
    case .waiting(var events):
      do throws(AppError) {
        let chunk = try await Self.chunk(from: &events)
        self.source.withLock { [events] in $0 = chunk.isDone ? .over : .waiting(events) }
        return chunk
      } catch {
        self.source.withLock { $0 = .over }
        throw error
      }
    }
  }

  private static func chunk(
    from events: inout ServerSentEvents.AsyncIterator
  ) async throws(AppError) -> MessageChunk {
    do {
      while let event = try await events.next() {
        // Events of other types are ignored.
        guard event.type == "message" else { continue }
        return try JSONDecoder().decode(ChunkBody.self, from: Data(event.data.utf8)).chunk
      }
    } catch is DecodingError {
      throw .network(.unreadableAnswer)
    } catch {
      throw AppError(TransportError(wrapping: error))
    }
    // The body ended without an error, but before the answer was complete.
    throw .network(.connectionLost)
  }

  struct TwoReaders: Error, CustomStringConvertible {
    let description = "Two tasks read one streamed answer at the same time. Read it in one task."
  }
}

/// The data of an event.
private struct ChunkBody: Decodable {
  let text: String
  let sources: [Citation]?
  let isDone: Bool

  var chunk: MessageChunk { MessageChunk(text: text, sources: sources, isDone: isDone) }
}
