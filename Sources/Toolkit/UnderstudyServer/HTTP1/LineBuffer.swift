import Foundation

/// A buffer of received bytes that are not consumed yet, read by lines and by counts.
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The start of the unconsumed bytes.
  private var start = 0
  /// The end of the range that is known to contain no line feed.
  private var searched = 0

  var isEmpty: Bool { start == bytes.count }

  var count: Int { bytes.count - start }

  var first: UInt8? { start < bytes.count ? bytes[start] : nil }

  mutating func append(_ more: [UInt8]) {
    if isEmpty {
      bytes = more
      start = 0
      searched = 0
      return
    }
    // Consumed bytes are removed once they are more than half of the buffer, so that each byte is moved only a few
    // times.
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Skips the given bytes if they come next.
  ///
  /// - Returns: Whether they were skipped.
  mutating func skip(_ next: [UInt8]) -> Bool {
    guard bytes.count - start >= next.count else { return false }
    let isNext = bytes.withUnsafeBytes { bytes in
      next.withUnsafeBytes { next in
        guard let base = bytes.baseAddress, let other = next.baseAddress else { return true }
        return memcmp(base + start, other, next.count) == 0
      }
    }
    guard isNext else { return false }
    start += next.count
    searched = max(searched, start)
    return true
  }

  /// The unconsumed bytes.
  var unused: ArraySlice<UInt8> { bytes[start...] }

  mutating func takeAll() -> [UInt8] {
    defer { self = LineBuffer() }
    return Array(bytes[start...])
  }

  /// The next line without its CR LF; `nil` while it is incomplete.
  ///
  /// - Parameters:
  ///   - limit: The maximum length of a line, in bytes.
  ///   - refusal: The error to throw as soon as the line exceeds the limit.
  /// - Throws: The refusal, or a `RequestRefusal` for a line that ends with LF alone (RFC 9112 §2.2).
  mutating func line(
    upTo limit: Int, _ refusal: @autoclosure () -> RequestRefusal
  ) throws(RequestRefusal) -> ArraySlice<UInt8>? {
    guard limit >= 0 else { throw refusal() }
    let end = lineFeed()
    // The last byte before the line feed, or the last received byte, may be the CR.
    guard (end ?? bytes.count) - start - 1 <= limit else { throw refusal() }
    guard let end else { return nil }
    guard end > start, bytes[end - 1] == .carriageReturn else {
      throw .malformed("A line ends with LF only; HTTP/1.1 requires CR LF (RFC 9112 §2.2).")
    }
    let line = bytes[start..<end - 1]
    start = end + 1
    searched = start
    return line
  }

  private mutating func lineFeed() -> Int? {
    let place = bytes.withUnsafeBytes { buffer -> Int? in
      guard searched < buffer.count, let base = buffer.baseAddress,
        let found = memchr(base + searched, CInt(UInt8.lineFeed), buffer.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
    searched = place ?? bytes.count
    return place
  }

  /// Moves bytes to a body.
  ///
  /// - Returns: The number of bytes moved.
  mutating func move(upTo count: Int, to body: inout Data) -> Int {
    let end = start + min(count, bytes.count - start)
    defer {
      start = end
      searched = max(searched, end)
    }
    bytes.withUnsafeBytes { body.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    return end - start
  }
}
