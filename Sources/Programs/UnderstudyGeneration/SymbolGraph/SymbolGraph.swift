import UnderstudyText

/// The symbols of a module and their relationships (symbol graph format 0.6).
struct SymbolGraph: Decodable, Sendable {
  struct Module: Decodable, Sendable {
    let name: String
  }

  struct Relationship: Decodable, Sendable {
    /// The kind, such as `requirementOf`, `conformsTo` and `inheritsFrom`.
    let kind: String
    let source: String
    let target: String
    /// The name of a target in another module.
    let targetFallback: String?
  }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}

/// A declaration of a symbol graph.
struct Symbol: Decodable, Sendable {
  struct Kind: Decodable, Sendable {
    let identifier: String
  }

  struct Identifier: Decodable, Sendable {
    /// The mangled name, which is unique.
    let precise: String
  }

  struct Location: Decodable, Sendable {
    struct Position: Decodable, Sendable {
      /// The line, from 0.
      let line: Int
      let character: Int
    }

    let uri: String
    let position: Position
  }

  struct Generics: Decodable, Sendable {
    struct Parameter: Decodable, Sendable {
      let name: String
    }

    struct Constraint: Decodable, Sendable {
      let kind: String
      let lhs: String
      let rhs: String
      let rhsPrecise: String?
    }

    let parameters: [Parameter]?
    let constraints: [Constraint]?
  }

  struct Documentation: Decodable, Sendable {
    struct Line: Decodable, Sendable {
      let text: String
    }

    let lines: [Line]
  }

  let kind: Kind
  let identifier: Identifier
  /// The names of the enclosing declarations, and its own name with its parameter labels, such as `add(_:)`.
  let pathComponents: [String]
  let declarationFragments: [Fragment]
  let accessLevel: String
  let location: Location?
  let availability: [Availability]?
  let swiftGenerics: Generics?
  let docComment: Documentation?

  /// The name with the enclosing types.
  var name: String { pathComponents.joined(separator: ".") }

  /// The source of the declaration in one line.
  var source: String { declarationFragments.map(\.spelling).joined() }

  /// The type behind a type alias; `nil` for another declaration.
  var aliasedType: [Fragment]? {
    guard kind.identifier == "swift.typealias",
      let place = declarationFragments.firstIndex(where: { $0.kind == "text" && $0.spelling.contains(" = ") }
      ),
      let sign = declarationFragments[place].spelling.firstRange(of: " = ")
    else { return nil }
    let first = String(declarationFragments[place].spelling[sign.upperBound...])
    let type = (first.isEmpty ? [] : [Fragment.text(first)]) + declarationFragments[(place + 1)...]
    // Brackets around the whole type. With one element they are not a tuple.
    let text = type.map(\.spelling).joined()
    guard first == "(", type.last?.spelling.hasSuffix(")") == true, !text.contains("->"),
      DeclarationScanner.split(text.dropFirst().dropLast(), at: ",").count == 1, let last = type.last
    else { return type }
    return type.dropFirst().dropLast() + [.text(String(last.spelling.dropLast()))]
  }

  /// The documentation comment in one line; empty without one.
  var documentation: String {
    (docComment?.lines ?? []).map(\.text.trimmed).joined(separator: " ")
  }

  /// The first sentence of the documentation comment, if it begins with one.
  var summary: String? {
    // A list may follow without an empty line.
    let paragraph = (docComment?.lines ?? []).map(\.text.trimmed).prefix {
      !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("* ")
    }.joined(separator: " ")
    guard let first = paragraph.first, !"-*#>|".contains(first) else { return nil }
    guard let end = paragraph.firstRange(of: /[.!?](\s|$)/) else { return paragraph + "." }
    return String(paragraph[..<end.lowerBound]) + String(paragraph[end].prefix(1))
  }

  /// The availability attributes, sorted, because the compiler writes them in any order.
  var availabilityAttributes: [String] { (availability ?? []).map(\.attribute).sorted() }

  /// The location of the declaration in the notation of compilers.
  var place: String? {
    location.map { location in
      let path = location.uri.hasPrefix("file://") ? String(location.uri.dropFirst(7)) : location.uri
      return "\(path):\(location.position.line + 1)"
    }
  }
}

/// A piece of the source of a declaration.
struct Fragment: Decodable, Equatable, Sendable {
  /// The kind, such as `keyword`, `typeIdentifier` and `text`.
  let kind: String
  let spelling: String
  /// The mangled name of the type of a `typeIdentifier`.
  let preciseIdentifier: String?

  /// Takes the generic arguments of a type from what follows its name; none if it has none.
  static func takeArguments(from rest: inout ArraySlice<Fragment>) -> [[Fragment]] {
    guard rest.first?.spelling.hasPrefix("<") == true else { return [] }
    var arguments: [[Fragment]] = [[]]
    var depth = 0
    while let fragment = rest.popFirst() {
      guard fragment.kind == "text" else {
        arguments[arguments.count - 1].append(fragment)
        continue
      }
      var text = ""
      for (place, character) in zip(fragment.spelling.indices, fragment.spelling) {
        let isArrow = character == ">" && text.last == "-"
        if "<([".contains(character) { depth += 1 }
        if ">)]".contains(character), !isArrow { depth -= 1 }
        let isSeparator = character == "," && depth == 1
        let isBracket = depth == 0 || (depth == 1 && character == "<" && arguments == [[]] && text.isEmpty)
        guard isSeparator || isBracket else {
          text.append(character)
          continue
        }
        if !text.isEmpty { arguments[arguments.count - 1].append(.text(text)) }
        text = ""
        if isSeparator { arguments.append([]) }
        if depth == 0 {
          let after = fragment.spelling[fragment.spelling.index(after: place)...]
          if !after.isEmpty { rest = ArraySlice([.text(String(after))] + rest) }
          return arguments
        }
      }
      if !text.isEmpty { arguments[arguments.count - 1].append(.text(text)) }
    }
    return arguments
  }

  /// Punctuation.
  static func text(_ spelling: String) -> Fragment {
    Fragment(kind: "text", spelling: spelling, preciseIdentifier: nil)
  }
}

/// The availability of a declaration on a platform.
struct Availability: Decodable, Sendable {
  struct Version: Decodable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int?
    let patch: Int?

    var description: String {
      [major, minor, patch].compactMap { $0 }.map(String.init).joined(separator: ".")
    }
  }

  /// A platform, `swift`, or `*`.
  let domain: String?
  let introduced: Version?
  let deprecated: Version?
  let obsoleted: Version?
  let message: String?
  let renamed: String?
  let isUnconditionallyDeprecated: Bool?
  let isUnconditionallyUnavailable: Bool?

  /// The attribute in source.
  var attribute: String {
    var parts = [domain ?? "*"]
    if isUnconditionallyUnavailable == true { parts.append("unavailable") }
    if isUnconditionallyDeprecated == true { parts.append("deprecated") }
    if let introduced { parts.append("introduced: \(introduced)") }
    if let deprecated { parts.append("deprecated: \(deprecated)") }
    if let obsoleted { parts.append("obsoleted: \(obsoleted)") }
    if let message { parts.append("message: \(message.debugDescription)") }
    if let renamed { parts.append("renamed: \(renamed.debugDescription)") }
    return "@available(\(parts.joined(separator: ", ")))"
  }
}

/// The mangled name of a declaration.
struct MangledName {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The module to import; `nil` if no import is required, and for declarations in C.
  ///
  /// A Swift name is `s:`, then the length and the name of the module (`s:3App4TodoV`). The standard library and
  /// `_Concurrency` have abbreviations. A word that is repeated has one too (`s:04DuckA2Go4ItemV`).
  var module: String? {
    guard text.hasPrefix("s:"), let module = Self.identifier(text.dropFirst(2)) else { return nil }
    // A module with an underscore is a part of another one, which is imported instead.
    if module.hasPrefix("_") { return nil }
    return module.hasPrefix("FoundationEssentials") || module.hasPrefix("FoundationInternationalization")
      ? "Foundation" : module
  }

  /// Returns the first identifier of a mangled name (`Mangling.rst`, identifier).
  ///
  /// After a zero, letters are words that are repeated: lowercase ones, and an uppercase one as the last of them.
  private static func identifier(_ name: Substring) -> String? {
    var rest = name
    var words: [Substring] = []
    var identifier = ""
    var hasWords = rest.first == "0"
    if hasWords { rest = rest.dropFirst() }
    repeat {
      while hasWords, let letter = rest.first, letter.isASCII, letter.isLetter {
        rest = rest.dropFirst()
        hasWords = letter.isLowercase
        let number = Int(letter.lowercased().utf8.first ?? 0) - Int(UInt8(ascii: "a"))
        guard words.indices.contains(number) else { return nil }
        identifier += words[number]
      }
      if rest.first == "0" { break }
      let digits = rest.prefix(while: \.isNumber)
      guard let length = Int(digits), length > 0 else { return nil }
      let part = rest.dropFirst(digits.count).prefix(length)
      rest = rest.dropFirst(digits.count + part.count)
      identifier += part
      words += self.words(in: part)
    } while hasWords
    return identifier
  }

  /// Returns the words of an identifier that can be repeated: `Duck` and `Go` of `DuckGo`.
  private static func words(in part: Substring) -> [Substring] {
    var words: [Substring] = []
    var start: Substring.Index?
    var previous: Character = "_"
    for place in part.indices {
      let character = part[place]
      if let first = start, character == "_" || (!previous.isUppercase && character.isUppercase) {
        words.append(part[first..<place])
        start = nil
      }
      if start == nil, !character.isNumber, character != "_" { start = place }
      previous = character
    }
    if let start { words.append(part[start...]) }
    return words.filter { $0.count > 1 }
  }
}
