import UnderstudyHTTP

/// PostgreSQL's notation of an array of one dimension: `{a,"b, c",NULL}`.
enum ArrayLiteral {
  static func elements(of text: String) throws(PostgRESTError) -> [String?] {
    var rest = Substring(text).drop(while: \.isWhitespace)
    guard rest.popFirst() == "{" else {
      throw malformed(text, "Array value must start with \"{\" or dimension information.")
    }
    var elements: [String?] = []
    rest = rest.drop(while: \.isWhitespace)
    if rest.first == "}" {
      rest.removeFirst()
    } else {
      while true {
        elements.append(try element(of: text, &rest))
        rest = rest.drop(while: \.isWhitespace)
        let next = rest.popFirst()
        if next == "}" { break }
        guard next == "," else {
          throw malformed(text, next == nil ? "Unexpected end of input." : "Unexpected array element.")
        }
      }
    }
    guard rest.allSatisfy(\.isWhitespace) else { throw malformed(text, "Junk after closing right brace.") }
    return elements
  }

  private static func element(of text: String, _ rest: inout Substring) throws(PostgRESTError) -> String? {
    rest = rest.drop(while: \.isWhitespace)
    let isQuoted = rest.first == "\""
    if isQuoted { rest.removeFirst() }
    var element = ""
    var isEscaped = false
    while let character = rest.first {
      if character == "\\" {
        rest.removeFirst()
        guard let escaped = rest.popFirst() else { break }
        element.append(escaped)
        isEscaped = true
      } else if isQuoted {
        rest.removeFirst()
        if character == "\"" { return element }
        element.append(character)
      } else if character == "," || character == "}" {
        while !isEscaped, element.last?.isWhitespace == true { element.removeLast() }
        if element.isEmpty { throw malformed(text, "Unexpected \"\(character)\" character.") }
        return !isEscaped && element.lowercased() == "null" ? nil : element
      } else if character == "\"" {
        throw malformed(text, "Unexpected array element.")
      } else if character == "{" {
        // Arrays of more dimensions have no place in a column of this dialect.
        throw malformed(text, "Unexpected \"\(character)\" character.")
      } else {
        rest.removeFirst()
        element.append(character)
      }
    }
    throw malformed(text, "Unexpected end of input.")
  }

  static func text(of elements: [String?]) -> String {
    let written = elements.map { element -> String in
      guard let element else { return "NULL" }
      let isPlain =
        !element.isEmpty && element.lowercased() != "null"
        && !element.contains { $0.isWhitespace || "{}\\\",".contains($0) }
      if isPlain { return element }
      return "\"" + element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "{" + written.joined(separator: ",") + "}"
  }

  private static func malformed(_ text: String, _ details: String) -> PostgRESTError {
    PostgRESTError(code: "22P02", message: "malformed array literal: \"\(text)\"", details: details)
  }
}
