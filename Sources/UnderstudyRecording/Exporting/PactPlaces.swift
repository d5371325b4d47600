import UnderstudyHTTP

/// The places of a message that are examples, with what may stand there and what a provider state puts there.
struct PactPlaces {
  private var bodyRules: [JSONValue.Member] = []
  private var fieldRules: [JSONValue.Member] = []
  private var bodyGenerators: [JSONValue.Member] = []
  private var fieldGenerators: [JSONValue.Member] = []

  var matchingRules: JSONValue? {
    .unlessEmpty(Self.categories(body: bodyRules, header: fieldRules))
  }

  var generators: JSONValue? {
    .unlessEmpty(Self.categories(body: bodyGenerators, header: fieldGenerators))
  }

  private static func categories(body: [JSONValue.Member], header: [JSONValue.Member]) -> [JSONValue.Member] {
    [("header", header), ("body", body)].compactMap { name, members in
      JSONValue.unlessEmpty(members).map { .init(name, $0) }
    }
  }

  // MARK: - Names in braces

  mutating func addNames(in text: String, ofField name: String) {
    let text = FilledText(text)
    guard !text.names.isEmpty else { return }
    fieldRules.append(.init(name, Self.rule(.pattern(text.pattern))))
    fieldGenerators.append(.init(name, Self.generator(text)))
  }

  mutating func addNames(in value: JSONValue, at path: String) {
    switch value {
    case .string(let string):
      let text = FilledText(string)
      guard !text.names.isEmpty else { return }
      bodyRules.append(.init(path, Self.rule(.pattern(text.pattern))))
      bodyGenerators.append(.init(path, Self.generator(text)))
    case .array(let elements):
      for (index, element) in elements.enumerated() { addNames(in: element, at: "\(path)[\(index)]") }
    case .object(let members):
      for member in members { addNames(in: member.value, at: path + Self.step(to: member.name)) }
    default: break
    }
  }

  private static func generator(_ text: FilledText) -> JSONValue {
    .members([
      "type": .string("ProviderState"), "expression": .string(text.expression), "dataType": .string("STRING"),
    ])
  }

  // MARK: - What may vary

  mutating func addPattern(_ pattern: String, at path: String) {
    bodyRules.append(.init(path, Self.rule(.pattern(pattern))))
  }

  /// - Parameters:
  ///   - variations: By dotted path.
  ///   - value: The body.
  mutating func addVariations(of variations: [String: ExchangeResponse.Variation], in value: JSONValue) {
    addVariations(of: variations, in: value, dotted: "", at: "$")
  }

  private mutating func addVariations(
    of variations: [String: ExchangeResponse.Variation], in value: JSONValue, dotted: String, at path: String
  ) {
    // Pact allows further members anywhere, so that `members` needs no rule.
    if let rule = variations[dotted]?.pactRule { bodyRules.append(.init(path, Self.rule(rule))) }
    let prefix = dotted.isEmpty ? "" : dotted + "."
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        addVariations(of: variations, in: element, dotted: "\(prefix)\(index)", at: "\(path)[\(index)]")
      }
    case .object(let members):
      for member in members {
        addVariations(
          of: variations, in: member.value, dotted: prefix + member.name,
          at: path + Self.step(to: member.name))
      }
    default: break
    }
  }

  /// A step of a path, in brackets where the name is no plain word.
  private static func step(to name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil ? "['\(name)']" : ".\(name)"
  }

  fileprivate enum Rule {
    case pattern(String)
    case type
    case number
  }

  private static func rule(_ rule: Rule) -> JSONValue {
    let matcher: JSONValue =
      switch rule {
      case .pattern(let pattern): .members(["match": .string("regex"), "regex": .string(pattern)])
      case .type: .members(["match": .string("type")])
      case .number: .members(["match": .string("number")])
      }
    return .members(["combine": .string("AND"), "matchers": .array([matcher])])
  }
}

extension ExchangeResponse.Variation {
  /// A regular expression for the texts that are allowed; `nil` where it is no text of a form.
  ///
  /// As PostgreSQL prints a `timestamptz` in UTC, see ``timestamp``.
  var pattern: String? {
    switch self {
    case .uuid: "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    case .timestamp: #"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?\+00:00"#
    case .text, .number, .members: nil
    }
  }

  fileprivate var pactRule: PactPlaces.Rule? {
    switch self {
    case .uuid, .timestamp: pattern.map { .pattern("^\($0)$") }
    case .text: .type
    case .number: .number
    case .members: nil
    }
  }
}
