import UnderstudyHTTP

/// The parts of a message that are examples, with their matching rules and their generators.
struct PactPlaces {
  private typealias Category = [JSONValue.Member]

  private var rules: [String: Category] = [:]
  private var generators: [String: Category] = [:]

  var matchingRulesJSON: JSONValue? { Self.json(rules) }
  var generatorsJSON: JSONValue? { Self.json(generators) }

  private static func json(_ categories: [String: Category]) -> JSONValue? {
    .unlessEmpty(
      ["path", "query", "header", "body"].compactMap { name in
        guard let members = categories[name] else { return nil }
        // A path has a single unnamed part.
        return .init(name, name == "path" ? members[0].value : .object(members))
      })
  }

  // MARK: - Requests

  /// Adds a text of a request, in which any other UUID or secret is allowed.
  mutating func add(
    _ text: RecordedText, of category: String, at place: String, supplying names: [String: String]
  ) {
    guard let expression = text.expression(supplying: names) else { return }
    rules[category, default: []].append(.init(place, Self.rule(.pattern(text.pattern))))
    let generator = JSONValue.members([
      "type": .string("ProviderState"), "expression": .string(expression), "dataType": .string("STRING"),
    ])
    generators[category, default: []].append(.init(place, generator))
  }

  mutating func add(requestBody value: JSONValue, at path: String = "$", supplying names: [String: String]) {
    switch value {
    case .string(let string): add(RecordedText(string), of: "body", at: path, supplying: names)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        add(requestBody: element, at: "\(path)[\(index)]", supplying: names)
      }
    case .object(let members):
      for member in members {
        add(requestBody: member.value, at: path + Self.step(to: member.name), supplying: names)
      }
    default: break
    }
  }

  // MARK: - Responses

  mutating func add(field: RecordedText, named name: String) {
    guard field.varies else { return }
    rules["header", default: []].append(.init(name, Self.rule(.pattern(field.pattern))))
  }

  mutating func add(pattern: String) {
    rules["body", default: []].append(.init("$", Self.rule(.pattern(pattern))))
  }

  mutating func add(responseBody value: JSONValue, at path: String = "$", varying variability: Variability) {
    if let rule = variability.rule(for: value) {
      rules["body", default: []].append(.init(path, Self.rule(rule)))
    }
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        add(responseBody: element, at: "\(path)[\(index)]", varying: variability)
      }
    case .object(let members):
      for member in members {
        add(responseBody: member.value, at: path + Self.step(to: member.name), varying: variability)
      }
    default: break
    }
  }

  /// Returns a step of a path, in brackets if the name is not a plain word.
  private static func step(to name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil ? "['\(name)']" : ".\(name)"
  }

  private static func rule(_ rule: Variability.Rule) -> JSONValue {
    let matcher: JSONValue =
      switch rule {
      case .pattern(let pattern): .members(["match": .string("regex"), "regex": .string("^\(pattern)$")])
      case .number: .members(["match": .string("number")])
      }
    return .members(["combine": .string("AND"), "matchers": .array([matcher])])
  }
}
