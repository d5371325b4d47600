/// Functions of regular expressions (PostgreSQL documentation, 9.7.3).
extension Function {
  static let patterns: [Function] = substrings + replacements + matchFunctions + counts + escapes

  private typealias Text = [Unicode.Scalar]

  private static let substrings: [Function] = [
    Function(
      "substring", [.text, .text], returns: .text,
      .scalar { a, context throws(PostgreSQLError) in
        let text = Array(a.text(0).unicodeScalars)
        guard let match = try context.patterns.pattern(a.text(1)).firstMatch(in: text) else { return .null }
        // The first group counts, if there is one.
        if let group = match.groups.first { return Value(group.map { string(text[$0]) }) }
        return .text(string(text[match.whole]))
      }),
    Function("substring", [.text, .text, .text], returns: .text, .scalar(substringSimilar)),
  ]

  private static func substringSimilar(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let text = Array(a.text(0).unicodeScalars)
    let pattern = try SimilarPattern.translated(a.text(1), escape: a.text(2))
    guard let match = try context.patterns.pattern(pattern).firstMatch(in: text) else { return .null }
    let range = match.groups.first ?? match.whole
    return Value(range.map { string(text[$0]) })
  }

  // MARK: Replacing

  private static let replacements: [Function] = [
    Function("regexp_replace", [.text, .text, .text, .text], optional: 1, returns: .text, .scalar(replace)),
    Function(
      "regexp_replace", [.text, .text, .text, .integer, .integer, .text], optional: 2, returns: .text,
      .scalar(replaceNth)),
  ]

  private static func replace(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    if a.count > 3, let first = a.text(3).unicodeScalars.first, ("0"..."9").contains(first) {
      throw PostgreSQLError(
        "22023", "invalid regular expression option: \"\(first)\"",
        hint:
          "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly."
      )
    }
    let options = try PatternOptions(a.count > 3 ? a.text(3) : "")
    return .text(
      try replaced(
        a.text(0), try context.patterns.pattern(a.text(1), options), a.text(2), from: 0,
        number: options.isGlobal ? 0 : 1))
  }

  private static func replaceNth(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    var options = try PatternOptions(a.count > 5 ? a.text(5) : "")
    let start = try positive(a.integer(3), "start")
    let number = a.count > 4 ? a.integer(4) : 1
    if number < 0 {
      throw PostgreSQLError("22023", "invalid value for parameter \"n\": \(number)")
    }
    let isGlobal = options.isGlobal
    options.isGlobal = false
    return .text(
      try replaced(
        a.text(0), try context.patterns.pattern(a.text(1), options), a.text(2), from: start - 1,
        number: a.count <= 4 && isGlobal ? 0 : number))
  }

  /// Replaces a match by its number, or all if the number is zero.
  private static func replaced(
    _ text: String, _ pattern: RegularExpression, _ replacement: String, from start: Int, number: Int
  ) throws(PostgreSQLError) -> String {
    let text = Array(text.unicodeScalars)
    var result = Text()
    var last = 0
    let matches = try pattern.matches(in: text, isGlobal: number != 1, from: start)
    for (index, match) in matches.enumerated() where number == 0 || index + 1 == number {
      result += text[last..<match.whole.lowerBound]
      last = match.whole.upperBound
      var isEscaped = false
      for scalar in replacement.unicodeScalars {
        guard isEscaped else {
          if scalar == "\\" { isEscaped = true } else { result.append(scalar) }
          continue
        }
        isEscaped = false
        switch scalar {
        case "&": result += text[match.whole]
        case "1"..."9":
          let group = Int(scalar.value - 0x31)
          if group < match.groups.count, let range = match.groups[group] { result += text[range] }
        case "\\": result.append("\\")
        default: result += ["\\", scalar]
        }
      }
      if isEscaped { result.append("\\") }
      try limit(result.count)
    }
    return string((result + text[last...])[...])
  }

  private static func positive(_ value: Int, _ parameter: String) throws(PostgreSQLError) -> Int {
    guard value > 0 else {
      throw PostgreSQLError("22023", "invalid value for parameter \"\(parameter)\": \(value)")
    }
    return value
  }

  // MARK: Matches

  private static let matchFunctions: [Function] = [
    Function(
      "regexp_match", [.text, .text, .text], optional: 1, returns: .array(.text),
      .scalar { a, context throws(PostgreSQLError) in
        let options = try PatternOptions(a.count > 2 ? a.text(2) : "", function: "regexp_match()")
        let text = Array(a.text(0).unicodeScalars)
        return try context.patterns.pattern(a.text(1), options).firstMatch(in: text).map { groups($0, text) }
          ?? .null
      }),
    Function(
      "regexp_matches", [.text, .text, .text], optional: 1, returns: .array(.text),
      columns: [Column("regexp_matches", .array(.text))],
      .rows { a, context throws(PostgreSQLError) in
        let options = try PatternOptions(a.count > 2 ? a.text(2) : "")
        let text = Array(a.text(0).unicodeScalars)
        return try context.patterns.pattern(a.text(1), options).matches(in: text, isGlobal: options.isGlobal)
          .map { [groups($0, text)] }
      }),
    Function(
      "regexp_split_to_array", [.text, .text, .text], optional: 1, returns: .array(.text),
      .scalar { a, context throws(PostgreSQLError) in
        .array(ArrayValue(try split(a, function: "regexp_split_to_array()", context)))
      }),
    Function(
      "regexp_split_to_table", [.text, .text, .text], optional: 1, returns: .text,
      columns: [Column("regexp_split_to_table", .text)],
      .rows { a, context throws(PostgreSQLError) in
        try split(a, function: "regexp_split_to_table()", context).map { [$0] }
      }
    ),
  ]

  /// The groups of a match, or the whole if the pattern has none.
  private static func groups(_ match: RegularExpression.Match, _ text: Text) -> Value {
    if match.groups.isEmpty { return Value([string(text[match.whole])]) }
    return .array(ArrayValue(match.groups.map { range in Value(range.map { string(text[$0]) }) }))
  }

  /// The parts between matches.
  ///
  /// An empty match at the ends of the text or after another match does not split.
  private static func split(
    _ a: [Value], function: String, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> [Value] {
    let options = try PatternOptions(a.count > 2 ? a.text(2) : "", function: function)
    let text = Array(a.text(0).unicodeScalars)
    var parts: [Value] = []
    var last = 0
    for match in try context.patterns.pattern(a.text(1), options).matches(in: text) {
      if match.whole.isEmpty, match.whole.lowerBound == last || match.whole.lowerBound == text.count {
        continue
      }
      parts.append(.text(string(text[last..<match.whole.lowerBound])))
      last = match.whole.upperBound
    }
    return parts + [.text(string(text[last...]))]
  }

  private static let counts: [Function] = [
    Function(
      "regexp_count", [.text, .text, .integer, .text], optional: 2, returns: .integer,
      .scalar { a, context throws(PostgreSQLError) in
        let start = a.count > 2 ? try positive(a.integer(2), "start") : 1
        let options = try PatternOptions(a.count > 3 ? a.text(3) : "", function: "regexp_count()")
        let pattern = try context.patterns.pattern(a.text(1), options)
        return Value(try pattern.matches(in: Array(a.text(0).unicodeScalars), from: start - 1).count)
      }),
    Function(
      "regexp_like", [.text, .text, .text], optional: 1, returns: .boolean,
      .scalar { a, context throws(PostgreSQLError) in
        let options = try PatternOptions(a.count > 2 ? a.text(2) : "", function: "regexp_like()")
        return .boolean(try context.patterns.pattern(a.text(1), options).matches(a.text(0)))
      }),
    Function(
      "regexp_substr", [.text, .text, .integer, .integer, .text, .integer], optional: 4, returns: .text,
      .scalar { a, context throws(PostgreSQLError) in
        let text = Array(a.text(0).unicodeScalars)
        return Value(
          try found(a, text, group: 5, function: "regexp_substr()", context).map { string(text[$0]) })
      }),
    Function(
      "regexp_instr", [.text, .text, .integer, .integer, .integer, .text, .integer], optional: 5,
      returns: .integer,
      .scalar { a, context throws(PostgreSQLError) in
        var rest = a
        let end = a.count > 4 ? a.integer(4) : 0
        if end != 0, end != 1 {
          throw PostgreSQLError("22023", "invalid value for parameter \"endoption\": \(end)")
        }
        if a.count > 4 { rest.remove(at: 4) }
        let text = Array(a.text(0).unicodeScalars)
        let range = try found(rest, text, group: 5, function: "regexp_instr()", context)
        return Value(range.map { (end == 0 ? $0.lowerBound : $0.upperBound) + 1 } ?? 0)
      }),
  ]

  /// The range of the match, or of one of its groups, that `regexp_substr` returns.
  private static func found(
    _ a: [Value], _ text: Text, group: Int, function: String, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Range<Int>? {
    let start = a.count > 2 ? try positive(a.integer(2), "start") : 1
    let number = a.count > 3 ? try positive(a.integer(3), "n") : 1
    let options = try PatternOptions(a.count > 4 ? a.text(4) : "", function: function)
    let group = a.count > group ? a.integer(group) : 0
    if group < 0 { throw PostgreSQLError("22023", "invalid value for parameter \"subexpr\": \(group)") }
    let pattern = try context.patterns.pattern(a.text(1), options)
    let matches = try pattern.matches(in: text, isGlobal: number > 1, from: start - 1)
    guard matches.count >= number else { return nil }
    let match = matches[number - 1]
    if group == 0 { return match.whole }
    return group <= match.groups.count ? match.groups[group - 1] : nil
  }

  private static let escapes: [Function] = [
    Function(
      "like_escape", [.text, .text], returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in .text(try LikePattern.escaped(a.text(0), with: a.text(1))) }),
    Function(
      "similar_to_escape", [.text, .text], optional: 1, returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in
        .text(try SimilarPattern.translated(a.text(0), escape: a.count > 1 ? a.text(1) : "\\"))
      }),
  ]
}

/// A pattern of SQL's `SIMILAR TO` (PostgreSQL documentation, 9.7.2).
enum SimilarPattern {
  /// The pattern as a regular expression.
  ///
  /// Parts that the escape character and a quote separate become groups.
  static func translated(_ pattern: String, escape: String) throws(PostgreSQLError) -> String {
    guard escape.unicodeScalars.count <= 1 else {
      throw PostgreSQLError(
        "22025", "invalid escape string", hint: "Escape string must be empty or one character.")
    }
    let escape = escape.unicodeScalars.first
    var result = "^(?:"
    var isEscaped = false
    var isWithinBracket = false
    var separators = 0
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        isEscaped = false
        if scalar == "\"", !isWithinBracket {
          separators += 1
          switch separators {
          case 1: result += "){1,1}?("
          case 2: result += "){1,1}(?:"
          default:
            throw PostgreSQLError(
              "2200C", "SQL regular expression may not contain more than two escape-double-quote separators")
          }
        } else {
          result += "\\" + String(scalar)
        }
      } else if scalar == escape {
        isEscaped = true
      } else if isWithinBracket {
        if scalar == "\\" { result += "\\" }
        result.unicodeScalars.append(scalar)
        if scalar == "]" { isWithinBracket = false }
      } else {
        switch scalar {
        case "[":
          result += "["
          isWithinBracket = true
        case "%": result += ".*"
        case "_": result += "."
        case "(": result += "(?:"
        case "\\", ".", "^", "$": result += "\\" + String(scalar)
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + ")$"
  }
}
