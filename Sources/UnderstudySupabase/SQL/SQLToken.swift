/// The smallest part of SQL that has a meaning (PostgreSQL, "Lexical Structure").
struct SQLToken: Sendable {
  enum Kind: Hashable, Sendable {
    /// A key word, or a name without quotes, in lower case.
    case word(String)
    /// A name in double quotes.
    case name(String)
    /// An unsigned number, as it is written.
    case number(String)
    /// A string of any notation, without its quotes.
    case string(String)
    /// An operator, or a mark of punctuation.
    case symbol(String)
    case end
  }

  let kind: Kind
  let location: SQLLocation

  /// As it is shown in a message.
  var description: String {
    switch kind {
    case .word(let text): text.uppercased()
    case .name(let text): "\"\(text)\""
    case .number(let text): text
    case .string(let text): "'\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
    case .symbol(let text): "\"\(text)\""
    case .end: "the end"
    }
  }
}
