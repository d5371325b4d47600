/// Functions and operators of PostgreSQL that this engine knows by name only, so that a call is refused with a reason.
extension Function {
  static let refused: [Function] =
    ["exists", "match", "query_array", "query_first"].map { name in
      Function(
        "jsonb_path_\(name)", [.jsonb, .text, .jsonb, .boolean], optional: 2, returns: .jsonb,
        refusal("The language of JSON paths", instead: jsonPathAlternative))
    } + [
      Function(
        "jsonb_path_query", [.jsonb, .text, .jsonb, .boolean], optional: 2, returns: .jsonb,
        columns: [Column("jsonb_path_query", .jsonb)],
        .rows { _, _ throws(PostgreSQLError) in
          throw PostgreSQLError.notSupported("The language of JSON paths", instead: jsonPathAlternative)
        }),
      Function("ts_headline", [.text], variadic: .any, returns: .text, refusal("ts_headline")),
      Function(
        "ts_rank_cd", [.any], variadic: .any, returns: .real, refusal("ts_rank_cd", instead: "Use ts_rank.")),
    ]

  fileprivate static let jsonPathAlternative = "Use the operators ->, #>, @> and ?, or jsonb_array_elements."

  fileprivate static func refusal(_ what: String, instead: String? = nil) -> Body {
    .scalar { _, _ throws(PostgreSQLError) in throw PostgreSQLError.notSupported(what, instead: instead) }
  }
}

extension Operator {
  static let refused: [Operator] = ["@?", "@@"].map { name in
    Operator(
      .jsonb, name, .text, returns: .boolean,
      Function.refusal("The language of JSON paths", instead: Function.jsonPathAlternative))
  }
}
