package import Foundation

/// A parser of a `text/event-stream` (WHATWG HTML §9.2.5 and §9.2.6).
///
/// ```swift
/// var parser = ServerSentEventParser()
/// parser.append(chunk)
/// while let event = try parser.next() { … }
/// ```
///
/// The events do not depend on how the bytes are split into chunks. Each event is available once the blank line that
/// ends it has begun to arrive. A block without a blank line after it is never an event. Invalid UTF-8 is replaced by
/// U+FFFD.
package struct ServerSentEventParser: Sendable {
  /// The maximum size of a line, and of the data of one event, in bytes.
  package let sizeLimit: Int

  private var lines = LineBuffer()
  private var block = EventBlock()
  private var failure: TransportError?

  /// Creates a parser at the beginning of a stream.
  ///
  /// - Parameter sizeLimit: The maximum size of a line, and of the data of one event, in bytes, to bound the memory use
  ///   (default: 16 MiB).
  package init(sizeLimit: Int = 16 << 20) {
    self.sizeLimit = sizeLimit
  }

  /// The identifier for reconnecting (`Last-Event-ID`): that of the last completed block; empty if there has been no
  /// identifier.
  package var lastEventID: String { block.lastEventID }

  /// The delay before reconnecting; `nil` if the stream has not set it.
  package var reconnectionTime: Duration? { block.retry }

  /// Appends the next bytes of the stream.
  package mutating func append(_ chunk: Data) {
    if failure == nil { lines.append(chunk) }
  }

  /// The next complete event; `nil` until more bytes are appended.
  ///
  /// - Throws: `.bodyTooLarge` when a line or an event's data exceeds `sizeLimit`, and on every later call. The
  ///   events before it have been returned by then.
  package mutating func next() throws(TransportError) -> HTTP.ServerSentEvent? {
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
      A server-sent event exceeds the limit of \(sizeLimit) bytes. If the stream is valid, read it with a larger limit.
      """)
    failure = error
    lines = LineBuffer()
    throw error
  }
}
