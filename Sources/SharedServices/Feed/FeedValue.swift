import Foundation

/// A value of the feed's JSON, from a parser or a decoder.
package protocol FeedValue {
  /// The value of a member of an object.
  subscript(name: String) -> Self? { get }
  /// The text of a string.
  var stringValue: String? { get }
  /// The digits of a number.
  var numberDigits: String? { get }
  /// The value of a Boolean.
  var booleanValue: Bool? { get }
  /// The elements of an array.
  var elements: [Self]? { get }
  /// Whether the value is an object.
  var isObject: Bool { get }
  /// Whether the value is null.
  var isNull: Bool { get }
  /// The value as JSON.
  var compactText: String { get }
}

// The server's versions name some fields differently, and stored blocks are in snake case; any of the names is enough.

extension FeedValue {
  /// The value of the first of these members that has one; `nil` also for null.
  private func value(_ names: [String]) -> Self? {
    for name in names {
      if let value = self[name], !value.isNull { return value }
    }
    return nil
  }

  func value(_ names: String...) -> Self? { value(names) }

  /// A member as text; another value as its JSON.
  func text(_ names: String...) -> String? {
    value(names).map { $0.stringValue ?? $0.compactText }
  }

  func object(_ name: String) -> Self? { self[name].flatMap { $0.isObject ? $0 : nil } }

  func array(_ name: String) -> [Self] { self[name]?.elements ?? [] }

  func measure(_ names: String...) -> Double? {
    guard let number = value(names)?.numberDigits.flatMap(Double.init), number.isFinite else { return nil }
    return number
  }

  func count(_ names: String...) -> Int? {
    guard let digits = value(names)?.numberDigits else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }

  func flag(_ names: String...) -> Bool? { value(names)?.booleanValue }
}

/// A value of any form from a decoder, which keeps neither the order of members nor the digits of a number.
indirect enum DecodedValue: Codable, FeedValue {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([DecodedValue])
  case object([String: DecodedValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([DecodedValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: DecodedValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  subscript(name: String) -> DecodedValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
  var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var elements: [DecodedValue]? { if case .array(let value) = self { value } else { nil } }
  var isObject: Bool { if case .object = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }

  var numberDigits: String? {
    switch self {
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    default: nil
    }
  }

  var compactText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only an infinite number has no JSON, and no JSON has one.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
