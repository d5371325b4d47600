/// Functions of PostgreSQL that this engine knows by name only, so that a call is refused with a reason.
extension Function {
  static let refused: [Function] = [
    Function("ts_headline", [.text], variadic: .any, returns: .text, refusal("ts_headline")),
    Function(
      "ts_rank_cd", [.any], variadic: .any, returns: .real, refusal("ts_rank_cd", instead: "Use ts_rank.")),
  ]

  private static func refusal(_ what: String, instead: String? = nil) -> Body {
    .scalar { _, _ throws(PostgreSQLError) in throw PostgreSQLError.notSupported(what, instead: instead) }
  }
}
