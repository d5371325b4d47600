/// Functions of strings (PostgreSQL documentation, 9.4). A character is a code point.
extension Function {
  static let strings: [Function] =
    measures + cases + parts + padding + trimming + replacing + splitting + bytes

  private static let measures: [Function] =
    ["length", "char_length", "character_length"].flatMap { name -> [Function] in
      [
        Function(name, [.text], returns: .integer, .scalar { a, _ in Value(a.text(0).unicodeScalars.count) }),
        Function(
          name, [.bpchar], returns: .integer,
          .scalar { a, _ in Value(trimmed(a.text(0), " ", start: false).unicodeScalars.count) }),
      ]
    } + [
      Function("octet_length", [.text], returns: .integer, .scalar { a, _ in Value(a.text(0).utf8.count) }),
      Function("bit_length", [.text], returns: .integer, .scalar { a, _ in Value(8 * a.text(0).utf8.count) }),
      Function(
        "ascii", [.text], returns: .integer,
        .scalar { a, _ in Value(Int(a.text(0).unicodeScalars.first?.value ?? 0)) }),
      Function("chr", [.integer], returns: .text, .scalar(character)),
      Function("strpos", [.text, .text], returns: .integer, .scalar(position)),
      Function("position", [.text, .text], returns: .integer, .scalar(position)),
      Function(
        "starts_with", [.text, .text], returns: .boolean,
        .scalar { a, _ in .boolean(a.text(0).utf8.starts(with: a.text(1).utf8)) }),
    ]

  private static func character(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let code = a.integer(0)
    if code < 0 { throw PostgreSQLError("22023", "character number must be positive") }
    if code == 0 { throw PostgreSQLError("54000", "null character not permitted") }
    if code > 0x10FFFF {
      throw PostgreSQLError("54000", "requested character too large for encoding: \(code)")
    }
    guard let scalar = Unicode.Scalar(UInt32(code)) else {
      throw PostgreSQLError("54000", "requested character not valid for encoding: \(code)")
    }
    return .text(String(scalar))
  }

  private static func position(_ a: [Value], _ context: any FunctionContext) -> Value {
    let (text, wanted) = (a.text(0), Array(a.text(1).utf8))
    guard let place = Array(text.utf8).firstRange(of: wanted, from: 0) else { return .integer(0) }
    let prefix = text.utf8.prefix(place)
    return Value(prefix.lazy.filter { $0 & 0xC0 != 0x80 }.count + 1)
  }

  // MARK: Cases

  private static let cases: [Function] = [
    Function("lower", [.text], returns: .text, .scalar { a, _ in .text(lowercased(a.text(0))) }),
    Function("upper", [.text], returns: .text, .scalar { a, _ in .text(uppercased(a.text(0))) }),
    Function(
      "initcap", [.text], returns: .text,
      .scalar { a, _ in
        var isWithin = false
        return .text(
          mapped(a.text(0)) { scalar in
            defer { isWithin = CharacterClass.Name.alnum.contains(scalar) }
            return isWithin ? scalar.simpleLowercase : scalar.simpleUppercase
          })
      }),
  ]

  static func mapped(_ text: String, _ change: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(change(scalar)) }
    return String(result)
  }

  static func lowercased(_ text: String) -> String { mapped(text, \.simpleLowercase) }
  static func uppercased(_ text: String) -> String { mapped(text, \.simpleUppercase) }

  // MARK: Parts

  private static let parts: [Function] =
    ["substring", "substr"].flatMap { name -> [Function] in
      [
        Function(
          name, [.text, .integer, .integer], optional: 1, returns: .text,
          .scalar { a, _ throws(PostgreSQLError) in
            let scalars = Array(a.text(0).unicodeScalars)
            let range = try part(of: scalars.count, a)
            return .text(string(scalars[range]))
          }),
        Function(
          name, [.bytea, .integer, .integer], optional: 1, returns: .bytea,
          .scalar { a, _ throws(PostgreSQLError) in
            let bytes = a.bytes(0)
            return .bytes(Array(bytes[try part(of: bytes.count, a)]))
          }),
      ]
    } + [
      Function(
        "left", [.text, .integer], returns: .text,
        .scalar { a, _ in
          let (scalars, count) = (Array(a.text(0).unicodeScalars), a.integer(1))
          return .text(string(count < 0 ? scalars.dropLast(-count) : scalars.prefix(count)))
        }),
      Function(
        "right", [.text, .integer], returns: .text,
        .scalar { a, _ in
          let (scalars, count) = (Array(a.text(0).unicodeScalars), a.integer(1))
          return .text(string(count < 0 ? scalars.dropFirst(-count) : scalars.suffix(count)))
        }),
      Function(
        "reverse", [.text], returns: .text,
        .scalar { a, _ in .text(string(Array(a.text(0).unicodeScalars.reversed())[...])) }),
      Function(
        "overlay", [.text, .text, .integer, .integer], optional: 1, returns: .text,
        .scalar { a, _ throws(PostgreSQLError) in
          let (scalars, new) = (Array(a.text(0).unicodeScalars), Array(a.text(1).unicodeScalars))
          let start = a.integer(2)
          if start <= 0 { throw PostgreSQLError("22011", "negative substring length not allowed") }
          let end = start - 1 + (a.count > 3 ? a.integer(3) : new.count)
          let rest = scalars.dropFirst(max(0, end))
          return .text(string(scalars.prefix(start - 1)) + string(new[...]) + string(rest))
        }),
    ]

  /// A range from a start and an optional count, of which only what is within counts.
  private static func part(of count: Int, _ a: [Value]) throws(PostgreSQLError) -> Range<Int> {
    let start = a.integer(1)
    var end = Int.max
    if a.count > 2 {
      if a.integer(2) < 0 { throw PostgreSQLError("22011", "negative substring length not allowed") }
      end = start + a.integer(2)
    }
    let lower = min(max(start, 1) - 1, count)
    return lower..<max(lower, min(max(end, 1) - 1, count))
  }

  static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  // MARK: Padding and trimming

  private static let padding: [Function] = [
    Function(
      "lpad", [.text, .integer, .text], optional: 1, returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        let (text, fill) = try padded(a)
        return .text(fill + text)
      }),
    Function(
      "rpad", [.text, .integer, .text], optional: 1, returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        let (text, fill) = try padded(a)
        return .text(text + fill)
      }),
    Function(
      "repeat", [.text, .integer], returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        let count = max(0, a.integer(1))
        try limit(a.text(0).utf8.count * count)
        return .text(String(repeating: a.text(0), count: count))
      }),
  ]

  /// PostgreSQL's limit is 1 GB; in memory it is 64 MB.
  static func limit(_ size: Int) throws(PostgreSQLError) {
    if size > 64 << 20 { throw PostgreSQLError("54000", "requested length too large") }
  }

  private static func padded(_ a: [Value]) throws(PostgreSQLError) -> (text: String, fill: String) {
    let scalars = Array(a.text(0).unicodeScalars)
    let count = max(0, a.integer(1))
    try limit(count)
    let fill = Array((a.count > 2 ? a.text(2) : " ").unicodeScalars)
    if count <= scalars.count || fill.isEmpty { return (string(scalars.prefix(count)), "") }
    return (a.text(0), string((0..<count - scalars.count).map { fill[$0 % fill.count] }[...]))
  }

  private static let trimming: [Function] = [
    ("btrim", true, true), ("ltrim", true, false), ("rtrim", false, true),
  ]
  .flatMap { (name: String, start: Bool, end: Bool) -> [Function] in
    [
      Function(
        name, [.text, .text], optional: 1, returns: .text,
        .scalar { a, _ in .text(trimmed(a.text(0), a.count > 1 ? a.text(1) : " ", start: start, end: end)) }),
      Function(
        name, [.bytea, .bytea], returns: .bytea,
        .scalar { a, _ in
          let set = a.bytes(1)
          var bytes = a.bytes(0)[...]
          if start { bytes = bytes.drop { set.contains($0) } }
          while end, let last = bytes.last, set.contains(last) { bytes.removeLast() }
          return .bytes(Array(bytes))
        }),
    ]
  }

  private static func trimmed(_ text: String, _ characters: String, start: Bool, end: Bool = true) -> String {
    let set = characters.unicodeScalars
    var scalars = text.unicodeScalars[...]
    if start { scalars = scalars.drop { set.contains($0) } }
    while end, let last = scalars.last, set.contains(last) { scalars.removeLast() }
    return String(scalars)
  }

  // MARK: Replacing

  private static let replacing: [Function] = [
    Function(
      "replace", [.text, .text, .text], returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        let parts = split(a.text(0), a.text(1))
        try limit((parts.count - 1) * a.text(2).utf8.count)
        return .text(parts.joined(separator: a.text(2)))
      }),
    Function(
      "translate", [.text, .text, .text], returns: .text,
      .scalar { a, _ in
        let (from, to) = (Array(a.text(1).unicodeScalars), Array(a.text(2).unicodeScalars))
        var result = String.UnicodeScalarView()
        for scalar in a.text(0).unicodeScalars {
          guard let place = from.firstIndex(of: scalar) else {
            result.append(scalar)
            continue
          }
          if place < to.count { result.append(to[place]) }
        }
        return .text(String(result))
      }),
  ]

  // MARK: Splitting

  /// The parts of a text between separators; the whole if the separator is empty.
  static func split(_ text: String, _ separator: String) -> [String] {
    let (bytes, wanted) = (Array(text.utf8), Array(separator.utf8))
    var parts: [String] = []
    var start = 0
    while let place = bytes.firstRange(of: wanted, from: start), !wanted.isEmpty {
      parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
      start = place + wanted.count
    }
    parts.append(String(decoding: bytes[start...], as: UTF8.self))
    return parts
  }

  private static let splitting: [Function] = [
    Function(
      "split_part", [.text, .text, .integer], returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        let number = a.integer(2)
        if number == 0 { throw PostgreSQLError("22023", "field position must not be zero") }
        let parts = split(a.text(0), a.text(1))
        let place = number > 0 ? number - 1 : number + parts.count
        return .text(parts.indices.contains(place) ? parts[place] : "")
      }),
    Function(
      "string_to_array", [.text, .text, .text], optional: 1, returns: .array(.text), isStrict: false,
      .scalar { a, _ in a[0].isNull ? .null : .array(ArrayValue(pieces(a))) }),
    Function(
      "string_to_table", [.text, .text, .text], optional: 1, returns: .text,
      columns: [Column("string_to_table", .text)], isStrict: false,
      .rows { a, _ in a[0].isNull ? [] : pieces(a).map { [$0] } }),
    Function(
      "array_to_string", [.anyarray, .text, .text], optional: 1, returns: .text, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          if a[0].isNull || a[1].isNull { return .null }
          let element = try types[0].element(context)
          var texts: [String] = []
          for value in a.array(0).elements {
            if !value.isNull {
              texts.append(try value.text(as: element, context))
            } else if case .text(let null)? = a.optional(2) {
              texts.append(null)
            }
          }
          return .text(texts.joined(separator: a.text(1)))
        }
      }),
  ]

  /// The pieces of `string_to_array`: without a separator, each character.
  private static func pieces(_ a: [Value]) -> [Value] {
    let text = a.text(0)
    if text.isEmpty { return [] }
    let parts = a[1].isNull ? text.unicodeScalars.map { String($0) } : split(text, a.text(1))
    return parts.map { .text($0) == a.optional(2) ? .null : .text($0) }
  }

  // MARK: Bytes

  private static let bytes: [Function] = [
    Function("length", [.bytea], returns: .integer, .scalar { a, _ in Value(a.bytes(0).count) }),
    Function("octet_length", [.bytea], returns: .integer, .scalar { a, _ in Value(a.bytes(0).count) }),
    Function("bit_length", [.bytea], returns: .integer, .scalar { a, _ in Value(8 * a.bytes(0).count) }),
    Function(
      "position", [.bytea, .bytea], returns: .integer,
      .scalar { a, _ in Value((a.bytes(0).firstRange(of: a.bytes(1), from: 0) ?? -1) + 1) }),
    Function(
      "get_byte", [.bytea, .integer], returns: .integer,
      .scalar { a, _ throws(PostgreSQLError) in
        let (bytes, index) = (a.bytes(0), a.integer(1))
        guard bytes.indices.contains(index) else {
          throw PostgreSQLError(
            "2202E", "index \(index) out of valid range, 0..\(bytes.count - 1)")
        }
        return Value(Int(bytes[index]))
      }),
  ]
}

extension [UInt8] {
  /// The place of the first occurrence.
  fileprivate func firstRange(of wanted: [UInt8], from start: Int) -> Int? {
    guard let first = wanted.first else { return start }
    var place = start
    while place + wanted.count <= count {
      if self[place] == first, self[place..<place + wanted.count].elementsEqual(wanted) { return place }
      place += 1
    }
    return nil
  }
}

extension Value {
  /// The text of a cast to `text`, which writes booleans in full.
  fileprivate func castText(
    from type: BoundType, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> String {
    if case .boolean(let isTrue) = self { return isTrue ? "true" : "false" }
    return try text(as: type, context)
  }
}

extension Operator {
  static let strings: [Operator] = [
    Operator(.text, "||", .text, returns: .text, .scalar { a, _ in .text(a.text(0) + a.text(1)) }),
    Operator(.bytea, "||", .bytea, returns: .bytea, .scalar { a, _ in .bytes(a.bytes(0) + a.bytes(1)) }),
    Operator(
      .text, "^@", .text, returns: .boolean,
      .scalar { a, _ in .boolean(a.text(0).utf8.starts(with: a.text(1).utf8)) }),
    Operator(
      .text, "||", .any, returns: .text,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          .text(a.text(0) + (try a[1].castText(from: types[1], context)))
        }
      }),
    Operator(
      .any, "||", .text, returns: .text,
      .typed { types in
        { a, context throws(PostgreSQLError) in .text(try a[0].castText(from: types[0], context) + a.text(1))
        }
      }),
  ]
}
