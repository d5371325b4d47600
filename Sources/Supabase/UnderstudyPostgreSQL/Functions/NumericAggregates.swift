/// Sums, averages and variances (PostgreSQL documentation, 9.21).
extension Function {
  static let numericAggregates: [Function] = sums + averages + deviations

  private static func aggregate(
    _ name: String, _ type: DataType, returns result: DataType,
    _ make: @escaping @Sendable () -> any Aggregate
  ) -> Function {
    Function(name, [type], returns: result, isStrict: false, .aggregate { _ in make() })
  }

  private static let sums: [Function] = [
    aggregate("sum", .smallint, returns: .bigint) { ExactSum(result: .integer) },
    aggregate("sum", .integer, returns: .bigint) { ExactSum(result: .integer) },
    aggregate("sum", .bigint, returns: .numeric) { ExactSum(result: .numeric) },
    aggregate("sum", .numeric, returns: .numeric) { ExactSum(result: .numeric) },
    aggregate("sum", .real, returns: .real) { FloatingSum(isReal: true) },
    aggregate("sum", .double, returns: .double) { FloatingSum(isReal: false) },
    aggregate("sum", .interval, returns: .interval) { IntervalSum(isAverage: false) },
  ]

  private static let averages: [Function] = [
    aggregate("avg", .smallint, returns: .numeric) { ExactSum(result: .average) },
    aggregate("avg", .integer, returns: .numeric) { ExactSum(result: .average) },
    aggregate("avg", .bigint, returns: .numeric) { ExactSum(result: .average) },
    aggregate("avg", .numeric, returns: .numeric) { ExactSum(result: .average) },
    aggregate("avg", .real, returns: .double) { FloatingVariance(result: .average) },
    aggregate("avg", .double, returns: .double) { FloatingVariance(result: .average) },
    aggregate("avg", .interval, returns: .interval) { IntervalSum(isAverage: true) },
  ]

  /// What a variance is of, and whether its root is returned.
  private enum Deviation { case average, variance(isSample: Bool, isRoot: Bool) }

  private static let deviations: [Function] = [
    ("var_pop", false, false), ("var_samp", true, false), ("variance", true, false),
    ("stddev_pop", false, true),
    ("stddev_samp", true, true), ("stddev", true, true),
  ].flatMap { (name: String, isSample: Bool, isRoot: Bool) -> [Function] in
    [DataType.smallint, .integer, .bigint, .numeric].map { type in
      aggregate(name, type, returns: .numeric) { ExactVariance(isSample: isSample, isRoot: isRoot) }
    }
      + [DataType.real, .double].map { type in
        aggregate(name, type, returns: .double) {
          FloatingVariance(result: .variance(isSample: isSample, isRoot: isRoot))
        }
      }
  }

  // MARK: Exact numbers

  /// A sum of integers or of decimal numbers, whose integers are added as such as long as they fit.
  private struct ExactSum: Aggregate {
    enum Result { case integer, numeric, average }

    let result: Result
    var count = 0
    var small: Int64 = 0
    var large: Numeric?

    init(result: Result) { self.result = result }

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      switch a[0] {
      case .integer(let integer):
        let (sum, overflow) = small.addingReportingOverflow(integer)
        if overflow {
          large = try (large ?? Numeric(0)) + Numeric(small)
          small = integer
        } else {
          small = sum
        }
      case .numeric(let number):
        large = try large.map { old throws(PostgreSQLError) in try old + number } ?? number
      default: return
      }
      count += 1
    }

    func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value {
      if count == 0 { return .null }
      switch result {
      case .integer:
        guard large == nil else { throw PostgreSQLError("22003", "bigint out of range") }
        return .integer(small)
      case .numeric: return .numeric(try total)
      case .average: return .numeric(try total / Numeric(count))
      }
    }

    private var total: Numeric {
      get throws(PostgreSQLError) {
        guard let large else { return Numeric(small) }
        return small == 0 ? large : try large + Numeric(small)
      }
    }
  }

  /// The variance of exact numbers (`numeric_stddev_internal`).
  private struct ExactVariance: Aggregate {
    let isSample: Bool
    let isRoot: Bool
    var count = 0
    var sum = Numeric(0)
    var squares = Numeric(0)

    init(isSample: Bool, isRoot: Bool) {
      self.isSample = isSample
      self.isRoot = isRoot
    }

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      let number: Numeric
      switch a[0] {
      case .integer(let integer): number = Numeric(integer)
      case .numeric(let own): number = own
      default: return
      }
      count += 1
      sum = try sum + number
      squares = try squares + (try number * number)
    }

    func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value {
      if count < (isSample ? 2 : 1) { return .null }
      switch sum {
      case .finite: break
      default: return .numeric(.notANumber)
      }
      let difference = try (try Numeric(count) * squares) - (try sum * sum)
      guard difference.signum > 0 else { return .numeric(Numeric(0)) }
      let variance = try difference / (try Numeric(count) * Numeric(isSample ? count - 1 : count))
      guard isRoot, case .finite(let finite) = variance else { return .numeric(variance) }
      return .numeric(.finite(finite.squareRoot(scale: finite.scale)))
    }
  }

  // MARK: Floating-point numbers

  private struct FloatingSum: Aggregate {
    let isReal: Bool
    var sum: Double?

    init(isReal: Bool) { self.isReal = isReal }

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      guard case .double(let number) = a[0] else { return }
      let old = sum ?? 0
      let new = isReal ? Double(Float(old) + Float(number)) : old + number
      if new.isInfinite, old.isFinite, number.isFinite {
        throw PostgreSQLError("22003", "value out of range: overflow")
      }
      sum = sum == nil ? number : new
    }

    func result(_ context: any FunctionContext) -> Value { sum.map { .double($0) } ?? .null }
  }

  /// The sums of Youngs and Cramer, as in PostgreSQL's `float8_accum`.
  private struct FloatingVariance: Aggregate {
    let result: Deviation
    var count = 0.0
    var sum = 0.0
    var squares = 0.0

    init(result: Deviation) { self.result = result }

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      guard case .double(let number) = a[0] else { return }
      let isFinite = sum.isFinite
      count += 1
      sum += number
      if count > 1 {
        let difference = number * count - sum
        squares += difference * difference / (count * (count - 1))
        if sum.isInfinite || squares.isInfinite {
          if isFinite, number.isFinite { throw PostgreSQLError("22003", "value out of range: overflow") }
          squares = .nan
        }
      } else if !number.isFinite {
        squares = .nan
      }
    }

    func result(_ context: any FunctionContext) -> Value {
      switch result {
      case .average: return count == 0 ? .null : .double(sum / count)
      case .variance(let isSample, let isRoot):
        if count < (isSample ? 2 : 1) { return .null }
        let variance = squares / (isSample ? count - 1 : count)
        return .double(isRoot ? variance.squareRoot() : variance)
      }
    }
  }

  // MARK: Intervals

  private struct IntervalSum: Aggregate {
    let isAverage: Bool
    var count: Int64 = 0
    var sum = Interval()

    init(isAverage: Bool) { self.isAverage = isAverage }

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      guard case .interval(let interval) = a[0] else { return }
      count += 1
      sum = try sum + interval
    }

    func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value {
      if count == 0 { return .null }
      return .interval(isAverage ? try sum / Double(count) : sum)
    }
  }
}
