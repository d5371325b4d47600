/// A set of names compared without case, as bytes, optimized for names that are not in the set.
struct NameSet: Sendable {
  /// Whether `access_token`, `access-token` and `accessToken` are the same name.
  private let ignoresSeparators: Bool
  private let names: Set<[UInt8]>
  /// The first bytes of the names of each length, modulo 64; the last element is for all longer names.
  private var firstBytes = [UInt64](repeating: 0, count: 64)

  init(_ names: some Sequence<String>, ignoringSeparators: Bool) {
    ignoresSeparators = ignoringSeparators
    self.names = Set(names.map { name in name.utf8.compactMap { Self.folded($0, ignoringSeparators) } })
    for name in self.names {
      guard let first = name.first else { continue }
      firstBytes[min(name.count, 63)] |= 1 << UInt64(first & 63)
    }
  }

  func contains(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { contains($0, 0..<$0.count) }
  }

  func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    var length = 0
    var first: UInt8 = 0
    for index in range {
      guard let byte = Self.folded(bytes[index], ignoresSeparators) else { continue }
      if length == 0 { first = byte }
      length += 1
    }
    guard length > 0, firstBytes[min(length, 63)] & (1 << UInt64(first & 63)) != 0 else { return false }
    return names.contains(range.compactMap { Self.folded(bytes[$0], ignoresSeparators) })
  }

  /// The bytes with which a spelling of a name can begin, including separators and upper-case letters.
  var beginnings: Set<UInt8> {
    var beginnings: Set<UInt8> = ignoresSeparators ? [UInt8(ascii: "_"), UInt8(ascii: "-")] : []
    for first in names.compactMap(\.first) {
      beginnings.insert(first)
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) { beginnings.insert(first & 0xDF) }
    }
    return beginnings
  }

  @inline(__always)
  private static func folded(_ byte: UInt8, _ ignoresSeparators: Bool) -> UInt8? {
    if ignoresSeparators, byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return nil }
    return byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
