/// Reads the syntax of PostgreSQL's advanced regular expressions ("Regular Expression Details").
struct RegularExpressionParser {
  private typealias Node = RegularExpression.Node
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) {
    scalars = Array((ignoresCase ? Self.lowercased(pattern) : pattern).unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  /// The letters after a backslash are no letters: `\D` is not `\d`.
  private static func lowercased(_ pattern: String) -> String {
    var text = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      text += isEscaped ? String(scalar) : String(scalar).simplyLowercased
      isEscaped = scalar == "\\" && !isEscaped
    }
    return text
  }

  mutating func expression() throws(RegularExpression.Malformed) -> RegularExpression.Node {
    if scalars.starts(with: "***".unicodeScalars) { throw unsupported("a director (***)") }
    let node = try alternatives(depth: 0)
    guard position == scalars.count else { throw malformed("parentheses () not balanced") }
    return node
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private func malformed(_ problem: String) -> RegularExpression.Malformed { .init(problem: problem) }
  private func unsupported(_ what: String) -> RegularExpression.Malformed {
    .init(problem: "\(what) is not understood")
  }

  private mutating func alternatives(depth: Int) throws(RegularExpression.Malformed) -> Node {
    guard depth < 50 else { throw malformed("regular expression is too complex") }
    var all: [Node] = []
    repeat { all.append(try sequence(depth: depth)) } while skip("|")
    return all.count == 1 ? all[0] : .alternatives(all)
  }

  private mutating func sequence(depth: Int) throws(RegularExpression.Malformed) -> Node {
    var nodes: [Node] = []
    while let next = peek, next != "|", next != ")" {
      let node = try atom(depth: depth)
      nodes.append(try repeated(node))
    }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func repeated(_ node: Node) throws(RegularExpression.Malformed) -> Node {
    let range: (Int, Int?)
    switch peek {
    case "*": range = (0, nil)
    case "+": range = (1, nil)
    case "?": range = (0, 1)
    case "{":
      // A brace that no digit follows means itself.
      guard position + 1 < scalars.count, ("0"..."9").contains(scalars[position + 1]) else { return node }
      position += 1
      range = try bounds()
    default: return node
    }
    position += 1
    switch node {
    case .start, .end: throw malformed("quantifier operand invalid")
    default: break
    }
    // Greedy or not, the same texts match.
    _ = skip("?")
    if let next = peek, "*+?".unicodeScalars.contains(next) { throw malformed("quantifier operand invalid") }
    return .repetition(node, range.0, range.1)
  }

  /// Leaves the closing brace to be skipped.
  private mutating func bounds() throws(RegularExpression.Malformed) -> (Int, Int?) {
    let least = try bound()
    var most: Int? = least
    if skip(",") { most = peek == "}" ? nil : try bound() }
    guard peek == "}", most.map({ $0 >= least }) ?? true else {
      throw malformed("invalid repetition count(s)")
    }
    return (least, most)
  }

  private mutating func bound() throws(RegularExpression.Malformed) -> Int {
    var number = 0
    var count = 0
    while let scalar = peek, ("0"..."9").contains(scalar), count < 4 {
      number = number * 10 + Int(scalar.value - 48)
      count += 1
      position += 1
    }
    guard count > 0, number <= 255 else { throw malformed("invalid repetition count(s)") }
    return number
  }

  private mutating func atom(depth: Int) throws(RegularExpression.Malformed) -> Node {
    guard let scalar = peek else { return .empty }
    position += 1
    switch scalar {
    case "^": return .start
    case "$": return .end
    case ".": return .one(.init(isNegated: true))
    case "*", "+", "?": throw malformed("quantifier operand invalid")
    case "[": return .one(try bracket())
    case "\\": return try escape()
    case "(":
      if skip("?") {
        guard skip(":") else { throw unsupported("a group that begins with (?") }
      }
      let node = try alternatives(depth: depth + 1)
      guard skip(")") else { throw malformed("parentheses () not balanced") }
      return .sequence([node])
    default: return .one(.init(ranges: [scalar.value...scalar.value]))
    }
  }

  private mutating func escape() throws(RegularExpression.Malformed) -> Node {
    guard let scalar = peek else { throw malformed("invalid escape \\ sequence") }
    position += 1
    if let set = Self.classEscape(scalar) { return .one(set) }
    switch scalar {
    case "A": return .start
    case "Z": return .end
    default: return .one(.init(ranges: [try character(escapedAs: scalar)]))
    }
  }

  private static func classEscape(_ scalar: Unicode.Scalar) -> RegularExpression.CharacterSet? {
    switch scalar {
    case "d": .init(classes: [.digit])
    case "D": .init(classes: [.digit], isNegated: true)
    case "s": .init(classes: [.space])
    case "S": .init(classes: [.space], isNegated: true)
    case "w": .init(classes: [.word])
    case "W": .init(classes: [.word], isNegated: true)
    default: nil
    }
  }

  private func character(
    escapedAs scalar: Unicode.Scalar
  ) throws(RegularExpression.Malformed) -> ClosedRange<UInt32> {
    let value: UInt32
    switch scalar {
    case "n": value = 10
    case "r": value = 13
    case "t": value = 9
    case "f": value = 12
    case "v": value = 11
    default:
      let isPlain = !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
      guard isPlain else { throw unsupported("the escape \\\(scalar)") }
      value = scalar.value
    }
    return value...value
  }

  private mutating func bracket() throws(RegularExpression.Malformed) -> RegularExpression.CharacterSet {
    var set = RegularExpression.CharacterSet()
    set.isNegated = skip("^")
    var isFirst = true
    while let scalar = peek {
      position += 1
      if scalar == "]", !isFirst { return set }
      isFirst = false
      if scalar == "[", peek == ":" {
        set.classes.append(try namedClass())
        continue
      }
      if scalar == "[", peek == "." || peek == "=" { throw unsupported("a collating element") }
      var first = scalar.value
      if scalar == "\\" {
        guard let escaped = peek else { break }
        position += 1
        if let own = Self.classEscape(escaped) {
          guard !own.isNegated else { throw malformed("invalid escape \\ sequence") }
          set.classes += own.classes
          continue
        }
        first = try character(escapedAs: escaped).lowerBound
      }
      var last = first
      if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        guard let end = peek else { break }
        position += 1
        last = end.value
        if end == "\\", let escaped = peek {
          position += 1
          last = try character(escapedAs: escaped).lowerBound
        }
        guard first <= last else { throw malformed("invalid character range") }
      }
      set.ranges.append(first...last)
    }
    throw malformed("brackets [] not balanced")
  }

  /// A class by its name, as in `[:space:]`.
  private mutating func namedClass() throws(RegularExpression.Malformed) -> CharacterClass {
    position += 1
    var name = ""
    while let scalar = peek, scalar != ":" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard skip(":"), skip("]"), let found = CharacterClass(rawValue: name) else {
      throw malformed("invalid character class")
    }
    // Where case is ignored, the text is in lower case, and both classes mean any letter with a case.
    return ignoresCase && found == .upper ? .lower : found
  }
}
