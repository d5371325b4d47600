/// A parser of PostgreSQL's advanced regular expressions (PostgreSQL documentation, 9.7.3).
///
/// Back references, and the basic syntax of the directors `b` and `e`, are not supported.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private(set) var options: PatternOptions
  private(set) var captureCount = 0
  private var lookDepth = 0

  init(_ pattern: String, _ options: PatternOptions) {
    scalars = Array(pattern.unicodeScalars)
    self.options = options
  }

  mutating func parse() throws(PostgreSQLError) -> PatternNode {
    if skip("***=") {
      options.isLiteral = true
    } else {
      _ = skip("***:")
      try embeddedOptions()
    }
    if options.isLiteral {
      return .sequence(scalars[position...].map { literal($0) })
    }
    let node = try alternatives(depth: 0)
    guard position == scalars.count else { throw malformed("parentheses () not balanced") }
    return node
  }

  private func malformed(_ problem: String) -> PostgreSQLError {
    PostgreSQLError("2201B", "invalid regular expression: \(problem)")
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skip(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// `(?i)` at the beginning.
  private mutating func embeddedOptions() throws(PostgreSQLError) {
    guard scalars[position...].starts(with: "(?".unicodeScalars), position + 2 < scalars.count,
      scalars[position + 2].properties.isAlphabetic
    else { return }
    position += 2
    while let letter = peek, letter != ")" {
      guard options.apply(Character(letter)) else { throw malformed("invalid embedded option") }
      position += 1
    }
    guard skip(")") else { throw malformed("invalid embedded option") }
  }

  /// Skips space and comments of the expanded syntax, and comments `(?#…)`.
  private mutating func skipComments() {
    while true {
      if options.isExpanded {
        while let scalar = peek, scalar.properties.isWhitespace { position += 1 }
        if skip("#") {
          while let scalar = peek, scalar != "\n" { position += 1 }
          continue
        }
      }
      guard skip("(?#") else { return }
      while let scalar = peek, scalar != ")" { position += 1 }
      _ = skip(")")
    }
  }

  private mutating func alternatives(depth: Int) throws(PostgreSQLError) -> PatternNode {
    guard depth < 100 else { throw malformed("regular expression is too complex") }
    var branches: [PatternNode] = []
    repeat { branches.append(try sequence(depth: depth)) } while skip("|")
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence(depth: Int) throws(PostgreSQLError) -> PatternNode {
    var parts: [PatternNode] = []
    skipComments()
    while let next = peek, next != "|", next != ")" || depth == 0 {
      if next == ")" { throw malformed("parentheses () not balanced") }
      let atom = try atom(depth: depth)
      skipComments()
      parts.append(try repeated(atom))
      skipComments()
    }
    switch parts.count {
    case 0: return .empty
    case 1: return parts[0]
    default: return .sequence(parts)
    }
  }

  private mutating func repeated(_ atom: PatternNode) throws(PostgreSQLError) -> PatternNode {
    var least = 0
    var most: Int?
    switch peek {
    case "*": break
    case "+": least = 1
    case "?": most = 1
    case "{":
      guard isBound(at: position) else { return atom }
      position += 1
      least = try bound()
      most = least
      if skip(",") { most = peek == "}" ? nil : try bound() }
      if peek == nil { throw malformed("braces {} not balanced") }
      guard peek == "}", most.map({ $0 >= least }) ?? true else {
        throw malformed("invalid repetition count(s)")
      }
    default: return atom
    }
    switch atom {
    case .assertion, .look: throw malformed("quantifier operand invalid")
    default: break
    }
    position += 1
    let isGreedy = !skip("?")
    if let next = peek, next == "*" || next == "+" || next == "?" || isBound(at: position) {
      throw malformed("quantifier operand invalid")
    }
    return .repetition(atom, least: least, most: most, isGreedy: isGreedy)
  }

  /// A brace before a digit.
  ///
  /// Others are literal.
  private func isBound(at index: Int) -> Bool {
    index + 1 < scalars.count && scalars[index] == "{" && ("0"..."9").contains(scalars[index + 1])
  }

  private mutating func bound() throws(PostgreSQLError) -> Int {
    var number = 0
    let start = position
    while let scalar = peek, ("0"..."9").contains(scalar), number <= 255 {
      number = number * 10 + Int(scalar.value - 0x30)
      position += 1
    }
    guard position > start, number <= 255 else { throw malformed("invalid repetition count(s)") }
    return number
  }

  private func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    var set = CharacterClass()
    set.ignoresCase = options.ignoresCase
    set.add(scalar.value...scalar.value)
    return .character(set)
  }

  private mutating func atom(depth: Int) throws(PostgreSQLError) -> PatternNode {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "^": return .assertion(options.hasLineAnchors ? .lineStart : .textStart)
    case "$": return .assertion(options.hasLineAnchors ? .lineEnd : .textEnd)
    case ".":
      var set = CharacterClass()
      set.isNegated = true
      if options.stopsAtNewline { set.add(0x0A...0x0A) }
      return .character(set)
    case "*", "+", "?": throw malformed("quantifier operand invalid")
    case "{" where isBound(at: position - 1): throw malformed("quantifier operand invalid")
    case "[":
      if skip("[:<:]]") { return .assertion(.wordStart) }
      if skip("[:>:]]") { return .assertion(.wordEnd) }
      return .character(try bracket())
    case "\\": return try escape()
    case "(": return try group(depth: depth)
    default: return literal(scalar)
    }
  }

  private mutating func group(depth: Int) throws(PostgreSQLError) -> PatternNode {
    let isLook = [("?=", true, false), ("?!", true, true), ("?<=", false, false), ("?<!", false, true)]
    for (mark, isAhead, isNegated) in isLook where skip(mark) {
      lookDepth += 1
      let inner = try alternatives(depth: depth + 1)
      lookDepth -= 1
      guard skip(")") else { throw malformed("parentheses () not balanced") }
      return .look(inner, isAhead: isAhead, isNegated: isNegated)
    }
    var number: Int?
    if !skip("?:") {
      if peek == "?" { throw malformed("quantifier operand invalid") }
      // Parentheses within a constraint do not capture.
      if lookDepth == 0 {
        captureCount += 1
        number = captureCount
      }
    }
    let inner = try alternatives(depth: depth + 1)
    guard skip(")") else { throw malformed("parentheses () not balanced") }
    return number.map { .capture($0, inner) } ?? inner
  }

  private mutating func escape() throws(PostgreSQLError) -> PatternNode {
    guard let scalar = peek else { throw malformed("invalid escape \\ sequence") }
    switch scalar {
    case "d", "s", "w", "D", "S", "W":
      var set = CharacterClass()
      set.ignoresCase = options.ignoresCase
      addClass(scalar, to: &set)
      position += 1
      return .character(set)
    case "A": position += 1; return .assertion(.textStart)
    case "Z": position += 1; return .assertion(.textEnd)
    case "m": position += 1; return .assertion(.wordStart)
    case "M": position += 1; return .assertion(.wordEnd)
    case "y": position += 1; return .assertion(.wordBoundary)
    case "Y": position += 1; return .assertion(.notWordBoundary)
    case "1"..."9":
      throw PostgreSQLError.notSupported("a back reference in a regular expression")
    default: return literal(try escapedCharacter())
    }
  }

  private func addClass(_ scalar: Unicode.Scalar, to set: inout CharacterClass) {
    let isNegated = ("A"..."Z").contains(scalar)
    switch scalar.simpleLowercase {
    case "d": set.add(.digit, isNegated: isNegated)
    case "s": set.add(.space, isNegated: isNegated)
    default: set.add(.word, isNegated: isNegated)
    }
  }

  /// Reads the character after a backslash.
  private mutating func escapedCharacter() throws(PostgreSQLError) -> Unicode.Scalar {
    guard let scalar = peek else { throw malformed("invalid escape \\ sequence") }
    position += 1
    switch scalar {
    case "a": return "\u{7}"
    case "b": return "\u{8}"
    case "B": return "\\"
    case "e": return "\u{1B}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "0": return "\0"
    case "c":
      guard let letter = peek else { throw malformed("invalid escape \\ sequence") }
      position += 1
      return Unicode.Scalar(UInt8(letter.value & 0x1F))
    case "u": return try hexadecimal(4...4)
    case "U": return try hexadecimal(8...8)
    case "x": return try hexadecimal(1...255)
    default:
      guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
        throw malformed("invalid escape \\ sequence")
      }
      return scalar
    }
  }

  private mutating func hexadecimal(_ counts: ClosedRange<Int>) throws(PostgreSQLError) -> Unicode.Scalar {
    var number: UInt32 = 0
    var count = 0
    while count < counts.upperBound, let digit = peek?.hexadecimalDigit {
      number = number << 4 | UInt32(digit)
      if number > 0x10FFFF { break }
      count += 1
      position += 1
    }
    guard counts.contains(count), let scalar = Unicode.Scalar(number) else {
      throw malformed("invalid escape \\ sequence")
    }
    return scalar
  }

  // MARK: Brackets

  private mutating func bracket() throws(PostgreSQLError) -> CharacterClass {
    var set = CharacterClass()
    set.ignoresCase = options.ignoresCase
    set.isNegated = skip("^")
    if set.isNegated, options.stopsAtNewline { set.add(0x0A...0x0A) }
    var isFirst = true
    while let scalar = peek {
      if scalar == "]", !isFirst {
        position += 1
        return set
      }
      isFirst = false
      if skip("[:") {
        set.add(try className())
        continue
      }
      if scalar == "\\", position + 1 < scalars.count,
        "dswDSW".unicodeScalars.contains(scalars[position + 1])
      {
        addClass(scalars[position + 1], to: &set)
        position += 2
        continue
      }
      let first = try bracketCharacter()
      var last = first
      if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        last = try bracketCharacter()
        guard first <= last else { throw malformed("invalid character range") }
      }
      set.add(first.value...last.value)
    }
    throw malformed("brackets [] not balanced")
  }

  private mutating func bracketCharacter() throws(PostgreSQLError) -> Unicode.Scalar {
    for (open, close) in [("[.", ".]"), ("[=", "=]")] where skip(open) {
      guard let scalar = peek else { throw malformed("brackets [] not balanced") }
      position += 1
      guard skip(close) else { throw malformed("invalid collating element") }
      return scalar
    }
    guard let scalar = peek else { throw malformed("brackets [] not balanced") }
    position += 1
    return scalar == "\\" ? try escapedCharacter() : scalar
  }

  /// Parses a class by its name, after `[:`.
  private mutating func className() throws(PostgreSQLError) -> CharacterClass.Name {
    var text = ""
    while let scalar = peek, scalar != ":" {
      text.unicodeScalars.append(scalar)
      position += 1
    }
    guard skip(":]") else { throw malformed("brackets [] not balanced") }
    guard let name = CharacterClass.Name(rawValue: text) else { throw malformed("invalid character class") }
    return name
  }
}
