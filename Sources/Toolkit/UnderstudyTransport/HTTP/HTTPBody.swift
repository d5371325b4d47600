public import Foundation

extension HTTP {
  /// The body of a response as a sequence of chunks, in the order and sizes in which they arrived.
  ///
  /// A body is pulled: the next chunk is requested when the reader needs it, so a slow reader applies back-pressure to
  /// the sender. A reader that stops early, by leaving the loop or by cancellation, closes the source of the body.
  ///
  /// Iteration throws `TransportError`, for instance `.connectionLost` when the connection breaks after some chunks;
  /// the chunks before it are delivered first. A body in memory can be read several times. A body from a connection can
  /// be read once: a second reader receives no chunks.
  public struct Body: AsyncSequence, Sendable {
    fileprivate typealias Pull = @Sendable () async throws -> Data?

    private enum Source: Sendable {
      case chunks([Data], ending: TransportError?)
      case stream(@Sendable () -> Pull)
    }

    private let source: Source
    /// Whether the body is expected to end with an error.
    ///
    /// A server that sends it does not announce the end of the connection before, as one that dies would not.
    package let breaksOff: Bool

    /// Creates a body of one chunk, or of none if the data is empty.
    public init(_ bytes: Data) {
      source = .chunks(bytes.isEmpty ? [] : [bytes], ending: nil)
      breaksOff = false
    }

    /// Creates a body of chunks, optionally followed by an error.
    public init(chunks: [Data], endingWith error: TransportError? = nil) {
      source = .chunks(chunks, ending: error)
      breaksOff = error != nil
    }

    /// Creates a body whose chunks are requested one by one, until `nil`.
    ///
    /// The closure belongs to the first reader, and is released when that reader ends, or with the body if it is never
    /// read. Values that it captures can therefore close the source in `deinit`.
    public init(unfolding next: @escaping @Sendable () async throws -> Data?) {
      let untaken = Guarded<Pull?>(next)
      source = .stream {
        untaken.withLock { pull in
          defer { pull = nil }
          return pull ?? { nil }
        }
      }
      breaksOff = false
    }

    /// Creates a body with a new closure for each reader, for a transport that wraps the body of another.
    ///
    /// - Parameter breaksOff: Whether the body ends with an error.
    package init(
      breaksOff: Bool = false,
      perReader makeNext: @escaping @Sendable () -> @Sendable () async throws -> Data?
    ) {
      source = .stream(makeNext)
      self.breaksOff = breaksOff
    }

    /// An empty body.
    public static let empty = HTTP.Body(Data())

    /// The bytes if all of them are in memory and the body has no error; otherwise ``collect(upTo:)`` reads them.
    public var bytes: Data? { chunksInMemory?.reduce(into: Data()) { $0 += $1 } }

    /// The chunks if all of them are in memory and the body has no error, for code that can then avoid waiting.
    package var chunksInMemory: [Data]? {
      if case .chunks(let chunks, ending: nil) = source { chunks } else { nil }
    }

    /// An iterator over the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      /// `nil` once the body has ended, so that captured values are released.
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

    /// Creates an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(makeReader())
    }

    /// Creates a closure that returns the chunks for a new reader, one on each call.
    package func makeReader() -> @Sendable () async throws -> Data? {
      switch source {
      case .stream(let makeNext):
        return makeNext()
      case .chunks(let chunks, let ending):
        let position = Guarded(0)
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
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: The error with which the body ends, or `.bodyTooLarge` when it exceeds `limit` bytes.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
      do {
        var bytes = Data()
        for try await chunk in self {
          guard bytes.count + chunk.count <= limit else {
            throw TransportError(.bodyTooLarge, "The body exceeds the limit of \(limit) bytes.")
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
