/// Aggregates of any type, of texts and of booleans (PostgreSQL documentation, 9.21). Those of numbers are in
/// `NumericAggregates.swift`, and those of JSON with the functions that build JSON.
extension Function {
  static let aggregates: [Function] = generalAggregates + logicalAggregates + orderedSets

  private static func aggregate(
    _ name: String, _ parameters: [DataType], returns result: DataType,
    _ make: @escaping @Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate
  ) -> Function {
    Function(name, parameters, returns: result, isStrict: false, .aggregate(make))
  }

  private static let generalAggregates: [Function] = [
    aggregate("count", [], returns: .bigint) { _ in Count() },
    aggregate("count", [.any], returns: .bigint) { _ in Count() },
    aggregate("min", [.anyelement], returns: .anyelement) { types in Extreme(sign: -1, type: types[0].type) },
    aggregate("max", [.anyelement], returns: .anyelement) { types in Extreme(sign: 1, type: types[0].type) },
    aggregate("array_agg", [.anyelement], returns: .anyarray) { _ in ElementCollection() },
    aggregate("array_agg", [.anyarray], returns: .anyarray) { _ in ArrayCollection() },
    aggregate("string_agg", [.text, .text], returns: .text) { _ in TextJoin() },
    aggregate("string_agg", [.bytea, .bytea], returns: .bytea) { _ in ByteJoin() },
  ]

  private struct Count: Aggregate {
    var count: Int64 = 0

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      if a.first?.isNull != true { count += 1 }
    }

    func result(_ context: any FunctionContext) -> Value { .integer(count) }
  }

  private struct Extreme: CollatedAggregate {
    let sign: Int
    let type: DataType
    var collation: Collation?
    /// Made with the first row.
    var comparator: Comparator?
    var best = Value.null

    init(sign: Int, type: DataType) {
      self.sign = sign
      self.type = type
    }

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      if a[0].isNull { return }
      let comparator = self.comparator ?? Comparator(type, collation: collation ?? context.collation)
      self.comparator = comparator
      if best.isNull || comparator.compare(a[0], best) * sign > 0 { best = a[0] }
    }

    func result(_ context: any FunctionContext) -> Value { best }
  }

  private struct ElementCollection: Aggregate {
    var elements: [Value] = []

    mutating func add(_ a: [Value], _ context: any FunctionContext) { elements.append(a[0]) }

    func result(_ context: any FunctionContext) -> Value {
      elements.isEmpty ? .null : .array(ArrayValue(elements))
    }
  }

  /// Arrays of equal dimensions become one with a dimension more.
  private struct ArrayCollection: Aggregate {
    var dimensions: [ArrayValue.Dimension] = []
    var elements: [Value] = []
    var count = 0

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      guard case .array(let array) = a[0] else {
        throw PostgreSQLError("22004", "cannot accumulate null arrays")
      }
      if count == 0 {
        if array.dimensions.isEmpty { throw PostgreSQLError("2202E", "cannot accumulate empty arrays") }
        dimensions = array.dimensions
      } else if dimensions != array.dimensions {
        throw PostgreSQLError("2202E", "cannot accumulate arrays of different dimensionality")
      }
      count += 1
      elements += array.elements
    }

    func result(_ context: any FunctionContext) -> Value {
      count == 0
        ? .null
        : .array(
          ArrayValue(dimensions: [ArrayValue.Dimension(count: count)] + dimensions, elements: elements))
    }
  }

  private struct TextJoin: Aggregate {
    var text: String?

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      guard case .text(let next) = a[0] else { return }
      if text == nil {
        text = next
      } else {
        if case .text(let separator) = a[1] { text? += separator }
        text? += next
      }
    }

    func result(_ context: any FunctionContext) -> Value { Value(text) }
  }

  private struct ByteJoin: Aggregate {
    var bytes: [UInt8]?

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      guard case .bytes(let next) = a[0] else { return }
      if bytes == nil {
        bytes = next
      } else {
        if case .bytes(let separator) = a[1] { bytes? += separator }
        bytes? += next
      }
    }

    func result(_ context: any FunctionContext) -> Value { bytes.map { .bytes($0) } ?? .null }
  }

  // MARK: Booleans and bits

  private static let logicalAggregates: [Function] =
    [
      aggregate("bool_and", [.boolean], returns: .boolean) { _ in
        Combination { .boolean([$0].boolean(0) && [$1].boolean(0)) }
      },
      aggregate("every", [.boolean], returns: .boolean) { _ in
        Combination { .boolean([$0].boolean(0) && [$1].boolean(0)) }
      },
      aggregate("bool_or", [.boolean], returns: .boolean) { _ in
        Combination { .boolean([$0].boolean(0) || [$1].boolean(0)) }
      },
    ]
    + [DataType.smallint, .integer, .bigint].flatMap { type -> [Function] in
      [
        aggregate("bit_and", [type], returns: type) { _ in
          Combination { Value([$0].integer(0) & [$1].integer(0)) }
        },
        aggregate("bit_or", [type], returns: type) { _ in
          Combination { Value([$0].integer(0) | [$1].integer(0)) }
        },
        aggregate("bit_xor", [type], returns: type) { _ in
          Combination { Value([$0].integer(0) ^ [$1].integer(0)) }
        },
      ]
    }

  /// An aggregate of a function of two values that are not null.
  private struct Combination: Aggregate {
    let combine: @Sendable (Value, Value) -> Value
    var value = Value.null

    init(_ combine: @escaping @Sendable (Value, Value) -> Value) { self.combine = combine }

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      if a[0].isNull { return }
      value = value.isNull ? a[0] : combine(value, a[0])
    }

    func result(_ context: any FunctionContext) -> Value { value }
  }

  // MARK: Ordered sets

  private static let orderedSets: [Function] = [
    orderedSet("mode", [.anyelement], returns: .anyelement) { types in
      Mode(comparator: Comparator(types[0].type))
    },
    orderedSet("percentile_disc", [.double, .anyelement], returns: .anyelement) { _ in
      Percentile(isContinuous: false)
    },
    orderedSet("percentile_disc", [.array(.double), .anyelement], returns: .anyarray) { _ in
      Percentile(isContinuous: false)
    },
    orderedSet("percentile_cont", [.double, .double], returns: .double) { _ in Percentile(isContinuous: true)
    },
    orderedSet("percentile_cont", [.array(.double), .double], returns: .array(.double)) { _ in
      Percentile(isContinuous: true)
    },
  ]

  private static func orderedSet(
    _ name: String, _ parameters: [DataType], returns result: DataType,
    _ make: @escaping @Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate
  ) -> Function {
    Function(name, parameters, returns: result, isStrict: false, .orderedSet(make))
  }

  private struct Mode: Aggregate {
    let comparator: Comparator
    var best = Value.null
    var bestCount = 0
    var current = Value.null
    var count = 0

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      if a[0].isNull { return }
      if current.isNull || !comparator.isSame(current, a[0]) { (current, count) = (a[0], 0) }
      count += 1
      if count > bestCount { (best, bestCount) = (current, count) }
    }

    func result(_ context: any FunctionContext) -> Value { best }
  }

  private struct Percentile: Aggregate {
    let isContinuous: Bool
    var fraction = Value.null
    var values: [Value] = []

    init(isContinuous: Bool) { self.isContinuous = isContinuous }

    mutating func add(_ a: [Value], _ context: any FunctionContext) {
      fraction = a[0]
      if !a[1].isNull { values.append(a[1]) }
    }

    func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value {
      guard case .array(var array) = fraction else { return try value(at: fraction) }
      for index in array.elements.indices { array.elements[index] = try value(at: array.elements[index]) }
      return .array(array)
    }

    private func value(at fraction: Value) throws(PostgreSQLError) -> Value {
      guard case .double(let fraction) = fraction else { return .null }
      guard (0...1).contains(fraction) else {
        throw PostgreSQLError(
          "22003", "percentile value \(DecimalNotation.text(fraction)) is not between 0 and 1")
      }
      if values.isEmpty { return .null }
      if !isContinuous {
        return values[max(0, Int((fraction * Double(values.count)).rounded(.up)) - 1)]
      }
      let place = fraction * Double(values.count - 1)
      let first = Int(place.rounded(.down))
      guard case .double(let low) = values[first], place > Double(first),
        case .double(let high) = values[first + 1]
      else { return values[first] }
      return .double(low + (place - Double(first)) * (high - low))
    }
  }
}
