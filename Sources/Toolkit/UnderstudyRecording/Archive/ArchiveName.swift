/// A name of up to 24 bytes in three words, which compare faster than bytes.
struct ArchiveName: Sendable, Equatable {
  static let longest = 24

  private let words: (UInt64, UInt64, UInt64)
  private let count: Int

  /// Creates a name that is known to be short enough.
  ///
  /// A longer name is truncated, but its length still differs.
  init(_ name: String) {
    let bytes = Array(name.utf8)
    let words = bytes.withUnsafeBytes { bytes in
      [0, 8, 16].map { $0 < bytes.count ? Self.word(bytes, from: $0, to: bytes.count) : 0 }
    }
    self.words = (words[0], words[1], words[2])
    count = bytes.count
  }

  /// Creates a name from bytes; `nil` if it is longer than every name of HAR 1.2.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
    count = end - start
    guard count <= Self.longest else { return nil }
    words = (
      Self.word(bytes, from: start, to: end),
      count > 8 ? Self.word(bytes, from: start + 8, to: end) : 0,
      count > 16 ? Self.word(bytes, from: start + 16, to: end) : 0
    )
  }

  /// Reads up to eight bytes.
  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> UInt64 {
    let count = end - start
    if start + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      return count >= 8 ? word : word & ~(~0 << UInt64(truncatingIfNeeded: 8 * count))
    }
    return bytes[start..<min(end, start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  @inline(__always)
  static func == (one: Self, other: Self) -> Bool {
    one.words.0 == other.words.0 && one.count == other.count && one.words.1 == other.words.1
      && one.words.2 == other.words.2
  }
}
