/// A value of `jsonb` (PostgreSQL documentation, 8.14).
package indirect enum JSONB: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Numeric)
  case string(String)
  case array([JSONB])
  /// Unique keys, in PostgreSQL's order: shorter ones first, then by bytes.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONB

    package init(_ key: String, _ value: JSONB) {
      self.key = key
      self.value = value
    }
  }
}
