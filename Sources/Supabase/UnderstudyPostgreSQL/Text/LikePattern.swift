/// A pattern of SQL's `LIKE` (PostgreSQL documentation, 9.7.1).
struct LikePattern {
  private enum Part {
    case anything
    case one
    case literal(Unicode.Scalar)
    /// An escape character at the end.
    case nothing

    func takes(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .anything, .one: true
      case .literal(let own): own == scalar
      case .nothing: false
      }
    }
  }

  private let parts: [Part]
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool = false) {
    var parts: [Part] = []
    var isEscaped = false
    for var scalar in pattern.unicodeScalars {
      if ignoresCase { scalar = scalar.simpleLowercase }
      if isEscaped {
        parts.append(.literal(scalar))
        isEscaped = false
      } else {
        switch scalar {
        case "\\": isEscaped = true
        case "%": parts.append(.anything)
        case "_": parts.append(.one)
        default: parts.append(.literal(scalar))
        }
      }
    }
    if isEscaped { parts.append(.nothing) }
    self.parts = parts
    self.ignoresCase = ignoresCase
  }

  /// Backtracks only to the last `%`, so the time is at most the product of both lengths.
  ///
  /// - Throws: 22025 if the matching reaches an escape character at the end of the pattern.
  func matches(_ text: String) throws(PostgreSQLError) -> Bool {
    let scalars = text.unicodeScalars
    var (place, part) = (scalars.startIndex, 0)
    var retry: (place: String.UnicodeScalarView.Index, part: Int)?
    while place < scalars.endIndex {
      if part < parts.count, case .nothing = parts[part] {
        throw PostgreSQLError("22025", "LIKE pattern must not end with escape character")
      }
      let scalar = ignoresCase ? scalars[place].simpleLowercase : scalars[place]
      if part < parts.count, case .anything = parts[part] {
        part += 1
        if part == parts.count { return true }
        retry = (place, part)
      } else if part < parts.count, parts[part].takes(scalar) {
        place = scalars.index(after: place)
        part += 1
      } else if let last = retry {
        let next = scalars.index(after: last.place)
        retry = (next, last.part)
        (place, part) = (next, last.part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anything = $0 { true } else { false } }
  }

  /// The pattern with backslashes in place of another escape character; without one if it is empty.
  static func escaped(_ pattern: String, with escape: String) throws(PostgreSQLError) -> String {
    let scalars = escape.unicodeScalars
    guard scalars.count <= 1 else {
      throw PostgreSQLError(
        "22025", "invalid escape string", hint: "Escape string must be empty or one character.")
    }
    if escape == "\\" { return pattern }
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == scalars.first, !isEscaped {
        result.append("\\")
        isEscaped = true
      } else {
        if scalar == "\\", !isEscaped { result.append("\\") }
        result.append(scalar)
        isEscaped = false
      }
    }
    return String(result)
  }
}

extension Operator {
  /// `LIKE`, `ILIKE` and regular expressions, each with its negation.
  static let patterns: [Operator] = ["~~", "~~*", "~", "~*"].flatMap { name -> [Operator] in
    [false, true].flatMap { isNegated -> [Operator] in
      [DataType.text, .name, .bpchar, .citext].map { type in
        // `citext` ignores case always.
        let method = type == .citext && !name.hasSuffix("*") ? name + "*" : name
        return Operator(
          type, (isNegated ? "!" : "") + name, .text, returns: .boolean,
          .scalar { a, context throws(PostgreSQLError) in
            .boolean(try Function.matches(a.text(0), method, a.text(1), context) != isNegated)
          })
      }
    }
  }
}

extension Function {
  fileprivate static func matches(
    _ text: String, _ name: String, _ pattern: String, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Bool {
    switch name {
    case "~~": return try LikePattern(pattern).matches(text)
    case "~~*": return try LikePattern(pattern, ignoresCase: true).matches(text)
    default:
      var options = PatternOptions()
      options.ignoresCase = name == "~*"
      return try context.patterns.pattern(pattern, options).matches(text)
    }
  }
}
