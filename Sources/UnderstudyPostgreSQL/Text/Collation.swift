/// The order of text.
package enum Collation: Hashable, Sendable {
  /// `C`: by code points.
  case codePoints
  /// `en-US-x-icu`, Supabase's default.
  case unicode
}

extension Collation {
  /// -1, 0 or 1.
  package func compare(_ left: String, _ right: String) -> Int {
    left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}
