/// A hash that is equal for requests with the same method and path.
///
/// It is FNV-1a of the method and of the path segments, each preceded by a slash. Segments that may contain a secret
/// (at least twenty bytes long, or with a placeholder) or have several spellings (with an escape, or a character that
/// requires one) are ignored, and so are the query, the fragment and everything before the path.
enum RequestHash {
  /// Returns the hash of a method and a URL in UTF-8.
  static func value(method: UnsafeRawBufferPointer, url: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in method { add(byte, to: &hash) }
    let end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count
    var position = startOfPath(url, end)
    while position < end {
      guard url[position] != UInt8(ascii: "/") else {
        position += 1
        continue
      }
      let start = position
      while position < end, url[position] != UInt8(ascii: "/") { position += 1 }
      add(UInt8(ascii: "/"), to: &hash)
      if position - start < 20, url[start..<position].allSatisfy(RequestTarget.stays),
        !holdsPlaceholder(url, start..<position)
      {
        for byte in url[start..<position] { add(byte, to: &hash) }
      }
    }
    return hash
  }

  private static func add(_ byte: UInt8, to hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Returns the position after the scheme and the authority, if any.
  private static func startOfPath(_ url: UnsafeRawBufferPointer, _ end: Int) -> Int {
    var position = 0
    while position + 3 <= end {
      if url[position] == UInt8(ascii: ":"), url[position + 1] == UInt8(ascii: "/"),
        url[position + 2] == UInt8(ascii: "/")
      {
        return url[(position + 3)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
      }
      position += 1
    }
    return 0
  }

  private static func holdsPlaceholder(_ url: UnsafeRawBufferPointer, _ segment: Range<Int>) -> Bool {
    let stem = Redactor.stem.utf8
    guard segment.count >= stem.count else { return false }
    return (segment.lowerBound...segment.upperBound - stem.count).contains { url[$0...].starts(with: stem) }
  }
}
