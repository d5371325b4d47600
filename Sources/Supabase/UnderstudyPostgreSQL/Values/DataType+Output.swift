extension DataType {
  /// Writes a value as PostgreSQL's output function of the type does.
  package func text(of value: Value, context: any FunctionContext) throws(PostgreSQLError) -> String {
    try value.text(as: BoundType(self), context)
  }
}

extension Value {
  /// The text of a value of a type.
  ///
  /// Null is the caller's.
  package func text(as type: BoundType, _ context: any FunctionContext) throws(PostgreSQLError) -> String {
    switch self {
    case .null: return ""
    case .boolean(let value): return value ? "t" : "f"
    case .integer(let value): return String(value)
    case .double(let value):
      return try type.withoutDomain(context).type == .real
        ? DecimalNotation.text(Float(value)) : DecimalNotation.text(value)
    case .numeric(let value): return value.text
    case .text(let value), .json(let value), .label(let value, _): return value
    case .bytes(let bytes): return Self.text(of: bytes)
    case .uuid(let value): return value.text
    case .date(let days): return DateTimeText.date(days)
    case .time(let time): return DateTimeText.time(time)
    case .timetz(let time, let offset): return DateTimeText.timetz(time, offset: offset)
    case .timestamp(let timestamp):
      return try type.withoutDomain(context).type == .timestamptz
        ? DateTimeText.timestamptz(timestamp, zone: context.timeZone) : DateTimeText.timestamp(timestamp)
    case .interval(let interval): return DateTimeText.interval(interval)
    case .jsonb(let json): return json.text
    case .tsvector(let vector): return vector.text
    case .tsquery(let query): return query.text
    case .array(let array):
      let element = try type.element(context)
      return try ArrayLiteral.text(of: array) { (value) throws(PostgreSQLError) in
        try value.text(as: element, context)
      }
    case .range(let range):
      guard case .range(let kind) = try type.withoutDomain(context).type else {
        return try range.text { (value) throws(PostgreSQLError) in
          try value.text(as: BoundType(.text), context)
        }
      }
      return try range.text { (value) throws(PostgreSQLError) in
        try value.text(as: BoundType(kind.element), context)
      }
    case .record(let values):
      let fields = try type.resolvedFields(count: values.count, context)
      var parts: [String?] = []
      for (value, field) in zip(values, fields) {
        parts.append(value.isNull ? nil : try value.text(as: field.type, context))
      }
      return RecordLiteral.text(of: parts)
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "x")]
    text.reserveCapacity(bytes.count * 2 + 2)
    for byte in bytes {
      text.append(Hexadecimal.digit(byte >> 4))
      text.append(Hexadecimal.digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
