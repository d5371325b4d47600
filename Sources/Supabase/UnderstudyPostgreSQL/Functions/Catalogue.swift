/// The functions that PostgreSQL has, by name.
///
/// Each topic contributes a list.
package enum Functions {
  private static let lists: [[Function]] = [
    numbers,
    dates,
    templates,
    enumerations,
    session,
    catalogue,
    Function.json,
    Function.jsonBuilding,
    Function.jsonRecords,
    Function.jsonPaths,
    Function.strings,
    Function.patterns,
    Function.formatting,
    Function.encodings,
    Function.digests,
    Function.passwords,
    Function.textSearch,
    Function.arrays,
    Function.ranges,
    Function.aggregates,
    Function.numericAggregates,
    Function.series,
    Function.windows,
    Function.nullCounts,
    Function.trigrams,
    Function.accents,
    Function.vectors,
    Function.refused,
  ]

  package static let all: [String: [Function]] = Dictionary(grouping: lists.joined(), by: \.name)

  package static func named(_ name: String) -> [Function] { all[name] ?? [] }
}

/// The operators that PostgreSQL has, by name.
package enum Operators {
  private static let lists: [[Operator]] = [
    numbers,
    dates,
    comparisons,
    Operator.json,
    Operator.strings,
    Operator.patterns,
    Operator.textSearch,
    Operator.arrays,
    Operator.ranges,
    Operator.trigrams,
    Operator.vectors,
    Operator.jsonPaths,
  ]

  package static let all: [String: [Operator]] = Dictionary(grouping: lists.joined(), by: \.name)
}

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
