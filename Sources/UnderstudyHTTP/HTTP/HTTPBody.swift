public import Foundation
import Understudy

extension HTTP {
  /// The body of a response: chunks in the order and the sizes in which they arrived.
  ///
  /// A body is pulled: the next chunk is asked for when the reader wants it, so a slow reader holds the sender
  /// back. A reader that stops early, by leaving the loop or by cancellation, closes the body at its source.
  ///
  /// Iterating throws `TransportError`, for instance `.connectionLost` when the connection breaks after
  /// some chunks; those that came before it are delivered first. A body from memory can be read many times, a
  /// body from a connection once: a second reader finds it empty.
  public struct Body: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = Data

    fileprivate typealias Pull = @Sendable () async throws -> Data?

    private enum Source: Sendable {
      case chunks([Data], ending: TransportError?)
      case stream(@Sendable () -> Pull)
    }

    private let source: Source

    /// A body of one chunk, or of none when there is nothing in it.
    public init(_ bytes: Data) {
      source = .chunks(bytes.isEmpty ? [] : [bytes], ending: nil)
    }

    /// A body of these chunks, and how it breaks off after the last, if it does.
    public init(chunks: [Data], endingWith error: TransportError? = nil) {
      source = .chunks(chunks, ending: error)
    }

    /// A body whose chunks are asked for one by one, until `nil`.
    ///
    /// The first reader takes the closure, and it is released when that reader is done with it, or with the body if
    /// nobody reads it: what it captures can close the source in `deinit`.
    public init(unfolding next: @escaping @Sendable () async throws -> Data?) {
      let untaken = Locked<Pull?>(next)
      source = .stream {
        untaken.withLock { pull in
          defer { pull = nil }
          return pull ?? { nil }
        }
      }
    }

    /// A body made anew for each reader, for a transport that adds something to another's body.
    package init(perReader makeNext: @escaping @Sendable () -> @Sendable () async throws -> Data?) {
      source = .stream(makeNext)
    }

    /// A body of no chunks.
    public static let empty = HTTP.Body(Data())

    /// The chunks when all of them are in memory and the body ends well, for code that can then skip waiting.
    package var chunksInMemory: [Data]? {
      if case .chunks(let chunks, ending: nil) = source { chunks } else { nil }
    }

    /// Reads the chunks of one body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      /// `nil` once the body has ended, so that what it captures is released.
      private var pull: Pull?

      fileprivate init(_ pull: @escaping Pull) {
        self.pull = pull
      }

      /// The next chunk, or `nil` at the end.
      public mutating func next() async throws -> Data? {
        guard let pull else { return nil }
        do {
          try Task.checkCancellation()
          if let chunk = try await pull() { return chunk }
          self.pull = nil
          return nil
        } catch {
          self.pull = nil
          throw TransportError(wrapping: error)
        }
      }
    }

    /// A reader of the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(makeReader())
    }

    /// What gives a new reader its chunks, one call after another.
    package func makeReader() -> @Sendable () async throws -> Data? {
      switch source {
      case .stream(let makeNext):
        return makeNext()
      case .chunks(let chunks, let ending):
        let position = Locked(0)
        return {
          let index = position.withLock { index in
            defer { index += 1 }
            return index
          }
          if index < chunks.count { return chunks[index] }
          if let ending { throw ending }
          return nil
        }
      }
    }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: The most bytes that are kept in memory.
    /// - Throws: What the body ends with, or `.bodyTooLarge` once more than `limit` bytes have come.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
      do {
        var bytes = Data()
        for try await chunk in self {
          guard bytes.count + chunk.count <= limit else {
            throw TransportError(
              .bodyTooLarge, "The body is longer than the \(limit) bytes that were asked for.")
          }
          bytes.append(chunk)
        }
        return bytes
      } catch {
        throw TransportError(wrapping: error)
      }
    }
  }
}
