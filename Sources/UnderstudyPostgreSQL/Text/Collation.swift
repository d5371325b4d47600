/// The order of text.
package enum Collation: Hashable, Sendable {
  /// `C`: by code points.
  case codePoints
  /// `en-US-x-icu`, Supabase's default.
  case unicode
}
