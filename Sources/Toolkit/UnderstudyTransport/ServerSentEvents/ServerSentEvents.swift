/// The events of a `text/event-stream` body, as they arrive.
///
/// The sequence is pulled like the body: the next chunk is requested when all earlier events have been read. A slow
/// reader therefore applies back-pressure to the sender, and a reader that stops closes the source of the body. The
/// content type of the response is not checked.
///
/// Iteration throws `TransportError`: the error of the body, after the events before it; `.bodyTooLarge` for an event
/// above the limit; and `.cancelled`.
public struct ServerSentEvents: AsyncSequence, Sendable {
  fileprivate let body: HTTP.Body
  fileprivate let sizeLimit: Int

  /// An iterator over the events of a body.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    /// `nil` once the sequence has ended, so that the body is released.
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

  /// Creates an iterator over the events.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension HTTP.Body {
  /// The body's server-sent events, each of at most 16 MiB.
  public var serverSentEvents: ServerSentEvents { serverSentEvents(sizeLimit: 16 << 20) }

  /// The body's server-sent events.
  ///
  /// - Parameter sizeLimit: The maximum size of a line, and of the data of one event, in bytes.
  package func serverSentEvents(sizeLimit: Int) -> ServerSentEvents {
    ServerSentEvents(body: self, sizeLimit: sizeLimit)
  }
}

extension HTTP {
  /// An event of a `text/event-stream` (WHATWG HTML §9.2).
  public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event (default: `message`).
    public let type: String
    /// The lines of its data, joined by line feeds.
    public let data: String
    /// The last identifier in the stream, in this event or an earlier one; empty if there has been no identifier.
    public let id: String
    /// The last reconnection time in the stream; `nil` if there has been no such field.
    public let retry: Duration?

    /// Creates an event.
    package init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.id = id
      self.retry = retry
    }
  }
}
