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

  private var lines = EventLineBuffer()
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
    lines = EventLineBuffer()
    throw error
  }
}

/// The fields of the current event, and those that persist between events (WHATWG HTML §9.2.6).
///
/// Line ends, colons and spaces are ASCII, which the bytes of other UTF-8 characters do not contain. Decoding each
/// value separately is therefore equivalent to decoding the whole stream; a truncated character is replaced either way.
struct EventBlock: Sendable {
  /// The identifier of the last completed event, with or without data.
  private(set) var lastEventID = ""
  private(set) var retry: Duration?
  private var type = ""
  private var id = ""
  /// The values of the `data` fields, joined; `nil` before the first.
  private var data: String?

  /// The size of the data in bytes.
  var dataCount: Int { data?.utf8.count ?? 0 }

  /// Ends the event, and returns it unless it has no data.
  mutating func end() -> HTTP.ServerSentEvent? {
    lastEventID = id
    defer {
      data = nil
      type = ""
    }
    // "If the data buffer is an empty string": each field appends a line feed to it, so a field without a value is
    // sufficient.
    guard let data else { return nil }
    return HTTP.ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id, retry: retry)
  }

  /// Parses a line that is not empty.
  @inline(__always) mutating func take(_ line: UnsafeRawBufferPointer) {
    let colon = line.position(of: UInt8(ascii: ":"))
    var start = min(colon + 1, line.count)
    if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
    let value = UnsafeRawBufferPointer(rebasing: line[start...])
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    switch name.count {
    case 4 where name.elementsEqual("data".utf8):
      let text = String(decoding: value, as: UTF8.self)
      if data == nil {
        data = text
      } else {
        data?.append("\n")
        data?.append(text)
      }
    case 2 where name.elementsEqual("id".utf8):
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case 5 where name.elementsEqual("event".utf8):
      type = String(decoding: value, as: UTF8.self)
    case 5 where name.elementsEqual("retry".utf8):
      if let milliseconds = Self.number(value) { retry = .milliseconds(milliseconds) }
    default:
      // A comment, which has an empty name, or an unknown field.
      break
    }
  }

  /// A number of only ASCII digits, clamped to the largest `Int`.
  private static func number(_ digits: UnsafeRawBufferPointer) -> Int? {
    if digits.isEmpty { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tenfold, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      number = overflows || overflowsToo ? .max : sum
    }
    return number
  }
}

/// A buffer that returns received bytes line by line.
///
/// A line ends with CR, LF or CRLF (WHATWG HTML §9.2.5), and is available as soon as its CR is; an LF after it is
/// skipped when it arrives. Each byte is examined once for each of the two, independent of how the input is split and
/// of the length of its lines.
struct EventLineBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The start of the next line.
  private var start = 0
  /// The positions of the first LF and the first CR at or after ``start``; the number of bytes if not found.
  private var lineFeed = 0
  private var carriageReturn = 0
  /// Whether the last line ended with a CR, so that an LF directly after it belongs to it.
  private var isAfterCarriageReturn = false
  /// Whether the start, which may be a byte order mark, has not been checked yet.
  private var isAtBeginning = true

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The number of bytes of the incomplete last line.
  var unfinishedCount: Int { bytes.count - start }

  mutating func append(_ chunk: Data) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
    } else if start > 0 {
      bytes.removeSubrange(..<start)
    }
    (lineFeed, carriageReturn) = (lineFeed - start, carriageReturn - start)
    start = 0
    let end = bytes.count
    bytes.append(contentsOf: chunk)
    // The existing bytes have already been searched.
    if lineFeed >= end { lineFeed = first(0x0A, from: end) }
    if carriageReturn >= end { carriageReturn = first(0x0D, from: end) }
  }

  /// The range of the next complete line, without its terminator; `nil` until one is complete.
  mutating func next() -> Range<Int>? {
    if isAtBeginning {
      let head = bytes.prefix(Self.byteOrderMark.count)
      if head.count < Self.byteOrderMark.count, Self.byteOrderMark.starts(with: head) { return nil }
      isAtBeginning = false
      if Array(head) == Self.byteOrderMark { start = head.count }
    }
    if isAfterCarriageReturn {
      guard start < bytes.count else { return nil }
      isAfterCarriageReturn = false
      if lineFeed == start {
        start += 1
        lineFeed = first(0x0A, from: start)
      }
    }
    let line = start..<min(lineFeed, carriageReturn)
    guard line.upperBound < bytes.count else { return nil }
    start = line.upperBound + 1
    if carriageReturn == line.upperBound {
      isAfterCarriageReturn = true
      carriageReturn = first(0x0D, from: start)
    } else {
      lineFeed = first(0x0A, from: start)
    }
    return line
  }

  private func first(_ byte: UInt8, from position: Int) -> Int {
    bytes.withUnsafeBytes { $0.position(of: byte, from: position) }
  }
}

extension UnsafeRawBufferPointer {
  /// The position of the first occurrence of a byte at or after a position; the number of bytes if not found.
  @inline(__always) func position(of byte: UInt8, from position: Int = 0) -> Int {
    guard let base = baseAddress, position < count,
      let found = memchr(base + position, Int32(byte), count - position)
    else { return count }
    return UnsafeRawPointer(found) - base
  }
}
