/// A path of SQL/JSON (PostgreSQL documentation, 9.16.2).
///
/// It has member and array accessors, filters, arithmetic, and the methods `type`, `size`, `double`, `ceiling`, `floor`
/// and `abs`. The accessor `.**` and the methods `datetime` and `keyvalue` are refused.
struct JSONPath: Sendable {
  var isStrict = false
  var root: Item

  /// What has a sequence of values.
  indirect enum Item: Sendable {
    case root, current, last
    case variable(String)
    case literal(JSONB)
    case step(Item, Step)
    case sign(isNegative: Bool, Item)
    case arithmetic(String, Item, Item)
    case predicate(Predicate)
  }

  enum Step: Sendable {
    case member(String)
    case anyMember
    case elements([(from: Item, to: Item?)])
    case anyElement
    case filter(Predicate)
    case method(String)
  }

  /// What is true, false or unknown.
  indirect enum Predicate: Sendable {
    case comparison(String, Item, Item)
    case both(Predicate, Predicate)
    case either(Predicate, Predicate)
    case not(Predicate)
    case exists(Item)
    case matches(Item, pattern: String, PatternOptions)
    case starts(Item, with: Item)
    case isUnknown(Predicate)
  }

  init(_ text: String) throws(PostgreSQLError) {
    let tokens = try Self.tokens(of: text)
    guard !tokens.isEmpty else { throw .invalidInput(text, type: "jsonpath") }
    var parser = Parser(tokens: tokens)
    isStrict = parser.takeWord("strict")
    if !isStrict { _ = parser.takeWord("lax") }
    root = try parser.parseEither().item
    guard parser.current == nil else { throw parser.syntaxError() }
  }
}

// MARK: - Tokens

extension JSONPath {
  fileprivate struct Token: Equatable {
    enum Kind { case symbol, word, string, number, variable }

    var kind: Kind
    var text: String
  }

  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", ">=", "<", ">", "!", "?", "(", ")", "[", "]", ".", ",", "*", "/", "%",
    "+", "-", "@", "$",
  ]

  private static func tokens(of text: String) throws(PostgreSQLError) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    func isWordPart(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_" || character == "$"
    }
    /// A quoted string has the escapes of JSON.
    func takeString() throws(PostgreSQLError) -> String {
      var length = 1
      var isEscaped = false
      for character in rest.dropFirst() {
        length += 1
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          let quoted = String(rest.prefix(length))
          rest = rest.dropFirst(length)
          guard case .string(let text)? = try? JSONB(parsing: quoted) else { break }
          return text
        }
      }
      throw PostgreSQLError("42601", "unterminated quoted string at end of jsonpath input")
    }
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if first == "\"" {
        tokens.append(Token(kind: .string, text: try takeString()))
      } else if first == "$", let next = rest.dropFirst().first, next == "\"" || isWordPart(next) {
        rest = rest.dropFirst()
        let name = next == "\"" ? try takeString() : String(rest.prefix(while: isWordPart))
        if next != "\"" { rest = rest.dropFirst(name.count) }
        tokens.append(Token(kind: .variable, text: name))
      } else if first.isASCII, first.isNumber {
        var number = String(rest.prefix { $0.isASCII && $0.isNumber })
        rest = rest.dropFirst(number.count)
        if rest.first == ".", rest.dropFirst().first.map({ $0.isASCII && $0.isNumber }) == true {
          let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
          number += "." + fraction
          rest = rest.dropFirst(fraction.count + 1)
        }
        tokens.append(Token(kind: .number, text: number))
      } else if let symbol = symbols.first(where: { rest.hasPrefix($0) }) {
        tokens.append(Token(kind: .symbol, text: symbol))
        rest = rest.dropFirst(symbol.count)
      } else if isWordPart(first) {
        let word = String(rest.prefix(while: isWordPart))
        tokens.append(Token(kind: .word, text: word))
        rest = rest.dropFirst(word.count)
      } else {
        throw PostgreSQLError("42601", "syntax error at or near \"\(first)\" of jsonpath input")
      }
    }
    return tokens
  }
}

// MARK: - Parsing

extension JSONPath {
  fileprivate enum Node {
    case item(Item)
    case predicate(Predicate)

    var item: Item {
      switch self {
      case .item(let item): item
      case .predicate(let predicate): .predicate(predicate)
      }
    }
  }

  fileprivate struct Parser {
    let tokens: [Token]
    var index = 0
    var depth = 0
    private var filters = 0
    private var subscripts = 0

    init(tokens: [Token]) { self.tokens = tokens }

    var current: Token? { index < tokens.count ? tokens[index] : nil }

    func syntaxError() -> PostgreSQLError {
      PostgreSQLError(
        "42601",
        current.map { "syntax error at or near \"\($0.text)\" of jsonpath input" }
          ?? "syntax error at end of jsonpath input")
    }

    mutating func take(_ symbol: String) -> Bool {
      guard current == Token(kind: .symbol, text: symbol) else { return false }
      index += 1
      return true
    }

    mutating func takeWord(_ word: String) -> Bool {
      guard current == Token(kind: .word, text: word) else { return false }
      index += 1
      return true
    }

    mutating func expect(_ symbol: String) throws(PostgreSQLError) {
      guard take(symbol) else { throw syntaxError() }
    }

    mutating func takeText(_ kind: Token.Kind) throws(PostgreSQLError) -> String {
      guard let token = current, token.kind == kind else { throw syntaxError() }
      index += 1
      return token.text
    }

    /// Refuses what is evaluated in too many frames.
    static func check(depth: Int) throws(PostgreSQLError) {
      guard depth < 200 else { throw PostgreSQLError("54001", "stack depth limit exceeded") }
    }

    func predicate(_ node: Node) throws(PostgreSQLError) -> Predicate {
      guard case .predicate(let predicate) = node else { throw syntaxError() }
      return predicate
    }

    mutating func parseEither() throws(PostgreSQLError) -> Node {
      depth += 1
      defer { depth -= 1 }
      try Self.check(depth: depth)
      var left = try parseBoth()
      while current == Token(kind: .symbol, text: "||") {
        let first = try predicate(left)
        index += 1
        let second = try parseBoth()
        left = .predicate(.either(first, try predicate(second)))
      }
      return left
    }

    mutating func parseBoth() throws(PostgreSQLError) -> Node {
      var left = try parseTest()
      while current == Token(kind: .symbol, text: "&&") {
        let first = try predicate(left)
        index += 1
        let second = try parseTest()
        left = .predicate(.both(first, try predicate(second)))
      }
      return left
    }

    mutating func parseTest() throws(PostgreSQLError) -> Node {
      if take("!") {
        depth += 1
        defer { depth -= 1 }
        try Self.check(depth: depth)
        let operand = try parseTest()
        return .predicate(.not(try predicate(operand)))
      }
      if current == Token(kind: .word, text: "exists") {
        index += 1
        try expect("(")
        let path = try parseEither().item
        try expect(")")
        return .predicate(.exists(path))
      }
      let left = try parseSum()
      for symbol in ["==", "!=", "<>", "<=", ">=", "<", ">"] where take(symbol) {
        return .predicate(.comparison(symbol == "<>" ? "!=" : symbol, left.item, try parseSum().item))
      }
      if takeWord("like_regex") {
        let pattern = try takeText(.string)
        let options = try options(takeWord("flag") ? takeText(.string) : "")
        _ = try RegularExpression(pattern, options)
        return .predicate(.matches(left.item, pattern: pattern, options))
      }
      if takeWord("starts") {
        guard takeWord("with") else { throw syntaxError() }
        return .predicate(.starts(left.item, with: try parsePrimary().item))
      }
      if takeWord("is") {
        guard takeWord("unknown") else { throw syntaxError() }
        return .predicate(.isUnknown(try predicate(left)))
      }
      return left
    }

    /// The flags of XQuery (PostgreSQL documentation, 9.16.2.3).
    func options(_ flags: String) throws(PostgreSQLError) -> PatternOptions {
      var options = PatternOptions()
      options.stopsAtNewline = true
      for flag in flags {
        switch flag {
        case "i": options.ignoresCase = true
        case "s": options.stopsAtNewline = false
        case "m": options.hasLineAnchors = true
        case "q": options.isLiteral = true
        case "x":
          throw PostgreSQLError(
            "0A000", "XQuery \"x\" flag (expanded regular expressions) is not implemented")
        default:
          throw PostgreSQLError(
            "42601", "invalid input syntax for type jsonpath",
            detail: "Unrecognized flag character \"\(flag)\" in LIKE_REGEX predicate.")
        }
      }
      return options
    }

    mutating func parseSum() throws(PostgreSQLError) -> Node {
      var left = try parseProduct()
      while let symbol = ["+", "-"].first(where: { current == Token(kind: .symbol, text: $0) }) {
        index += 1
        left = .item(.arithmetic(symbol, left.item, try parseProduct().item))
      }
      return left
    }

    mutating func parseProduct() throws(PostgreSQLError) -> Node {
      var left = try parseSign()
      while let symbol = ["*", "/", "%"].first(where: { current == Token(kind: .symbol, text: $0) }) {
        index += 1
        left = .item(.arithmetic(symbol, left.item, try parseSign().item))
      }
      return left
    }

    mutating func parseSign() throws(PostgreSQLError) -> Node {
      var signs: [Bool] = []
      while let isNegative = take("-") ? true : take("+") ? false : nil { signs.append(isNegative) }
      try Self.check(depth: signs.count)
      let operand = try parsePrimary()
      if signs.isEmpty { return operand }
      return .item(signs.reversed().reduce(operand.item) { .sign(isNegative: $1, $0) })
    }

    mutating func parsePrimary() throws(PostgreSQLError) -> Node {
      var node: Node
      if take("$") {
        node = .item(.root)
      } else if take("@") {
        guard filters > 0 else { throw PostgreSQLError("42601", "@ is not allowed in root expressions") }
        node = .item(.current)
      } else if take("(") {
        node = try parseEither()
        try expect(")")
      } else if let token = current {
        index += 1
        switch (token.kind, token.text) {
        case (.variable, let name): node = .item(.variable(name))
        case (.string, let text): node = .item(.literal(.string(text)))
        case (.number, let text): node = .item(.literal(.number(try Numeric(parsing: text))))
        case (.word, "true"): node = .item(.literal(.boolean(true)))
        case (.word, "false"): node = .item(.literal(.boolean(false)))
        case (.word, "null"): node = .item(.literal(.null))
        case (.word, "last"):
          guard subscripts > 0 else {
            throw PostgreSQLError("42601", "LAST is allowed only in array subscripts")
          }
          node = .item(.last)
        default:
          index -= 1
          throw syntaxError()
        }
      } else {
        throw syntaxError()
      }
      var steps = 0
      while let step = try parseStep() {
        steps += 1
        try Self.check(depth: steps)
        node = .item(.step(node.item, step))
      }
      return node
    }

    mutating func parseStep() throws(PostgreSQLError) -> Step? {
      if take("[") {
        if take("*") {
          try expect("]")
          return .anyElement
        }
        subscripts += 1
        defer { subscripts -= 1 }
        var ranges: [(from: Item, to: Item?)] = []
        repeat {
          let from = try parseSum().item
          ranges.append((from, takeWord("to") ? try parseSum().item : nil))
        } while take(",")
        try expect("]")
        return .elements(ranges)
      }
      if take("?") {
        try expect("(")
        filters += 1
        defer { filters -= 1 }
        let condition = try parseEither()
        let filter = try predicate(condition)
        try expect(")")
        return .filter(filter)
      }
      guard take(".") else { return nil }
      if take("*") {
        guard current != Token(kind: .symbol, text: "*") else {
          throw PostgreSQLError.notSupported("The accessor .** of a JSON path")
        }
        return .anyMember
      }
      if let token = current, token.kind == .string || token.kind == .word || token.kind == .variable {
        index += 1
        let name = token.kind == .variable ? "$" + token.text : token.text
        guard token.kind == .word, take("(") else { return .member(name) }
        guard ["type", "size", "double", "ceiling", "floor", "abs"].contains(name) else {
          throw PostgreSQLError.notSupported("The method .\(name)() of a JSON path")
        }
        try expect(")")
        return .method(name)
      }
      throw syntaxError()
    }
  }
}
