/// Swift source, written line by line.
struct SourceText {
  private(set) var lines: [String] = []
  private var depth = 0
  /// The maximum width of a line that can be broken.
  static let width = 110

  /// The whole text, with a final line break.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Writes a line at the current depth; an empty line has no spaces.
  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: depth) + text)
  }

  /// Returns whether a line fits at the current depth.
  func fits(_ text: String) -> Bool { depth * 2 + text.count <= Self.width }

  /// Writes a documentation comment with an empty line between paragraphs.
  mutating func documentation(_ paragraphs: [String]) {
    for (number, paragraph) in paragraphs.enumerated() {
      if number > 0 { line("///") }
      var text = "///"
      for word in paragraph.split(separator: " ") {
        if !fits("\(text) \(word)"), text != "///" {
          line(text)
          text = "///"
        }
        text += " \(word)"
      }
      line(text)
    }
  }

  /// Writes a line that opens a brace, its contents, and the closing brace.
  mutating func block(_ head: String, closing: String = "}", _ body: (inout SourceText) -> Void) {
    line(head)
    nested(body)
    line(closing)
  }

  /// Writes lines one level deeper.
  mutating func nested(_ body: (inout SourceText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Writes a list in brackets on one line, or each item on its own line if it is too long.
  ///
  /// - Parameters:
  ///   - head: The source up to the opening bracket.
  ///   - items: The items.
  ///   - tail: The source from the closing bracket on.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    let whole = head + items.joined(separator: ", ") + tail
    guard !fits(whole), !items.isEmpty else { return line(whole) }
    line(head)
    nested { source in
      let inOneLine = items.joined(separator: ", ")
      if source.fits(inOneLine) {
        source.line(inOneLine)
      } else {
        for (number, item) in items.enumerated() { source.line(item + (number + 1 < items.count ? "," : "")) }
      }
    }
    line(tail)
  }
}

/// The signature of a member that implements a requirement.
struct MemberSignature {
  private let declaration: Declaration
  private let access: AccessLevel
  /// The type that implements the requirement; `nil` for ``Intercepted``.
  private let type: String?

  init(_ declaration: Declaration, access: AccessLevel, of type: String? = nil) {
    self.declaration = declaration
    self.access = access
    self.type = type
  }

  /// Writes the signature with its opening brace.
  func open(to source: inout SourceText) {
    let modifiers = declaration.modifiers.filter { $0 != "mutating" }
    let prefix = modifiers.map { $0 + " " }.joined() + access.modifier
    let parameters = declaration.parameters.map { parameter in
      declaration.kind == .subscript && parameter.label == nil
        ? "\(parameter.name): \(parameter.type)"
        : declaration.isOperator
          ? parameter.declaration.replacing(/\bSelf\b/, with: type ?? "Understudy.Intercepted<Base>")
          : parameter.declaration
    }
    let requirements = declaration.requirements.isEmpty ? "" : " where \(declaration.requirements)"
    let result = declaration.result.isEmpty ? "" : " -> \(declaration.result)"
    switch declaration.kind {
    case .property:
      source.line("\(prefix)var \(declaration.name): \(declaration.result) {")
    case .subscript:
      source.list("\(prefix)subscript\(declaration.generics)(", parameters, ")\(result)\(requirements) {")
    case .initializer:
      source.list(
        "\(prefix)\(type == nil ? "convenience " : "")init\(declaration.name)\(declaration.generics)(",
        parameters,
        ")\(declaration.effects.suffix)\(requirements) {")
    case .method:
      source.list(
        "\(prefix)func \(declaration.name)\(declaration.generics)(", parameters,
        ")\(declaration.effects.suffix)\(result)\(requirements) {")
    }
  }
}
