/// Access to the arguments of a function by the types that it declares. The statement that calls a function has checked
/// the types and, for strict functions, that no argument is null.
extension [Value] {
  func text(_ index: Int) -> String {
    guard case .text(let text) = self[index] else { Value.mismatch("text", self[index]) }
    return text
  }

  func integer(_ index: Int) -> Int {
    guard case .integer(let integer) = self[index] else { Value.mismatch("integer", self[index]) }
    return Int(integer)
  }

  func boolean(_ index: Int) -> Bool {
    guard case .boolean(let isTrue) = self[index] else { Value.mismatch("boolean", self[index]) }
    return isTrue
  }

  func numeric(_ index: Int) -> Numeric {
    guard case .numeric(let number) = self[index] else { Value.mismatch("numeric", self[index]) }
    return number
  }

  func bytes(_ index: Int) -> [UInt8] {
    guard case .bytes(let bytes) = self[index] else { Value.mismatch("bytea", self[index]) }
    return bytes
  }

  func array(_ index: Int) -> ArrayValue {
    guard case .array(let array) = self[index] else { Value.mismatch("array", self[index]) }
    return array
  }

  func jsonb(_ index: Int) -> JSONB {
    guard case .jsonb(let json) = self[index] else { Value.mismatch("jsonb", self[index]) }
    return json
  }

  func range(_ index: Int) -> RangeValue {
    guard case .range(let range) = self[index] else { Value.mismatch("range", self[index]) }
    return range
  }

  /// The elements of an array of text; nil for null.
  func texts(_ index: Int) -> [String?] {
    array(index).elements.map { if case .text(let text) = $0 { text } else { nil } }
  }

  /// An optional argument: nil if it is missing.
  func optional(_ index: Int) -> Value? { index < count ? self[index] : nil }
}

extension Value {
  static func mismatch(_ type: String, _ value: Value) -> Never {
    preconditionFailure("A function expected \(type) and received \(value).")
  }

  init(_ text: String?) { self = text.map(Value.text) ?? .null }
  init(_ integer: Int) { self = .integer(Int64(integer)) }
  init(_ texts: [String]) { self = .array(ArrayValue(texts.map(Value.text))) }
}
