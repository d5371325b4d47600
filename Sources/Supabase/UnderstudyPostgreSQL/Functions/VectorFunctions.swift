/// Distances between embeddings, as in the extension pgvector (its README, "Vector Operators" and "Vector Functions").
///
/// An index does not change a result here: every search is exact.
extension Function {
  static let vectors: [Function] =
    [
      Function("vector_dims", [.vector], returns: .integer, .scalar(vector { Value($0.elements.count) })),
      Function(
        "vector_norm", [.vector], returns: .double, .scalar(vector { .double(norm($0)) })),
      Function("l2_norm", [.vector], returns: .double, .scalar(vector { .double(norm($0)) })),
      Function(
        "l2_normalize", [.vector], returns: .vector,
        .scalar(
          vector { vector in
            let norm = norm(vector)
            return .text(
              EmbeddingVector(vector.elements.map { norm == 0 ? 0 : Float(Double($0) / norm) }).text)
          })),
      Function(
        "subvector", [.vector, .integer, .integer], returns: .vector,
        .scalar { a, _ throws(PostgreSQLError) in
          let elements = try EmbeddingVector(parsing: a.text(0)).elements
          let (first, count) = (a.integer(1), a.integer(2))
          // Positions outside the vector are left out.
          let last = min(elements.count, first &+ count &- 1)
          let part = count < 1 || last < max(first, 1) ? [] : Array(elements[max(first, 1) - 1..<last])
          let vector = EmbeddingVector(part)
          try vector.check()
          return .text(vector.text)
        }),
      Function(
        "sum", [.vector], returns: .vector, isStrict: false, .aggregate { _ in VectorSum(isAverage: false) }),
      Function(
        "avg", [.vector], returns: .vector, isStrict: false, .aggregate { _ in VectorSum(isAverage: true) }),
    ]
    + VectorDistance.allCases.flatMap { distance in
      distance.functions.map { name in
        Function(
          name, [.vector, .vector], returns: .double,
          .scalar(pair { .double(name == "inner_product" ? -distance.of($0, $1) : distance.of($0, $1)) }))
      }
    }

  private static func vector(
    _ body: @escaping @Sendable (EmbeddingVector) -> Value
  ) -> Scalar {
    { a, _ throws(PostgreSQLError) in body(try EmbeddingVector(parsing: a.text(0))) }
  }

  /// A function of two vectors of the same number of dimensions.
  fileprivate static func pair(
    _ body: @escaping @Sendable ([Float], [Float]) -> Value
  ) -> Scalar {
    { a, _ throws(PostgreSQLError) in
      let (left, right) = (try EmbeddingVector(parsing: a.text(0)), try EmbeddingVector(parsing: a.text(1)))
      let (count, other) = (left.elements.count, right.elements.count)
      guard count == other else {
        throw PostgreSQLError("22000", "different vector dimensions \(count) and \(other)")
      }
      return body(left.elements, right.elements)
    }
  }

  private static func norm(_ vector: EmbeddingVector) -> Double {
    vector.elements.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
  }
}

/// A distance, which the operator of its name orders by.
private enum VectorDistance: String, CaseIterable {
  case euclidean = "<->"
  case negativeInnerProduct = "<#>"
  case cosine = "<=>"
  case taxicab = "<+>"

  var functions: [String] {
    switch self {
    case .euclidean: ["l2_distance"]
    case .negativeInnerProduct: ["inner_product", "vector_negative_inner_product"]
    case .cosine: ["cosine_distance"]
    case .taxicab: ["l1_distance"]
    }
  }

  /// Sums are of `real`, as in pgvector.
  func of(_ left: [Float], _ right: [Float]) -> Double {
    var sum: Float = 0
    switch self {
    case .euclidean:
      for (a, b) in zip(left, right) { sum += (a - b) * (a - b) }
      return Double(sum).squareRoot()
    case .negativeInnerProduct:
      for (a, b) in zip(left, right) { sum += a * b }
      return -Double(sum)
    case .cosine:
      var (leftNorm, rightNorm): (Float, Float) = (0, 0)
      for (a, b) in zip(left, right) {
        sum += a * b
        leftNorm += a * a
        rightNorm += b * b
      }
      // Not a number if a vector has only zeros.
      let similarity = Double(sum) / (Double(leftNorm) * Double(rightNorm)).squareRoot()
      return 1 - (similarity > 1 ? 1 : similarity < -1 ? -1 : similarity)
    case .taxicab:
      for (a, b) in zip(left, right) { sum += abs(a - b) }
      return Double(sum)
    }
  }
}

extension Operator {
  static let vectors: [Operator] =
    VectorDistance.allCases.map { distance in
      Operator(
        .vector, distance.rawValue, .vector, returns: .double,
        .scalar(Function.pair { .double(distance.of($0, $1)) }))
    }
    + [
      arithmetic("+") { $0 + $1 }, arithmetic("-") { $0 - $1 }, arithmetic("*") { $0 * $1 },
      Operator(.vector, "=", .vector, returns: .boolean, .scalar { a, _ in .boolean(a[0] == a[1]) }),
      Operator(.vector, "<>", .vector, returns: .boolean, .scalar { a, _ in .boolean(a[0] != a[1]) }),
    ]

  /// Element by element.
  private static func arithmetic(
    _ symbol: String, _ body: @escaping @Sendable (Float, Float) -> Float
  ) -> Operator {
    Operator(
      .vector, symbol, .vector, returns: .vector,
      .scalar(Function.pair { .text(EmbeddingVector(zip($0, $1).map(body)).text) }))
  }
}

/// The sum or the average of vectors, element by element.
private struct VectorSum: Aggregate {
  let isAverage: Bool
  var count = 0
  var sums: [Double] = []

  mutating func add(_ arguments: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
    guard !arguments[0].isNull else { return }
    let elements = try EmbeddingVector(parsing: arguments.text(0)).elements
    if count == 0 { sums = elements.map { _ in 0 } }
    guard sums.count == elements.count else {
      throw PostgreSQLError("22000", "different vector dimensions \(sums.count) and \(elements.count)")
    }
    for index in sums.indices { sums[index] += Double(elements[index]) }
    count += 1
  }

  func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value {
    guard count > 0 else { return .null }
    let vector = EmbeddingVector(sums.map { Float(isAverage ? $0 / Double(count) : $0) })
    try vector.check()
    return .text(vector.text)
  }
}
