/// The order of text.
package enum Collation: Hashable, Sendable {
  /// `C`: by code points.
  case codePoints
  /// `en-US-x-icu`, the default of a Supabase project whose PostgreSQL is of version 17 (`initdb --locale-provider=icu`).
  case unicode
}

extension Collation {
  /// -1, 0 or 1.
  ///
  /// Only texts of the same bytes are equal, as in PostgreSQL's deterministic collations.
  package func compare(_ left: String, _ right: String) -> Int {
    switch self {
    case .codePoints: return Self.compareBytes(left, right)
    case .unicode:
      switch Self.compareASCII(left, right) {
      case 0?: return Self.compareBytes(left, right)
      case let order?: return order
      case nil: break
      }
      let order = RootCollation.compare(left, right)
      return order == 0 ? Self.compareBytes(left, right) : order
    }
  }

  /// The collation of a name of the system catalogue, of ICU or of the C library; nil for others, such as those that
  /// `CREATE COLLATION` defines, which is ignored.
  ///
  /// All languages have the order of English.
  init?(_ name: QualifiedName) {
    switch name.name {
    case "C", "POSIX", "C.UTF-8", "C.utf8", "ucs_basic": self = .codePoints
    case "unicode": self = .unicode
    case let other where other.hasSuffix("-x-icu") || other.hasPrefix("en_"): self = .unicode
    default: return nil
    }
  }

  private static func compareBytes(_ left: String, _ right: String) -> Int {
    left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }

  /// The first difference of letters without their case, or else of their case: small letters first.
  ///
  /// Nil if other characters than ASCII come before the first difference of letters.
  private static func compareASCII(_ left: String, _ right: String) -> Int? {
    var (first, second) = (left.utf8.makeIterator(), right.utf8.makeIterator())
    var caseOrder = 0
    while true {
      guard let one = next(&first), let two = next(&second) else { return nil }
      let (oneRank, twoRank) = (ranks[Int(one)], ranks[Int(two)])
      if oneRank != twoRank { return oneRank < twoRank ? -1 : 1 }
      if oneRank == 0 { return caseOrder }
      if caseOrder == 0, one != two { caseOrder = one > two ? -1 : 1 }
    }
  }

  /// The next byte that has a rank, 0 at the end, or nil of a byte that is not ASCII.
  private static func next(_ bytes: inout String.UTF8View.Iterator) -> UInt8? {
    while let byte = bytes.next() {
      if byte >= 0x80 { return nil }
      if ranks[Int(byte)] != 0 { return byte }
    }
    return 0
  }

  /// The primary weights of ASCII, in the order of the root collation (CLDR).
  ///
  /// Control characters have none.
  private static let ranks: [UInt8] = {
    let order = "\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    var ranks = [UInt8](repeating: 0, count: 128)
    for (index, byte) in order.utf8.enumerated() {
      ranks[Int(byte)] = UInt8(index + 1)
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { ranks[Int(byte) - 32] = UInt8(index + 1) }
    }
    return ranks
  }()
}
