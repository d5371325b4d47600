/// The events of a body that is a `text/event-stream`, one by one, as they arrive.
///
/// It is pulled like the body: the next chunk is asked for when all events of those before have been taken, so a slow
/// reader holds the sender back, and one that leaves closes the body at its source. The stream's content type is not
/// looked at.
///
/// Iterating throws `TransportError`: what the body ends with, after the events before it, `.bodyTooLarge` for an event
/// above the limit, and `.cancelled`.
public struct ServerSentEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = HTTP.ServerSentEvent

  fileprivate let body: HTTP.Body
  fileprivate let sizeLimit: Int

  /// Reads the events of one body.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    /// `nil` once the events have ended, so that the body is released.
    private var chunks: HTTP.Body.AsyncIterator?
    private var parser: ServerSentEventParser

    fileprivate init(_ events: ServerSentEvents) {
      chunks = events.body.makeAsyncIterator()
      parser = ServerSentEventParser(sizeLimit: events.sizeLimit)
    }

    /// The next event, or `nil` at the end.
    public mutating func next() async throws -> HTTP.ServerSentEvent? {
      do {
        while chunks != nil {
          try Task.checkCancellation()
          if let event = try parser.next() { return event }
          guard let chunk = try await chunks?.next() else {
            chunks = nil
            return nil
          }
          parser.append(chunk)
        }
        return nil
      } catch {
        chunks = nil
        throw TransportError(wrapping: error)
      }
    }
  }

  /// A reader of the events.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension HTTP.Body {
  /// The body's server-sent events, of 16 MiB at most.
  public var serverSentEvents: ServerSentEvents { serverSentEvents(sizeLimit: 16 << 20) }

  /// The body's server-sent events.
  ///
  /// - Parameter sizeLimit: The longest line, and the most data of one event, in bytes.
  public func serverSentEvents(sizeLimit: Int) -> ServerSentEvents {
    ServerSentEvents(body: self, sizeLimit: sizeLimit)
  }
}
