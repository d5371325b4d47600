/// The regular expressions that a session used last, compiled.
///
/// Most statements match one pattern against many rows.
package final class PatternCache {
  /// As many as PostgreSQL keeps (regexp.c, `MAX_CACHED_RES`).
  private static let limit = 32

  private var entries: [Entry] = []

  private struct Entry {
    let pattern: String
    let options: PatternOptions
    let expression: RegularExpression

    /// Texts are compared by their bytes, because equivalent characters are different ones to an expression.
    func isOf(_ pattern: String, _ options: PatternOptions) -> Bool {
      self.options == options && self.pattern.utf8.elementsEqual(pattern.utf8)
    }
  }

  package init() {}

  func pattern(
    _ pattern: String, _ options: PatternOptions = PatternOptions()
  ) throws(PostgreSQLError) -> RegularExpression {
    if let index = entries.firstIndex(where: { $0.isOf(pattern, options) }) {
      // The first is found at once, so the one that is in use moves there.
      if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
      return entries[0].expression
    }
    let expression = try RegularExpression(pattern, options)
    if entries.count == Self.limit { entries.removeLast() }
    entries.insert(Entry(pattern: pattern, options: options, expression: expression), at: 0)
    return expression
  }
}
