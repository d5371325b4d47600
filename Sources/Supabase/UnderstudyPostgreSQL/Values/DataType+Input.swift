import Foundation

extension DataType {
  /// Reads a value as PostgreSQL's input function of the type does.
  ///
  /// A modifier is applied as in an assignment: a text that is too long is refused.
  package func value(
    from text: String, modifier: TypeModifier? = nil, context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let read = try value(text, modifier, context)
    guard let modifier else { return read }
    if case .fraction = modifier { return read }
    return try modifier.apply(to: read, self, isExplicit: false)
  }

  private func value(
    _ text: String, _ modifier: TypeModifier?, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let fraction = modifier?.fraction
    if text.utf8.contains(0) {
      throw PostgreSQLError("22021", "invalid byte sequence for encoding \"UTF8\": 0x00")
    }
    switch self {
    case .unknown, .text, .varchar, .bpchar, .citext, .regclass, .regtype, .regproc, .regrole, .any,
      .anyelement:
      return .text(text)
    case .name: return .text(TextInput.name(text))
    case .boolean: return .boolean(try TextInput.boolean(text))
    case .smallint: return .integer(Int64(try TextInput.integer(text, Int16.self, type: displayName)))
    case .integer: return .integer(Int64(try TextInput.integer(text, Int32.self, type: displayName)))
    case .bigint: return .integer(try TextInput.integer(text, Int64.self, type: displayName))
    case .oid: return .integer(try TextInput.objectIdentifier(text))
    case .real: return .double(try TextInput.real(text))
    case .double: return .double(try TextInput.double(text))
    case .numeric: return .numeric(try Numeric(parsing: text))
    case .bytea: return .bytes(try TextInput.bytes(text))
    case .uuid:
      guard let identifier = UniqueIdentifier(parsing: text) else {
        throw .invalidInput(text, type: displayName)
      }
      return .uuid(identifier)
    case .date: return .date(try DateTimeInput.date(text, context))
    case .time: return .time(try DateTimeInput.time(text, fraction: fraction, context))
    case .timetz:
      let (time, offset) = try DateTimeInput.timetz(text, fraction: fraction, context)
      return .timetz(time, offset: offset)
    case .timestamp:
      return .timestamp(try DateTimeInput.timestamp(text, fraction: fraction, withZone: false, context))
    case .timestamptz:
      return .timestamp(try DateTimeInput.timestamp(text, fraction: fraction, withZone: true, context))
    case .interval:
      guard case .interval(let fields, let fraction)? = modifier else {
        return .interval(try DateTimeInput.interval(text, fraction: fraction))
      }
      return .interval(try DateTimeInput.interval(text, fields, fraction: fraction))
    case .json:
      try JSONParser.validate(text)
      return .json(text)
    case .jsonb: return .jsonb(try JSONB(parsing: text))
    case .inet: return .text(try TextInput.networkAddress(text))
    case .tsvector: return .tsvector(try TextVector(parsing: text))
    case .vector: return .text(try EmbeddingVector(parsing: text).text)
    case .tsquery: return .tsquery(try TextQuery(parsing: text))
    case .array(let element):
      let literal = try ArrayLiteral(parsing: text)
      var elements: [Value] = []
      elements.reserveCapacity(literal.elements.count)
      for part in literal.elements {
        elements.append(
          try part.map { (part) throws(PostgreSQLError) in
            try element.value(part, modifier, context)
          } ?? .null)
      }
      return .array(ArrayValue(dimensions: literal.dimensions, elements: elements))
    case .range(let range): return .range(try RangeValue(parsing: text, range, context))
    case .enumeration(let name):
      for label in try context.labels(of: name) where label.name == text {
        return .label(label.name, order: label.order)
      }
      throw PostgreSQLError("22P02", "invalid input value for enum \(name.quoted): \"\(text)\"")
    case .domain(let name): return try context.base(of: name).value(text, modifier, context)
    case .composite(let name):
      let columns = try context.columns(of: name)
      let values = try RecordLiteral.values(of: text, count: columns.count) {
        index, part throws(PostgreSQLError) in
        guard let part else { return .null }
        return try columns[index].type.value(from: part, context: context)
      }
      return .record(values)
    case .record: throw PostgreSQLError("0A000", "input of anonymous composite types is not implemented")
    case .void: return .null
    case .trigger, .anyarray, .anyenum, .anyrange:
      throw PostgreSQLError("0A000", "cannot accept a value of type \(displayName)")
    }
  }
}

/// The input functions of simple types.
enum TextInput {
  static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    var bytes = Array(text.utf8)[...]
    bytes = bytes.drop(while: \.isSpace)
    while bytes.last?.isSpace == true { bytes.removeLast() }
    return bytes
  }

  /// Any unambiguous beginning of the words (PostgreSQL documentation, 8.6).
  static func boolean(_ text: String) throws(PostgreSQLError) -> Bool {
    let word = String(decoding: trimmed(text), as: UTF8.self).lowercased()
    switch word {
    case "t", "tr", "tru", "true", "y", "ye", "yes", "on", "1": return true
    case "f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0": return false
    default: throw .invalidInput(text, type: "boolean")
    }
  }

  static func integer<Number: FixedWidthInteger>(
    _ text: String, _: Number.Type, type: String
  ) throws(PostgreSQLError) -> Number {
    var rest = Array(text.utf8)[...].drop(while: \.isSpace)
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.first?.isDigit == true else { throw .invalidInput(text, type: type) }
    var value: Number = 0
    while let byte = rest.first, byte.isDigit {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let digit = Number(byte - 48)
      let (sum, isOver) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflow || isOver {
        throw PostgreSQLError("22003", "value \"\(text)\" is out of range for type \(type)")
      }
      value = sum
      rest.removeFirst()
    }
    guard rest.allSatisfy(\.isSpace) else { throw .invalidInput(text, type: type) }
    return value
  }

  static func objectIdentifier(_ text: String) throws(PostgreSQLError) -> Int64 {
    let value = try integer(text, Int64.self, type: "oid")
    guard (Int64(Int32.min)...Int64(UInt32.max)).contains(value) else {
      throw PostgreSQLError("22003", "value \"\(text)\" is out of range for type oid")
    }
    // Negative numbers are read as C's `strtoul` does.
    return Int64(UInt32(truncatingIfNeeded: value))
  }

  static func double(_ text: String) throws(PostgreSQLError) -> Double {
    try floating(text, type: "double precision") { Double($0) }
  }

  /// The nearest `real`.
  static func real(_ text: String) throws(PostgreSQLError) -> Double {
    try floating(text, type: "real") { Float($0).map(Double.init) }
  }

  private static func floating(
    _ text: String, type: String, _ read: (String) -> Double?
  ) throws(PostgreSQLError) -> Double {
    let word = String(decoding: trimmed(text), as: UTF8.self).lowercased()
    switch word {
    case "nan", "+nan", "-nan": return .nan
    case "infinity", "inf", "+infinity", "+inf": return .infinity
    case "-infinity", "-inf": return -.infinity
    default: break
    }
    let unsigned = word.drop { $0 == "-" || $0 == "+" }
    let isHexadecimal = unsigned.hasPrefix("0x")
    let letters = isHexadecimal ? "+-.xpabcdef".utf8 : "+-.e".utf8
    guard word.utf8.count - unsigned.utf8.count <= 1,
      word.utf8.allSatisfy({ $0.isDigit || letters.contains($0) }), let number = read(word)
    else { throw .invalidInput(text, type: type) }
    // A number that is too small for the type is an error, not zero.
    let mantissa = unsigned.prefix { $0 != (isHexadecimal ? "p" : "e") }.dropFirst(isHexadecimal ? 2 : 0)
    guard number.isFinite, number != 0 || !mantissa.contains(where: { $0.isHexDigit && $0 != "0" }) else {
      throw PostgreSQLError("22003", "\"\(text)\" is out of range for type \(type)")
    }
    return number
  }

  /// The formats hex and escape (PostgreSQL documentation, 8.4).
  static func bytes(_ text: String) throws(PostgreSQLError) -> [UInt8] {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count / 2)
    if rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]) {
      rest.removeFirst(2)
      while let byte = rest.popFirst() {
        if byte.isSpace { continue }
        let high = try hexadecimal(byte, rest)
        guard let next = rest.popFirst() else {
          throw PostgreSQLError("22023", "invalid hexadecimal data: odd number of digits")
        }
        bytes.append(high << 4 | (try hexadecimal(next, rest)))
      }
      return bytes
    }
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
      } else if rest.first == byte {
        bytes.append(byte)
        rest.removeFirst()
      } else {
        let digits = Array(rest.prefix(3))
        guard digits.count == 3, (48...51).contains(digits[0]), digits.allSatisfy({ (48...55).contains($0) })
        else { throw PostgreSQLError("22P02", "invalid input syntax for type bytea") }
        bytes.append((digits[0] - 48) << 6 | (digits[1] - 48) << 3 | (digits[2] - 48))
        rest.removeFirst(3)
      }
    }
    return bytes
  }

  private static func hexadecimal(_ byte: UInt8, _ rest: ArraySlice<UInt8>) throws(PostgreSQLError) -> UInt8 {
    if let digit = Hexadecimal.value(of: byte) { return digit }
    // The whole character, of which this is the first byte.
    let character = [byte] + (byte < 0x80 ? [] : rest.prefix { $0 & 0xC0 == 0x80 })
    throw PostgreSQLError(
      "22023", "invalid hexadecimal digit: \"\(String(decoding: character, as: UTF8.self))\"")
  }

  /// The first 63 bytes, without a part of a character.
  static func name(_ text: String) -> String {
    guard text.utf8.count > 63 else { return text }
    var bytes = Array(text.utf8.prefix(64))
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An address of IPv4 or IPv6 with an optional length of its network, which is not shown if it is the whole address.
  static func networkAddress(_ text: String) throws(PostgreSQLError) -> String {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let isVersion6 = parts[0].contains(":")
    let family = isVersion6 ? AF_INET6 : AF_INET
    let bits = isVersion6 ? 128 : 32
    var address = [UInt8](repeating: 0, count: bits / 8)
    let length = parts.count == 2 ? Int(parts[1]) : bits
    guard inet_pton(family, String(parts[0]), &address) == 1, let length, (0...bits).contains(length) else {
      throw .invalidInput(text, type: "inet")
    }
    var written = [CChar](repeating: 0, count: 64)
    guard inet_ntop(family, address, &written, socklen_t(written.count)) != nil else {
      throw .invalidInput(text, type: "inet")
    }
    let canonical = String(decoding: written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return length == bits ? canonical : canonical + "/\(length)"
  }
}
