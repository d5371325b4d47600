extension Operators {
  /// `=`, `<>`, `<`, `<=`, `>` and `>=` of two values of one type.
  ///
  /// Values of two types are compared after a cast.
  static let comparisons: [Operator] = {
    let types: [DataType] =
      [
        .boolean, .smallint, .integer, .bigint, .real, .double, .numeric, .text, .bpchar, .name, .citext,
        .bytea, .uuid,
        .date, .time, .timetz, .timestamp, .timestamptz, .interval, .jsonb, .inet, .tsvector, .tsquery, .oid,
        .anyarray,
        .anyenum, .anyrange, .record,
      ]
    let symbols: [(String, @Sendable (Int) -> Bool)] = [
      ("=", { $0 == 0 }), ("<>", { $0 != 0 }), ("<", { $0 < 0 }), ("<=", { $0 <= 0 }), (">", { $0 > 0 }),
      (">=", { $0 >= 0 }),
    ]
    return types.flatMap { type in
      symbols.map { symbol, holds in
        Operator(
          type, symbol, type, returns: .boolean,
          .scalar { arguments, context throws(PostgreSQLError) in
            let comparator = Comparator(type, collation: context.collation)
            return .boolean(holds(comparator.compare(arguments[0], arguments[1])))
          })
      }
    }
  }()
}
