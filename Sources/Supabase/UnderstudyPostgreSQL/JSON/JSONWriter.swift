/// A writer of JSON into bytes.
///
/// PostgREST's answers are made by it, so it has no intermediate values.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends text that is JSON already.
  mutating func append(json text: String) { bytes.append(contentsOf: text.utf8) }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// Appends a string in quotes, escaped as PostgreSQL's `escape_json` does.
  mutating func write(string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { buffer in
      var start = 0
      for (index, byte) in buffer.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: buffer[start..<index])
        start = index + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x20...: bytes.append(byte)
        default:
          append("u00")
          bytes.append(Self.hexadecimal[Int(byte >> 4)])
          bytes.append(Self.hexadecimal[Int(byte & 0xF)])
        }
      }
      bytes.append(contentsOf: buffer[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(integer: Int64) {
    guard integer != 0 else {
      bytes.append(UInt8(ascii: "0"))
      return
    }
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = integer.magnitude
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }
}

// MARK: jsonb

extension JSONWriter {
  /// Appends a `jsonb` with a space after each comma and colon.
  mutating func write(_ value: JSONB) {
    if writeScalar(value) { return }
    switch value {
    case .array(let elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(", ") }
        write(element)
      }
      append("]")
    case .object(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(", ") }
        write(string: member.key)
        append(": ")
        write(member.value)
      }
      append("}")
    default: break
    }
  }

  private mutating func writeScalar(_ value: JSONB) -> Bool {
    switch value {
    case .null: append("null")
    case .boolean(let isTrue): isTrue ? append("true") : append("false")
    case .number(let number): append(json: number.text)
    case .string(let text): write(string: text)
    case .array, .object: return false
    }
    return true
  }

  /// Appends a `jsonb` as `jsonb_pretty` writes it.
  mutating func writePretty(_ value: JSONB, level: Int = 0) {
    if writeScalar(value) { return }
    switch value {
    case .array(let elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(",") }
        newLine(level + 1)
        writePretty(element, level: level + 1)
      }
      newLine(level)
      append("]")
    case .object(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(",") }
        newLine(level + 1)
        write(string: member.key)
        append(": ")
        writePretty(member.value, level: level + 1)
      }
      newLine(level)
      append("}")
    default: break
    }
  }

  mutating func newLine(_ level: Int) {
    append("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 4 * level))
  }
}

// MARK: Values of any type

extension JSONWriter {
  /// Appends a value as `to_json` writes it (`datum_to_json`).
  ///
  /// - Parameter isPretty: Whether rows and elements are on lines of their own; only at the top.
  mutating func write(
    _ value: Value, as type: BoundType, _ context: any FunctionContext, isPretty: Bool = false
  ) throws(PostgreSQLError) {
    switch value {
    case .null: append("null")
    case .boolean(let isTrue): isTrue ? append("true") : append("false")
    case .integer(let integer):
      // An object identifier is a string.
      if type.type == .oid {
        write(string: String(integer))
      } else {
        write(integer: integer)
      }
    case .text(let text): write(string: text)
    case .json(let text): append(json: text)
    case .jsonb(let json): write(json)
    case .double(let number) where number.isFinite:
      append(json: try value.text(as: type, context))
    case .numeric(.finite(let number)): append(json: number.text)
    case .date, .timestamp: write(string: try value.timeTextOfJSON(as: type, context))
    case .array(let array): try write(array, as: type, context, isPretty: isPretty)
    case .record(let values): try write(values, as: type, context, isPretty: isPretty)
    default: write(string: try value.text(as: type, context))
    }
  }

  private mutating func write(
    _ values: [Value], as type: BoundType, _ context: any FunctionContext, isPretty: Bool
  ) throws(PostgreSQLError) {
    let fields = try type.resolvedFields(count: values.count, context)
    append("{")
    for (index, value) in values.enumerated() {
      if index > 0 { isPretty ? append(",\n ") : append(",") }
      write(string: fields[index].name)
      append(":")
      try write(value, as: fields[index].type, context)
    }
    append("}")
  }

  private mutating func write(
    _ array: ArrayValue, as type: BoundType, _ context: any FunctionContext, isPretty: Bool
  ) throws(PostgreSQLError) {
    let element = try type.element(context)
    guard !array.dimensions.isEmpty else {
      append("[]")
      return
    }
    var next = 0
    try write(array, dimension: 0, &next, as: element, context, isPretty: isPretty)
  }

  private mutating func write(
    _ array: ArrayValue, dimension: Int, _ next: inout Int, as element: BoundType,
    _ context: any FunctionContext, isPretty: Bool
  ) throws(PostgreSQLError) {
    append("[")
    for index in 0..<array.dimensions[dimension].count {
      if index > 0 { isPretty ? append(",\n ") : append(",") }
      if dimension + 1 < array.dimensions.count {
        try write(array, dimension: dimension + 1, &next, as: element, context, isPretty: false)
      } else {
        try write(array.elements[next], as: element, context)
        next += 1
      }
    }
    append("]")
  }
}

extension Value {
  /// The text of a `date`, `timestamp` or `timestamptz` in JSON: with a T, and an offset with minutes
  /// (`JsonEncodeDateTime`).
  fileprivate func timeTextOfJSON(
    as type: BoundType, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> String {
    var text = Array(try self.text(as: type, context).utf8)
    guard let first = text.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return String(decoding: text, as: UTF8.self)
    }
    var suffix: [UInt8] = []
    if text.last == UInt8(ascii: "C") {
      suffix = Array(text.suffix(3))
      text.removeLast(3)
    }
    if let space = text.firstIndex(of: UInt8(ascii: " ")) {
      text[space] = UInt8(ascii: "T")
      if let sign = text[space...].firstIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
        text.count == sign + 3
      {
        text += Array(":00".utf8)
      }
    }
    return String(decoding: text + suffix, as: UTF8.self)
  }
}

extension BoundType {
  /// The type under a domain.
  func withoutDomain(_ context: any FunctionContext) throws(PostgreSQLError) -> BoundType {
    var type = self
    while case .domain(let name) = type.type { type = BoundType(try context.base(of: name)) }
    return type
  }

  func element(_ context: any FunctionContext) throws(PostgreSQLError) -> BoundType {
    guard case .array(let element) = try withoutDomain(context).type else { return BoundType(.text) }
    return BoundType(element, fields: fields)
  }

  /// The names and types of a row's columns.
  ///
  /// Columns without names are `f1`, `f2` and so on.
  func resolvedFields(count: Int, _ context: any FunctionContext) throws(PostgreSQLError) -> [Field] {
    if fields.count == count { return fields }
    let type = try withoutDomain(context)
    if case .composite(let name) = type.type {
      let columns = try context.columns(of: name)
      if columns.count == count { return columns.map { Field($0.name, BoundType($0.type)) } }
    }
    return (1...max(1, count)).map { Field("f\($0)", BoundType(.text)) }
  }
}

extension JSONB {
  /// A value as `to_jsonb` converts it.
  init(
    _ value: Value, as type: BoundType, _ context: any FunctionContext
  ) throws(PostgreSQLError) {
    switch value {
    case .null: self = .null
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .integer(let integer) where type.type != .oid: self = .number(Numeric(integer))
    case .double(let number) where number.isFinite:
      self = .number(try Numeric(parsing: try value.text(as: type, context)))
    case .numeric(let number):
      if case .finite = number { self = .number(number) } else { self = .string(number.text) }
    case .text(let text): self = .string(text)
    case .json(let text): self = try JSONB(parsing: text)
    case .jsonb(let json): self = json
    case .date, .timestamp: self = .string(try value.timeTextOfJSON(as: type, context))
    case .record(let values):
      let fields = try type.resolvedFields(count: values.count, context)
      var members: [Member] = []
      for (field, value) in zip(fields, values) {
        members.append(Member(field.name, try JSONB(value, as: field.type, context)))
      }
      self.init(unordered: members)
    case .array(let array):
      let element = try type.element(context)
      var level: [JSONB] = []
      for value in array.elements { level.append(try JSONB(value, as: element, context)) }
      for dimension in array.dimensions.dropFirst().reversed() {
        level = stride(from: 0, to: level.count, by: dimension.count).map {
          .array(Array(level[$0..<$0 + dimension.count]))
        }
      }
      self = .array(level)
    default: self = .string(try value.text(as: type, context))
    }
  }
}
