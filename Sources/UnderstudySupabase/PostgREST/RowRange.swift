import UnderstudyHTTP

/// The rows that a request asks for by their numbers, from its query string and its `Range` field.
struct RowRange {
  let offset: Int
  let limit: Int?

  /// - Throws: PGRST103.
  init(_ parameters: QueryParameters, _ field: String?) throws(PostgRESTError) {
    var lower = parameters.offset
    var upper = parameters.limit.map { lower.addingReportingOverflow($0) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    if let field {
      let numbers =
        field.split(separator: "=").last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
      if numbers.count == 2, let first = Int(numbers[0]), first >= 0 {
        lower = max(lower, first)
        if let last = Int(numbers[1]) {
          guard first <= last else {
            throw .rangeNotSatisfiable(
              "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
          }
          let end = last == .max ? last : last + 1
          upper = min(upper ?? end, end)
        }
      }
    }
    offset = lower
    limit = upper.map { max(0, $0 - lower) }
  }

  /// The value of `Content-Range`: `0-9/*`, or `*` where there are no rows.
  static func contentRange(offset: Int, rows: Int, total: Int?) -> String {
    let range = rows > 0 && total != 0 ? "\(offset)-\(offset + rows - 1)" : "*"
    return range + "/" + (total.map(String.init) ?? "*")
  }

  /// 206 when there is more than was sent.
  static func status(rows: Int, total: Int?) -> Int {
    total.map { rows < $0 ? 206 : 200 } ?? 200
  }
}
