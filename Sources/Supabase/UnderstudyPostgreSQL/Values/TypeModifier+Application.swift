extension TypeModifier {
  /// Adapts a value to a column: shortens or refuses a text that is too long, rounds numbers and times.
  ///
  /// - Parameter isExplicit: Whether a cast asks for it, which shortens texts without an error.
  package func apply(
    to value: Value, _ type: DataType, isExplicit: Bool
  ) throws(PostgreSQLError) -> Value {
    if case .array(let element) = type, case .array(var array) = value {
      for index in array.elements.indices {
        array.elements[index] = try apply(to: array.elements[index], element, isExplicit: isExplicit)
      }
      return .array(array)
    }
    switch (self, value) {
    case (_, .null): return value
    case (.length(let dimensions), .text(let text)) where type == .vector:
      try EmbeddingVector.check(text, dimensions: dimensions)
      return value
    case (.length(let length), .text(let text)):
      return .text(try fit(text, length, isPadded: type == .bpchar, isExplicit: isExplicit))
    case (.precision(let precision, let scale), .numeric(let number)):
      return .numeric(try number.rounded(precision: precision, scale: scale))
    case (.fraction(let fraction), .time(let time)):
      return .time(DateTimeInput.rounded(time, fraction: fraction))
    case (.fraction(let fraction), .timetz(let time, let offset)):
      return .timetz(DateTimeInput.rounded(time, fraction: fraction), offset: offset)
    case (.fraction(let fraction), .timestamp(let time)):
      return .timestamp(DateTimeInput.rounded(time, fraction: fraction))
    case (.fraction(let fraction), .interval(var interval)):
      interval.microseconds = DateTimeInput.rounded(interval.microseconds, fraction: fraction)
      return .interval(interval)
    case (.interval(let fields, let fraction), .interval(let interval)):
      return .interval(fields.restrict(interval, fraction: fraction))
    default: return value
    }
  }

  private func fit(
    _ text: String, _ length: Int, isPadded: Bool, isExplicit: Bool
  ) throws(PostgreSQLError) -> String {
    let count = text.utf8.count <= length && !isPadded ? 0 : text.unicodeScalars.count
    if count <= length {
      return isPadded ? text + String(repeating: " ", count: length - count) : text
    }
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: length)
    // Spaces beyond the length are dropped without an error.
    guard isExplicit || scalars[end...].allSatisfy({ $0 == " " }) else {
      throw PostgreSQLError(
        "22001", "value too long for type character\(isPadded ? "" : " varying")(\(length))")
    }
    return String(scalars[..<end])
  }
}
