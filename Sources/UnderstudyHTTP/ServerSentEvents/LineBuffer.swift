import Foundation

/// Bytes that have arrived, given back line by line.
///
/// A line ends with CR, LF or CRLF (WHATWG HTML §9.2.5), and is there as soon as its CR is: whether a LF follows is
/// seen when it comes. Each byte is looked at once for each of the two, however the input is cut and however long
/// its lines are.
struct LineBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where the next line begins.
  private var start = 0
  /// The first LF and the first CR that are not before ``start``; the number of bytes while there is none.
  private var lineFeed = 0
  private var carriageReturn = 0
  /// Whether the last line ended with a CR, so that a LF right after it belongs to it.
  private var isAfterCarriageReturn = false
  /// Whether the first bytes, which may be a byte order mark, are still to be looked at.
  private var isAtBeginning = true

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How many bytes of a line are here whose end is not.
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
    // Where there was none before, only what is new can have one.
    if lineFeed >= end { lineFeed = first(0x0A, from: end) }
    if carriageReturn >= end { carriageReturn = first(0x0D, from: end) }
  }

  /// The place of the next whole line, without its end; `nil` until there is one.
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
  /// Where the byte is first at or after a position; the number of bytes if it is not.
  @inline(__always) func position(of byte: UInt8, from position: Int = 0) -> Int {
    guard let base = baseAddress, position < count,
      let found = memchr(base + position, Int32(byte), count - position)
    else { return count }
    return UnsafeRawPointer(found) - base
  }
}
