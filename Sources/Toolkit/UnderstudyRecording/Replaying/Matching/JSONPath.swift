import UnderstudyHTTP

/// A path to values of a JSON document: child segments of JSONPath (RFC 9535 §2.5.1).
struct JSONPath: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    case name(String)
    case index(Int)
    case every
  }

  /// An invalid path.
  struct Problem: Error {
    let message: String
  }

  let steps: [Step]

  init(_ text: String) throws(Problem) {
    var rest = text[...]
    func problem(_ expected: String) -> Problem {
      let place = text.distance(from: text.startIndex, to: rest.startIndex)
      let found = rest.isEmpty ? "the end" : "\"\(rest.prefix(12))\""
      return Problem(
        message: """
          Invalid path \(text.debugDescription) of an ignored value: at character \(place), expected \(expected), \
          found \(found). Valid examples: $.client.id, $.items[*].createdAt and $['a name'][0].
          """)
    }
    guard rest.first == "$" else { throw problem("a leading $") }
    rest = rest.dropFirst()
    var steps: [Step] = []
    while let first = rest.first {
      switch first {
      case ".":
        rest = rest.dropFirst()
        let name = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" && !$0.isWhitespace }
        guard !name.isEmpty else { throw problem("a name or * after the dot") }
        steps.append(name == "*" ? .every : .name(String(name)))
        rest = rest.dropFirst(name.count)
      case "[":
        rest = rest.dropFirst()
        if let quote = rest.first, quote == "'" || quote == "\"" {
          guard let name = Self.name(in: quote, &rest) else { throw problem("the closing quote of the name") }
          steps.append(.name(name))
        } else if rest.first == "*" {
          rest = rest.dropFirst()
          steps.append(.every)
        } else {
          let digits = rest.prefix { ("0"..."9").contains($0) }
          guard let index = Int(digits) else {
            throw problem("a number, * or a quoted name after the bracket")
          }
          rest = rest.dropFirst(digits.count)
          steps.append(.index(index))
        }
        guard rest.first == "]" else { throw problem("a closing bracket") }
        rest = rest.dropFirst()
      default:
        throw problem("a dot or a bracket")
      }
    }
    self.steps = steps
  }

  /// Parses a quoted name, in which a backslash escapes the next character; `nil` if the closing quote is missing.
  private static func name(in quote: Character, _ rest: inout Substring) -> String? {
    rest = rest.dropFirst()
    var name = ""
    while let character = rest.popFirst() {
      if character == quote { return name }
      if character == "\\" {
        guard let next = rest.popFirst() else { break }
        name.append(next)
      } else {
        name.append(character)
      }
    }
    return nil
  }
}

extension JSONValue {
  /// Returns the document without the values at the paths; `nil` if a path refers to the document itself.
  func removing(_ paths: [ArraySlice<JSONPath.Step>]) -> JSONValue? {
    if paths.isEmpty { return self }
    if paths.contains(where: \.isEmpty) { return nil }
    switch self {
    case .object(let members):
      return .object(
        members.compactMap { member in
          let rest = paths.filter { $0.first == .every || $0.first == .name(member.name) }
          return member.value.removing(rest.map { $0.dropFirst() }).map { .init(member.name, $0) }
        })
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, element in
          element.removing(
            paths.filter { $0.first == .every || $0.first == .index(index) }.map { $0.dropFirst() })
        })
    default:
      return self
    }
  }
}
