/// `generate_series` (PostgreSQL documentation, 9.25), window functions (9.22), and functions of any arguments.
extension Function {
  static let series: [Function] =
    [DataType.integer, .bigint].map { type in
      Function(
        "generate_series", [type, type, type], optional: 1, returns: type,
        columns: [Column("generate_series", type)],
        .rows { a, _ throws(PostgreSQLError) in
          let (end, step) = (Int64(a.integer(1)), Int64(a.count > 2 ? a.integer(2) : 1))
          if step == 0 { throw zeroStep }
          var rows: [[Value]] = []
          var value = Int64(a.integer(0))
          while step > 0 ? value <= end : value >= end {
            rows.append([.integer(value)])
            try checkLength(rows.count)
            let (next, overflow) = value.addingReportingOverflow(step)
            if overflow { break }
            value = next
          }
          return rows
        })
    } + [
      Function(
        "generate_series", [.numeric, .numeric, .numeric], optional: 1, returns: .numeric,
        columns: [Column("generate_series", .numeric)], .rows(numericSeries))
    ]
    + [DataType.timestamp, .timestamptz].map { type in
      Function(
        "generate_series", [type, type, .interval], returns: type, columns: [Column("generate_series", type)],
        type == .timestamptz ? .stable : .immutable,
        .rows { a, context throws(PostgreSQLError) in
          guard case .timestamp(var value) = a[0], case .timestamp(let end) = a[1],
            case .interval(let step) = a[2]
          else { return [] }
          let sign = step.compare(Interval())
          if sign == 0 { throw zeroStep }
          let zone = type == .timestamptz ? context.timeZone : nil
          var rows: [[Value]] = []
          while sign > 0 ? value <= end : value >= end {
            rows.append([.timestamp(value)])
            try checkLength(rows.count)
            value = try Moments.add(value, step, zone: zone)
          }
          return rows
        })
    }

  private static let zeroStep = PostgreSQLError("22023", "step size cannot equal zero")

  private static func checkLength(_ count: Int) throws(PostgreSQLError) {
    if count > 10_000_000 { throw PostgreSQLError.notSupported("a series of more than 10000000 values") }
  }

  private static func numericSeries(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> [[Value]] {
    for (index, name) in ["start", "stop", "step size"].enumerated() where index < a.count {
      switch a.numeric(index) {
      case .finite: break
      case .notANumber:
        throw PostgreSQLError("22023", "\(name)\(index < 2 ? " value" : "") cannot be NaN")
      case .infinity:
        throw PostgreSQLError("22023", "\(name)\(index < 2 ? " value" : "") cannot be infinity")
      }
    }
    let (end, step) = (a.numeric(1), a.count > 2 ? a.numeric(2) : Numeric(1))
    if step.isZero { throw zeroStep }
    var rows: [[Value]] = []
    var value = a.numeric(0)
    while step.signum > 0 ? !(end < value) : !(value < end) {
      rows.append([.numeric(value)])
      try checkLength(rows.count)
      value = try value + step
    }
    return rows
  }

  static let windows: [Function] =
    [
      ("row_number", DataType.bigint), ("rank", .bigint), ("dense_rank", .bigint), ("percent_rank", .double),
      ("cume_dist", .double),
    ].map { Function($0.0, [], returns: $0.1, isStrict: false, .window) }
    + [
      Function("ntile", [.integer], returns: .integer, isStrict: false, .window),
      Function(
        "lag", [.anyelement, .integer, .anyelement], optional: 2, returns: .anyelement, isStrict: false,
        .window),
      Function(
        "lead", [.anyelement, .integer, .anyelement], optional: 2, returns: .anyelement, isStrict: false,
        .window),
      Function("first_value", [.anyelement], returns: .anyelement, isStrict: false, .window),
      Function("last_value", [.anyelement], returns: .anyelement, isStrict: false, .window),
      Function("nth_value", [.anyelement, .integer], returns: .anyelement, isStrict: false, .window),
    ]

  static let nullCounts: [Function] = [
    Function(
      "num_nulls", [.any], variadic: .any, returns: .integer, isStrict: false,
      .scalar { a, _ in Value(a.count { $0.isNull }) }),
    Function(
      "num_nonnulls", [.any], variadic: .any, returns: .integer, isStrict: false,
      .scalar { a, _ in Value(a.count { !$0.isNull }) }),
  ]
}
