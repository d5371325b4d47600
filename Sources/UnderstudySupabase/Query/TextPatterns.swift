import Foundation
import UnderstudyHTTP

/// A pattern of PostgreSQL's `~`, matched by the C library's `regexec`.
///
/// PostgreSQL's advanced regular expressions ("Regular Expression Details") are checked and written as POSIX extended
/// ones. Back references, look-ahead, directors and collating elements are not supported. Without back references the C
/// library does not backtrack, so a match takes time in proportion to the pattern and the text. The size of a pattern,
/// with every bounded repetition written out, is limited.
struct RegularExpression: Sendable {
  /// The error of an invalid pattern, with the text after `invalid regular expression: `.
  struct Malformed: Error {
    let problem: String

    /// PostgreSQL's error `invalid_regular_expression`.
    var code: String { "2201B" }
    var message: String { "invalid regular expression: \(problem)" }
  }

  /// The pattern as a POSIX extended regular expression.
  private let pattern: String
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) throws(Malformed) {
    var translator = PatternTranslator(pattern, ignoresCase: ignoresCase)
    self.pattern = try translator.translated()
    self.ignoresCase = ignoresCase
    _ = try find(in: "")
  }

  /// Returns whether any part of the text matches.
  ///
  /// - Throws: 2201B if the C library fails, for instance because it runs out of memory.
  func matches(_ text: String) throws(PostgRESTError) -> Bool {
    do throws(Malformed) {
      return try find(in: ignoresCase ? text.simplyLowercased : text)
    } catch {
      throw PostgRESTError(code: error.code, message: error.message)
    }
  }

  /// Compiles the pattern for each text: a `regex_t` cannot be shared between tasks without unchecked promises.
  private func find(in text: String) throws(Malformed) -> Bool {
    try Self.withUnicodeLocale { () throws(Malformed) in
      var compiled = regex_t()
      let refusal = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB)
      guard refusal == 0 else { throw Malformed(problem: Self.message(refusal)) }
      defer { regfree(&compiled) }
      let result = regexec(&compiled, text, 0, nil, 0)
      guard result == 0 || result == Self.noMatch else { throw Malformed(problem: Self.message(result)) }
      return result == 0
    }
  }

  /// The address of a UTF-8 locale: an immutable value of the C library, although its type is not `Sendable`.
  private static let unicodeLocale: UInt? = {
    // Apple's systems do not have the first on every version.
    for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] {
      if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return UInt(bitPattern: locale) }
    }
    return nil
  }()

  /// Calls a closure with a UTF-8 locale, because the C library decodes characters by the thread's locale.
  private static func withUnicodeLocale<Value>(
    _ body: () throws(Malformed) -> Value
  ) throws(Malformed) -> Value {
    guard let locale = unicodeLocale.flatMap({ locale_t(bitPattern: $0) }) else {
      throw Malformed(problem: "this system has no UTF-8 locale (C.UTF-8 or en_US.UTF-8) to match texts in")
    }
    let previous = uselocale(locale)
    defer { _ = uselocale(previous) }
    return try body()
  }

  /// `REG_NOMATCH`, which Swift does not import from every C library; it is 1 in all of them.
  private static let noMatch: Int32 = 1

  private static func message(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    _ = regerror(code, nil, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A translator of patterns from the syntax of PostgreSQL to that of POSIX.
private struct PatternTranslator {
  /// A part of the pattern in POSIX syntax, with its numbers of characters and groups, including repetitions.
  private struct Part {
    var text: String
    var size = 1
    var isAnchor = false
  }

  private typealias Malformed = RegularExpression.Malformed
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) {
    scalars = Array((ignoresCase ? Self.lowercased(pattern) : pattern).unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  /// Returns the pattern in lower case, except for escaped letters: `\D` is not `\d`.
  private static func lowercased(_ pattern: String) -> String {
    var text = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      text += isEscaped ? String(scalar) : String(scalar).simplyLowercased
      isEscaped = scalar == "\\" && !isEscaped
    }
    return text
  }

  mutating func translated() throws(RegularExpression.Malformed) -> String {
    if scalars.starts(with: "***".unicodeScalars) { throw unsupported("a director (***)") }
    let whole = try alternatives(depth: 0)
    guard position == scalars.count else { throw malformed("parentheses () not balanced") }
    return whole.text
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private func malformed(_ problem: String) -> Malformed { Malformed(problem: problem) }
  private func unsupported(_ what: String) -> Malformed { Malformed(problem: "\(what) is not supported") }

  private func limited(_ part: Part) throws(Malformed) -> Part {
    guard part.size <= 5000 else { throw malformed("regular expression is too complex") }
    return part
  }

  private mutating func alternatives(depth: Int) throws(Malformed) -> Part {
    guard depth < 50 else { throw malformed("regular expression is too complex") }
    var all: [Part] = []
    repeat { all.append(try sequence(depth: depth)) } while skip("|")
    return try limited(
      Part(text: all.map(\.text).joined(separator: "|"), size: all.reduce(0) { $0 + $1.size }))
  }

  private mutating func sequence(depth: Int) throws(Malformed) -> Part {
    var whole = Part(text: "")
    while let next = peek, next != "|", next != ")" {
      let part = try repeated(try atom(depth: depth))
      whole = try limited(Part(text: whole.text + part.text, size: whole.size + part.size))
    }
    // Some C libraries do not accept an empty alternative.
    return whole.text.isEmpty ? Part(text: "x{0}") : whole
  }

  private mutating func repeated(_ part: Part) throws(Malformed) -> Part {
    let bounds: String
    var copies = 1
    switch peek {
    case "*", "+", "?": bounds = peek.map { String($0) } ?? ""
    case "{":
      // A brace without a digit after it is a literal.
      guard position + 1 < scalars.count, ("0"..."9").contains(scalars[position + 1]) else { return part }
      position += 1
      let least = try bound()
      var most: Int? = least
      if skip(",") { most = peek == "}" ? nil : try bound() }
      guard peek == "}", most.map({ $0 >= least }) ?? true else {
        throw malformed("invalid repetition count(s)")
      }
      bounds = "{\(least)" + (most == least ? "" : ",\(most.map(String.init) ?? "")") + "}"
      copies = max(1, least, most ?? 0)
    default: return part
    }
    position += 1
    if part.isAnchor { throw malformed("quantifier operand invalid") }
    // Whether a quantifier is greedy does not change whether a text matches.
    _ = skip("?")
    if let next = peek, "*+?".unicodeScalars.contains(next) { throw malformed("quantifier operand invalid") }
    return try limited(Part(text: part.text + bounds, size: part.size * copies))
  }

  private mutating func bound() throws(Malformed) -> Int {
    var digits = ""
    while let scalar = peek, ("0"..."9").contains(scalar), digits.utf8.count < 4 {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard let number = Int(digits), number <= 255 else { throw malformed("invalid repetition count(s)") }
    return number
  }

  private mutating func atom(depth: Int) throws(Malformed) -> Part {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "^", "$": return Part(text: String(scalar), isAnchor: true)
    case ".": return Part(text: ".")
    case "*", "+", "?": throw malformed("quantifier operand invalid")
    case "[": return Part(text: try bracket())
    case "\\": return try escape()
    case "(":
      if skip("?") {
        guard skip(":") else { throw unsupported("a group that begins with (?") }
      }
      let inner = try alternatives(depth: depth + 1)
      guard skip(")") else { throw malformed("parentheses () not balanced") }
      return try limited(Part(text: "(\(inner.text))", size: inner.size + 1))
    default: return Part(text: CharacterSet(scalar).text)
    }
  }

  private mutating func escape() throws(Malformed) -> Part {
    guard let scalar = peek else { throw malformed("invalid escape \\ sequence") }
    position += 1
    if let set = CharacterSet(escape: scalar) { return Part(text: set.text) }
    switch scalar {
    case "A": return Part(text: "^", isAnchor: true)
    case "Z": return Part(text: "$", isAnchor: true)
    default: return Part(text: CharacterSet(try character(escapedAs: scalar)).text)
    }
  }

  private func character(escapedAs scalar: Unicode.Scalar) throws(Malformed) -> Unicode.Scalar {
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    default:
      guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
        throw unsupported("the escape \\\(scalar)")
      }
      return scalar
    }
  }

  private mutating func bracket() throws(Malformed) -> String {
    var set = CharacterSet()
    set.isNegated = skip("^")
    var isFirst = true
    while let scalar = peek {
      position += 1
      if scalar == "]", !isFirst { return set.text }
      isFirst = false
      if scalar == "[", peek == ":" {
        set.add(class: try className())
        continue
      }
      if scalar == "[", peek == "." || peek == "=" { throw unsupported("a collating element") }
      var first = scalar
      if scalar == "\\" {
        guard let escaped = peek else { break }
        position += 1
        if let own = CharacterSet(escape: escaped) {
          guard !own.isNegated else { throw malformed("invalid escape \\ sequence") }
          set.formUnion(own)
          continue
        }
        first = try character(escapedAs: escaped)
      }
      var last = first
      if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        guard let end = peek else { break }
        position += 1
        last = end
        if end == "\\", let escaped = peek {
          position += 1
          last = try character(escapedAs: escaped)
        }
        guard first <= last else { throw malformed("invalid character range") }
        guard last.value - first.value <= 25_000 else {
          throw unsupported("a range of more than 25000 characters")
        }
      }
      set.add(first...last)
    }
    throw malformed("brackets [] not balanced")
  }

  /// Parses a class by its name, as in `[:space:]`.
  private mutating func className() throws(Malformed) -> String {
    position += 1
    var name = ""
    while let scalar = peek, scalar != ":" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard skip(":"), skip("]"), CharacterSet.classes.contains(name) else {
      throw malformed("invalid character class")
    }
    // If case is ignored, the text is in lower case, and both classes match any letter with a case.
    return ignoresCase && name == "upper" ? "lower" : name
  }
}

/// A set of characters that writes itself as an atom in POSIX syntax.
private struct CharacterSet {
  static let classes: Set<String> = [
    "alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "cntrl", "graph", "print",
    "xdigit",
    "word",
  ]

  /// The special characters within brackets, which are literal only in certain positions.
  private static let marks: [Unicode.Scalar] = ["]", "[", "^", "-"]

  private var members = ""
  private var marks: Set<Unicode.Scalar> = []
  var isNegated = false

  init() {}

  init(_ scalar: Unicode.Scalar) { add(scalar...scalar) }

  /// Creates the set for `\d`, `\s` or `\w`, negated in upper case; `nil` for any other escape.
  init?(escape scalar: Unicode.Scalar) {
    switch scalar {
    case "d", "D": add(class: "digit")
    case "s", "S": add(class: "space")
    case "w", "W": add(class: "word")
    default: return nil
    }
    isNegated = ("A"..."Z").contains(scalar)
  }

  mutating func add(class name: String) {
    members += name == "word" ? "[:alnum:]_" : "[:\(name):]"
  }

  mutating func add(_ range: ClosedRange<Unicode.Scalar>) {
    var (first, last) = (range.lowerBound.value, range.upperBound.value)
    // A mark cannot be the end of a range.
    while let mark = Self.marks.first(where: { $0.value == first || $0.value == last }) {
      marks.insert(mark)
      if first == last { return }
      if mark.value == first { first += 1 } else { last -= 1 }
    }
    if first < 0x80 {
      add(literal: first)
      guard last > first else { return }
      members += "-"
      add(literal: min(last, 0x7F))
      first = 0x80
    }
    // glibc supports no other ranges in its UTF-8 locale.
    if first <= last { for value in first...last { add(literal: value) } }
  }

  /// Skips surrogates, which are not characters.
  private mutating func add(literal value: UInt32) {
    if let scalar = Unicode.Scalar(value) { members.unicodeScalars.append(scalar) }
  }

  mutating func formUnion(_ other: CharacterSet) {
    members += other.members
    marks.formUnion(other.marks)
  }

  var text: String {
    let only =
      isNegated ? nil : members.isEmpty && marks.count == 1 ? marks.first : members.unicodeScalars.first
    if let only, marks.isEmpty ? members.unicodeScalars.count == 1 : members.isEmpty && marks.count == 1 {
      return ".[\\()*+?{|^$".unicodeScalars.contains(only) ? "\\\(only)" : String(only)
    }
    var text = "[" + (isNegated ? "^" : "")
    if marks.contains("]") { text += "]" }
    text += members
    if marks.contains("[") { text += "[" }
    // A leading caret would negate the set.
    let hyphen = marks.contains("-") ? "-" : ""
    let caret = marks.contains("^") ? "^" : ""
    return text + (text == "[" ? hyphen + caret : caret + hyphen) + "]"
  }
}

/// A pattern of SQL's `LIKE`.
struct LikePattern {
  fileprivate enum Part {
    case anything
    case one
    case literal(Unicode.Scalar)
    /// An escape character at the end.
    case nothing
  }

  private let parts: [Part]
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in (ignoresCase ? pattern.simplyLowercased : pattern).unicodeScalars {
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
  func matches(_ text: String) throws(PostgRESTError) -> Bool {
    let scalars = Array((ignoresCase ? text.simplyLowercased : text).unicodeScalars)
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    while place < scalars.count {
      if part < parts.count, case .nothing = parts[part] {
        throw PostgRESTError(code: "22025", message: "LIKE pattern must not end with escape character")
      }
      if part < parts.count, case .anything = parts[part] {
        retry = (place, part + 1)
        part += 1
      } else if part < parts.count, parts[part].takes(scalars[place]) {
        place += 1
        part += 1
      } else if let last = retry {
        retry = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anything = $0 { true } else { false } }
  }
}

extension LikePattern.Part {
  fileprivate func takes(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .anything, .one: true
    case .literal(let own): own == scalar
    case .nothing: false
    }
  }
}
