/// Functions of arrays (PostgreSQL documentation, 9.19).
extension Function {
  static let arrays: [Function] = arrayMeasures + arrayBuilding + arraySearch + arrayRows

  // MARK: Measures

  private static let arrayMeasures: [Function] = [
    Function(
      "array_length", [.anyarray, .integer], returns: .integer,
      .scalar { a, _ in a.array(0).dimension(a.integer(1)).map { Value($0.count) } ?? .null }),
    Function(
      "array_lower", [.anyarray, .integer], returns: .integer,
      .scalar { a, _ in a.array(0).dimension(a.integer(1)).map { Value($0.lowerBound) } ?? .null }),
    Function(
      "array_upper", [.anyarray, .integer], returns: .integer,
      .scalar { a, _ in
        a.array(0).dimension(a.integer(1)).map { Value($0.lowerBound + $0.count - 1) } ?? .null
      }),
    Function(
      "array_ndims", [.anyarray], returns: .integer,
      .scalar { a, _ in
        let dimensions = a.array(0).dimensions
        return dimensions.isEmpty ? .null : Value(dimensions.count)
      }),
    Function(
      "array_dims", [.anyarray], returns: .text,
      .scalar { a, _ in
        let dimensions = a.array(0).dimensions
        if dimensions.isEmpty { return .null }
        return .text(dimensions.map { "[\($0.lowerBound):\($0.lowerBound + $0.count - 1)]" }.joined())
      }),
    Function(
      "cardinality", [.anyarray], returns: .integer, .scalar { a, _ in Value(a.array(0).elements.count) }),
  ]

  // MARK: Building

  private static let arrayBuilding: [Function] = [
    Function(
      "array_append", [.anyarray, .anyelement], returns: .anyarray, isStrict: false,
      .scalar { a, _ throws(PostgreSQLError) in
        .array(try (a[0].isNull ? ArrayValue([]) : a.array(0)).appending(a[1]))
      }),
    Function(
      "array_prepend", [.anyelement, .anyarray], returns: .anyarray, isStrict: false,
      .scalar { a, _ throws(PostgreSQLError) in
        .array(try (a[1].isNull ? ArrayValue([]) : a.array(1)).prepending(a[0]))
      }),
    Function("array_cat", [.anyarray, .anyarray], returns: .anyarray, isStrict: false, .scalar(concatenate)),
    Function(
      "array_fill", [.anyelement, .array(.integer), .array(.integer)], optional: 1, returns: .anyarray,
      isStrict: false, .scalar(fill)),
    Function(
      "trim_array", [.anyarray, .integer], returns: .anyarray,
      .scalar { a, _ throws(PostgreSQLError) in
        var array = a.array(0)
        let count = array.dimensions.first?.count ?? 0
        guard (0...count).contains(a.integer(1)) else {
          throw PostgreSQLError("2202E", "number of elements to trim must be between 0 and \(count)")
        }
        if a.integer(1) == count { return .array(ArrayValue([])) }
        array.elements.removeLast(a.integer(1) * (array.elements.count / count))
        array.dimensions[0].count -= a.integer(1)
        // A slice begins at 1.
        for index in array.dimensions.indices { array.dimensions[index].lowerBound = 1 }
        return .array(array)
      }),
  ]

  fileprivate static func concatenate(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    if a[0].isNull || a[1].isNull { return a[0].isNull ? a[1] : a[0] }
    return .array(try a.array(0).concatenated(with: a.array(1)))
  }

  private static func fill(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> Value {
    func integers(_ index: Int) throws(PostgreSQLError) -> [Int] {
      guard case .array(let array) = a[index] else {
        throw PostgreSQLError("22004", "dimension array or low bound array cannot be null")
      }
      if array.dimensions.count > 1 {
        throw PostgreSQLError(
          "2202E", "wrong number of array subscripts", detail: "Dimension array must be one dimensional.")
      }
      if array.elements.contains(.null) {
        throw PostgreSQLError("22004", "dimension values cannot be null")
      }
      return array.elements.indices.map { array.elements.integer($0) }
    }
    let counts = try integers(1)
    if counts.count > 6 {
      throw PostgreSQLError(
        "54000", "number of array dimensions (\(counts.count)) exceeds the maximum allowed (6)")
    }
    let bounds = a.count > 2 ? try integers(2) : counts.map { _ in 1 }
    if bounds.count != counts.count {
      throw PostgreSQLError(
        "2202E", "wrong number of array subscripts",
        detail: "Low bound array has different size than dimensions array.")
    }
    if counts.isEmpty || counts.contains(0) { return .array(ArrayValue([])) }
    var total = 1
    for count in counts {
      total = total.multipliedReportingOverflow(by: count).partialValue
      guard count > 0, (1...134_217_727).contains(total) else {
        throw PostgreSQLError("54000", "array size exceeds the maximum allowed (134217727)")
      }
    }
    return .array(
      ArrayValue(
        dimensions: zip(bounds, counts).map { ArrayValue.Dimension(lowerBound: $0, count: $1) },
        elements: Array(repeating: a[0], count: total)))
  }

  // MARK: Search

  private static let arraySearch: [Function] = [
    Function(
      "array_position", [.anyarray, .anyelement, .integer], optional: 1, returns: .integer, isStrict: false,
      .typed { types in
        let comparator = Comparator(elementsOf: types[0])
        return { a, _ throws(PostgreSQLError) in
          if a[0].isNull { return .null }
          let array = a.array(0)
          if array.elements.isEmpty { return .null }
          try array.requireOneDimension("searching for elements in multidimensional arrays is not supported")
          let lower = array.dimensions.first?.lowerBound ?? 1
          var start = 0
          if a.count > 2 {
            if a[2].isNull { throw PostgreSQLError("22004", "initial position must not be null") }
            start = max(0, a.integer(2) - lower)
          }
          let place = array.elements.dropFirst(start).firstIndex { comparator.isSame($0, a[1]) }
          return place.map { Value($0 + lower) } ?? .null
        }
      }),
    Function(
      "array_positions", [.anyarray, .anyelement], returns: .array(.integer), isStrict: false,
      .typed { types in
        let comparator = Comparator(elementsOf: types[0])
        return { a, _ throws(PostgreSQLError) in
          if a[0].isNull { return .null }
          let array = a.array(0)
          try array.requireOneDimension("searching for elements in multidimensional arrays is not supported")
          let lower = array.dimensions.first?.lowerBound ?? 1
          return .array(
            ArrayValue(
              array.elements.indices.filter { comparator.isSame(array.elements[$0], a[1]) }.map {
                Value($0 + lower)
              }))
        }
      }),
    Function(
      "array_remove", [.anyarray, .anyelement], returns: .anyarray, isStrict: false,
      .typed { types in
        let comparator = Comparator(elementsOf: types[0])
        return { a, _ throws(PostgreSQLError) in
          if a[0].isNull { return .null }
          var array = a.array(0)
          try array.requireOneDimension("removing elements from multidimensional arrays is not supported")
          array.elements.removeAll { comparator.isSame($0, a[1]) }
          if array.elements.isEmpty { return .array(ArrayValue([])) }
          array.dimensions[0].count = array.elements.count
          return .array(array)
        }
      }),
    Function(
      "array_replace", [.anyarray, .anyelement, .anyelement], returns: .anyarray, isStrict: false,
      .typed { types in
        let comparator = Comparator(elementsOf: types[0])
        return { a, _ in
          if a[0].isNull { return .null }
          var array = a.array(0)
          for index in array.elements.indices where comparator.isSame(array.elements[index], a[1]) {
            array.elements[index] = a[2]
          }
          return .array(array)
        }
      }),
  ]

  // MARK: Rows

  private static let arrayRows: [Function] = [
    Function(
      "unnest", [.anyarray], returns: .anyelement, columns: [Column("unnest", .anyelement)],
      .rows { a, _ in a.array(0).elements.map { [$0] } }),
    Function(
      "generate_subscripts", [.anyarray, .integer, .boolean], optional: 1, returns: .integer,
      columns: [Column("generate_subscripts", .integer)],
      .rows { a, _ in
        guard let dimension = a.array(0).dimension(a.integer(1)) else { return [] }
        let subscripts = (0..<dimension.count).map { [Value($0 + dimension.lowerBound)] }
        return a.count > 2 && a.boolean(2) ? subscripts.reversed() : subscripts
      }),
  ]
}

extension Comparator {
  /// The comparator of the elements of arrays.
  fileprivate init(elementsOf type: BoundType) {
    if case .array(let element) = type.type { self.init(element) } else { self.init(.text) }
  }

  /// Whether two values are equal, or both null.
  func isSame(_ left: Value, _ right: Value) -> Bool {
    left.isNull || right.isNull ? left.isNull && right.isNull : areEqual(left, right)
  }
}

extension ArrayValue {
  /// A dimension by its number from 1.
  fileprivate func dimension(_ number: Int) -> Dimension? {
    dimensions.indices.contains(number - 1) ? dimensions[number - 1] : nil
  }

  fileprivate func requireOneDimension(_ message: String) throws(PostgreSQLError) {
    if dimensions.count > 1 { throw PostgreSQLError("0A000", message) }
  }

  fileprivate func appending(_ value: Value) throws(PostgreSQLError) -> ArrayValue {
    if dimensions.count > 1 {
      throw PostgreSQLError("22000", "argument must be empty or one-dimensional array")
    }
    var array = self
    array.elements.append(value)
    if dimensions.isEmpty { return ArrayValue(array.elements) }
    array.dimensions[0].count += 1
    return array
  }

  fileprivate func prepending(_ value: Value) throws(PostgreSQLError) -> ArrayValue {
    var array = try appending(value)
    array.elements.removeLast()
    array.elements.insert(value, at: 0)
    return array
  }

  fileprivate func concatenated(with other: ArrayValue) throws(PostgreSQLError) -> ArrayValue {
    if dimensions.isEmpty { return other }
    if other.dimensions.isEmpty { return self }
    func incompatible(_ detail: String) -> PostgreSQLError {
      PostgreSQLError("2202E", "cannot concatenate incompatible arrays", detail: detail)
    }
    let (left, right) = (dimensions, other.dimensions)
    var result = left
    switch left.count - right.count {
    case 0:
      guard left.dropFirst() == right.dropFirst() else {
        throw incompatible("Arrays with differing element dimensions are not compatible for concatenation.")
      }
      result[0].count += right[0].count
    case 1:
      guard left.dropFirst() == right[...] else {
        throw incompatible("Arrays with differing dimensions are not compatible for concatenation.")
      }
      result[0].count += 1
    case -1:
      result = right
      guard right.dropFirst() == left[...] else {
        throw incompatible("Arrays with differing dimensions are not compatible for concatenation.")
      }
      result[0].count += 1
    default:
      throw incompatible(
        "Arrays of \(left.count) and \(right.count) dimensions are not compatible for concatenation.")
    }
    return ArrayValue(dimensions: result, elements: elements + other.elements)
  }

  /// Whether each element of the other occurs.
  ///
  /// Null is equal to nothing.
  fileprivate func contains(_ other: ArrayValue, _ comparator: Comparator) -> Bool {
    other.elements.allSatisfy { one in
      !one.isNull && elements.contains { comparator.isSame($0, one) }
    }
  }

  fileprivate func overlaps(_ other: ArrayValue, _ comparator: Comparator) -> Bool {
    elements.contains { one in
      !one.isNull && other.elements.contains { comparator.isSame($0, one) }
    }
  }
}

extension Operator {
  static let arrays: [Operator] = [
    Operator(.anyarray, "||", .anyarray, returns: .anyarray, isStrict: false, .scalar(Function.concatenate)),
    Operator(
      .anyarray, "||", .anyelement, returns: .anyarray, isStrict: false,
      .scalar { a, _ throws(PostgreSQLError) in
        .array(try (a[0].isNull ? ArrayValue([]) : a.array(0)).appending(a[1]))
      }),
    Operator(
      .anyelement, "||", .anyarray, returns: .anyarray, isStrict: false,
      .scalar { a, _ throws(PostgreSQLError) in
        .array(try (a[1].isNull ? ArrayValue([]) : a.array(1)).prepending(a[0]))
      }),
    test("@>") { $0.contains($1, $2) },
    test("<@") { $1.contains($0, $2) },
    test("&&") { $0.overlaps($1, $2) },
  ]

  private static func test(
    _ name: String, _ body: @escaping @Sendable (ArrayValue, ArrayValue, Comparator) -> Bool
  ) -> Operator {
    Operator(
      .anyarray, name, .anyarray, returns: .boolean,
      .typed { types in
        let comparator = Comparator(elementsOf: types[0])
        return { a, _ in .boolean(body(a.array(0), a.array(1), comparator)) }
      })
  }
}
