import UnderstudyText

/// A parser of the text of a requirement, which the compiler writes without default values, comments and line breaks.
struct DeclarationScanner {
  private var rest: Substring

  private init(_ text: Substring) {
    rest = text
  }

  /// Parses a requirement.
  ///
  /// - Parameter fragments: The fragments of a symbol graph.
  /// - Returns: `nil` if it is not a method, property, subscript or initializer.
  static func scan(_ fragments: [Fragment]) -> Declaration? {
    let introducers: [String: Declaration.Kind] = [
      "func": .method, "var": .property, "subscript": .subscript, "init": .initializer,
    ]
    guard
      let index = fragments.firstIndex(where: { $0.kind == "keyword" && introducers[$0.spelling] != nil }),
      let kind = introducers[fragments[index].spelling]
    else { return nil }
    let modifiers = fragments[..<index].map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
    var scanner = DeclarationScanner(fragments[(index + 1)...].map(\.spelling).joined()[...])
    return scanner.declaration(kind, modifiers.map(String.init))
  }

  /// Parses a stored property of a structure whose value is a closure, as a method.
  ///
  /// - Returns: `nil` if it is another property.
  static func scanClosure(_ fragments: [Fragment]) -> Declaration? {
    guard
      let index = fragments.firstIndex(where: {
        $0.kind == "keyword" && ["var", "let"].contains($0.spelling)
      }),
      !fragments[..<index].contains(where: { $0.spelling == "static" })
    else { return nil }
    let text = fragments[(index + 1)...].map(\.spelling).joined()
    let halves = split(text[...], at: ":", most: 2)
    guard halves.count == 2, !text.contains("{") else { return nil }
    var scanner = DeclarationScanner(halves[1][...])
    var attributes: [String] = []
    while scanner.rest.hasPrefix("@") {
      attributes.append(scanner.take { $0 != " " })
      scanner.rest = scanner.rest.drop(while: \.isWhitespace)
    }
    guard scanner.rest.first == "(" else { return nil }
    let types = split(scanner.bracketed().dropFirst().dropLast(), at: ",")
    let effects = scanner.effects()
    guard scanner.rest.hasPrefix("->") else { return nil }
    let result = String(scanner.rest.dropFirst(2)).trimmed
    let parameters = types.enumerated().map { place, text in
      let name = "argument\(types.count > 1 ? "\(place + 1)" : "")"
      return parameter(
        split(text[...], at: ": ", most: 2).count > 1 ? text : "_ \(name): \(text)", in: .method)
    }
    return Declaration(
      kind: .method, modifiers: attributes, name: halves[0].trimmed, generics: "", parameters: parameters,
      effects: effects, result: ["Void", "()"].contains(result) ? "" : result, requirements: "",
      isSettable: false, hasMutatingAccessor: false)
  }

  private mutating func declaration(_ kind: Declaration.Kind, _ modifiers: [String]) -> Declaration {
    rest = rest.drop(while: \.isWhitespace)
    // The name of an operator may begin with the sign of a generic parameter list.
    let isOperator = kind == .method && rest.first.map { !$0.isLetter && !"_`".contains($0) } == true
    let name = take { isOperator ? !" (".contains($0) : !"<(:".contains($0) }.trimmed
    if isOperator { rest = rest.drop(while: \.isWhitespace) }
    var accessors = ""
    if kind != .method, rest.hasSuffix("}"), let brace = Self.split(rest, at: "{", most: 2).last {
      accessors = String(brace.dropLast()).trimmed
      rest = rest.dropLast(rest.distance(from: rest.lastIndex(of: "{") ?? rest.endIndex, to: rest.endIndex))
    }
    let generics = rest.first == "<" ? String(bracketed()) : ""
    let parameters =
      rest.first == "("
      ? Self.split(bracketed().dropFirst().dropLast(), at: ",").enumerated().map {
        Self.parameter($1, in: kind, number: $0 + 1)
      } : []
    if kind == .property { rest = rest.drop { ": ".contains($0) } }
    let parts = Self.split(rest, at: " where ", most: 2)
    rest = (parts.first ?? "")[...]
    let effects = kind == .property ? Declaration.Effects() : self.effects()
    if rest.hasPrefix("->") { rest = rest.dropFirst(2) }
    var getter = DeclarationScanner(
      accessors.replacing("mutating get", with: "get").dropFirst(3).trimmed[...])
    return Declaration(
      kind: kind, modifiers: modifiers, name: name, generics: generics, parameters: parameters,
      effects: kind == .property || kind == .subscript ? getter.effects() : effects,
      result: String(rest).trimmed, requirements: parts.count > 1 ? parts[1] : "",
      isSettable: SourceWords.of(accessors).contains("set"),
      hasMutatingAccessor: SourceWords.of(accessors).contains("set")
        && !SourceWords.of(accessors).contains("nonmutating") || accessors.hasPrefix("mutating"))
  }

  /// Consumes `async throws(E)` or a part of it.
  private mutating func effects() -> Declaration.Effects {
    var effects = Declaration.Effects()
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if takePrefix("async") {
        effects.isAsync = true
      } else if takePrefix("rethrows") {
        effects.throwing = .whatItsArgumentsThrow
      } else if takePrefix("throws") {
        let type = rest.first == "(" ? String(bracketed().dropFirst().dropLast()) : "any Error"
        effects.throwing = Declaration.Throwing(type)
      } else {
        return effects
      }
    }
  }

  private static func parameter(_ text: String, in kind: Declaration.Kind, number: Int = 1) -> Parameter {
    let halves = split(text[...], at: ":", most: 2)
    let names = halves[0].split(separator: " ").map { SourceWords.bare(String($0)) }
    var type = (halves.count > 1 ? halves[1] : "").trimmed
    var specifiers: [String] = []
    let known = [
      "inout", "consuming", "borrowing", "__owned", "__shared", "sending", "isolated", "@escaping",
      "@autoclosure",
    ]
    while let specifier = known.first(where: { type.hasPrefix($0 + " ") }) {
      specifiers.append(specifier)
      type = String(type.dropFirst(specifier.count + 1)).trimmed
    }
    let isVariadic = type.hasSuffix("...")
    if isVariadic { type = String(type.dropLast(3)) }
    let isUnlabelled = names.first == "_" || (names.count == 1 && kind == .subscript)
    return Parameter(
      label: isUnlabelled ? nil : names.first,
      name: names.last.flatMap { $0 == "_" ? nil : $0 } ?? "argument\(number)", type: type,
      specifiers: specifiers,
      isVariadic: isVariadic)
  }

  // MARK: - Text

  private mutating func take(while isIncluded: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: isIncluded)
    rest = rest.dropFirst(taken.count)
    return String(taken)
  }

  private mutating func takePrefix(_ word: String) -> Bool {
    guard rest.hasPrefix(word) else { return false }
    rest = rest.dropFirst(word.count)
    return true
  }

  /// Consumes brackets and their contents.
  private mutating func bracketed() -> Substring {
    var depth = 0
    var previous: Character = " "
    for index in rest.indices {
      depth += Self.nesting(rest[index], after: previous)
      previous = rest[index]
      if depth == 0 {
        let taken = rest[...index]
        rest = rest[rest.index(after: index)...]
        return taken
      }
    }
    defer { rest = "" }
    return rest
  }

  /// Returns the trimmed parts between separators outside brackets.
  static func split(_ text: Substring, at separator: String, most: Int = .max) -> [String] {
    var pieces: [String] = []
    var depth = 0
    var previous: Character = " "
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      if depth == 0, pieces.count + 1 < most, text[index...].hasPrefix(separator) {
        pieces.append(String(text[start..<index]).trimmed)
        index = text.index(index, offsetBy: separator.count)
        start = index
        previous = " "
        continue
      }
      depth += nesting(text[index], after: previous)
      previous = text[index]
      index = text.index(after: index)
    }
    let last = String(text[start...]).trimmed
    return pieces.isEmpty && last.isEmpty ? [] : pieces + [last]
  }

  /// Returns the change of the nesting depth at a character; the arrow is not a bracket.
  private static func nesting(_ character: Character, after previous: Character) -> Int {
    switch character {
    case "(", "[", "<": 1
    case ")", "]": -1
    case ">" where previous != "-": -1
    default: 0
    }
  }
}
