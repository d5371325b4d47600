/// The requested range of rows, from the query string and the `Range` field (`RangeQuery.hs`).
struct RowRange {
  let offset: Int
  let limit: Int?

  /// - Parameters:
  ///   - requested: `limit` and `offset` of the query string.
  ///   - field: The field of a GET; one that is not two numbers, such as `items=0-9`, is ignored.
  /// - Throws: PGRST103.
  init(_ requested: RequestedRows, _ field: String?) throws(PostgRESTError) {
    var lower = requested.offset
    var upper = requested.limit.map { lower.addingReportingOverflow($0) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    if let field, let match = field.wholeMatch(of: /([0-9]+)-([0-9]*)/) {
      // A number that is too large for a row is past every row.
      lower = max(lower, Int(match.1) ?? .max)
      if !match.2.isEmpty {
        let (first, last) = (Int(match.1) ?? .max, Int(match.2) ?? .max)
        guard first <= last else {
          throw .rangeNotSatisfiable(
            "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
        }
        let end = last == .max ? last : last + 1
        upper = min(upper ?? end, end)
      }
    }
    // The only range without rows that is allowed is that of `limit=0`.
    if let upper, upper <= lower, requested.limit != 0 {
      throw .rangeNotSatisfiable("Limit should be greater than or equal to zero.")
    }
    offset = lower
    limit = upper.map { max(0, $0 - lower) }
  }

  /// Returns the value of `Content-Range`: `0-9/*`, or `*` without rows.
  static func contentRange(offset: Int, rows: Int, total: Int?) -> String {
    let range = rows > 0 && total != 0 ? "\(offset)-\(offset + rows - 1)" : "*"
    return range + "/" + (total.map(String.init) ?? "*")
  }

  /// Returns the status, which is 206 if the result has more rows than were sent.
  static func status(rows: Int, total: Int?) -> Int {
    total.map { rows < $0 ? 206 : 200 } ?? 200
  }

  /// - Throws: PGRST103 if the rows begin past the last one.
  func check(total: Int?) throws(PostgRESTError) {
    if let total, offset > total {
      throw .rangeNotSatisfiable("An offset of \(offset) was requested, but there are only \(total) rows.")
    }
  }
}
