import Foundation

/// A buffer that returns received bytes line by line.
///
/// A line ends with CR, LF or CRLF (WHATWG HTML §9.2.5), and is available as soon as its CR is; an LF after it is
/// skipped when it arrives. Each byte is examined once for each of the two, independent of how the input is split and
/// of the length of its lines.
struct LineBuffer: Sendable {
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
