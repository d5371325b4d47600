public import Foundation

/// Reads the events of a `text/event-stream` from its bytes, wherever they are cut (WHATWG HTML §9.2.5 and 9.2.6).
///
/// ```swift
/// var parser = ServerSentEventParser()
/// parser.append(chunk)
/// while let event = try parser.next() { … }
/// ```
///
/// However the same bytes are cut, the events are the same, and each is there once the blank line that ends it has
/// begun to arrive. A block without a blank line after it is never an event. Invalid UTF-8 becomes U+FFFD.
public struct ServerSentEventParser: Sendable {
  /// The longest line, and the most data of one event, in bytes; longer is an error.
  public let sizeLimit: Int

  private var lines = LineBuffer()
  private var block = EventBlock()
  private var failure: TransportError?

  /// A parser at the beginning of a stream.
  ///
  /// - Parameter sizeLimit: The longest line and the most data of an event, in bytes, so that no stream fills the
  ///   memory; 16 MiB unless said otherwise.
  public init(sizeLimit: Int = 16 << 20) {
    self.sizeLimit = sizeLimit
  }

  /// The identifier to reconnect with (`Last-Event-ID`): that of the last block that ended; empty for none.
  public var lastEventID: String { block.lastEventID }

  /// How long to wait before reconnecting, where the stream has said so.
  public var reconnectionTime: Duration? { block.retry }

  /// Takes the bytes that follow those before.
  public mutating func append(_ chunk: Data) {
    if failure == nil { lines.append(chunk) }
  }

  /// The next whole event, or `nil` until more bytes are there.
  ///
  /// - Throws: `.bodyTooLarge`, from then on always, once a line or an event's data is longer than ``sizeLimit``.
  ///   The events before it have been returned by then.
  public mutating func next() throws(TransportError) -> HTTP.ServerSentEvent? {
    if let failure { throw failure }
    while let line = lines.next() {
      if line.isEmpty {
        if let event = block.end() { return event }
        continue
      }
      try check(line.count)
      lines.bytes.withUnsafeBytes { block.take(UnsafeRawBufferPointer(rebasing: $0[line])) }
      try check(block.dataCount)
    }
    try check(lines.unfinishedCount)
    return nil
  }

  private mutating func check(_ count: Int) throws(TransportError) {
    guard count > sizeLimit else { return }
    let error = TransportError(
      .bodyTooLarge,
      """
      A server-sent event is longer than the limit of \(sizeLimit) bytes. If the stream is right, read it with a \
      larger one.
      """)
    failure = error
    lines = LineBuffer()
    throw error
  }
}
