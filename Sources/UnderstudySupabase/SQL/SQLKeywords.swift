/// The key words that are no names, or not everywhere (PostgreSQL, appendix C).
enum SQLKeywords {
  static let reserved: Set<String> = words(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
    current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc
    distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral
    leading limit localtime localtimestamp not null offset on only or order placing primary references returning select
    session_user some symmetric table then to trailing true union unique user using variadic when where window with
    """)

  /// Those that can name a function or a type, but no column.
  private static let functionsOrTypes: Set<String> = words(
    """
    authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left like
    natural notnull outer overlaps right similar tablesample verbose
    """)

  /// Those that can name a column, but no function.
  private static let columns: Set<String> = words(
    """
    between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int
    integer interval least national nchar none normalize nullif numeric out overlay position precision real row setof
    smallint substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest
    xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Whether a word is no name of a column or a table.
  static func isReserved(_ word: String) -> Bool {
    reserved.contains(word) || functionsOrTypes.contains(word)
  }

  /// A name as PostgreSQL prints it, in quotes where it needs them (`quote_identifier`).
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 0x5F }
      && name.utf8.first.map { !(48...57).contains($0) } ?? false
    return isPlain && !isReserved(name) && !columns.contains(name)
      ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
