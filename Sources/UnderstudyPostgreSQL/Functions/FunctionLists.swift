extension Function {
  /// All functions of JSON, texts, arrays, ranges and sets of rows, and the aggregates.
  static let collected: [Function] = [
    json, jsonBuilding, jsonRecords, strings, patterns, formatting, encodings, digests, arrays, ranges,
    aggregates,
    numericAggregates, series, windows, nullCounts,
  ].flatMap { $0 }
}

extension Operator {
  static let collected: [Operator] = [json, strings, patterns, arrays, ranges].flatMap { $0 }
}
