import Foundation
import SharedServicesExchanges
import Testing
import UnderstudyHTTP

/// The documents are what their JSON Schema says.
struct SchemaTests {
  @Test(arguments: ExchangeDocuments.all)
  func allows(_ document: (name: String, document: Data)) throws {
    let schema = try SchemaCheck(JSONValue(parsing: ExchangeDocuments.schema))
    #expect(schema.problems(of: try JSONValue(parsing: document.document)) == [])
  }

  /// What is wrong in a document, and what is then said.
  @Test(arguments: [
    (#""ends": "complete""#, #""ends": "well""#, #"response.ends: "well" is none of what is allowed"#),
    (#""operation": "history""#, #""operatoin": "history""#, ".operatoin: is unknown"),
    (#""operation": "history""#, #""operatoin": "history""#, ".operation: is missing"),
    (#""status": 200"#, #""status": 99"#, "response.status: is too small"),
    (#""path": "/rest"#, #""path": "rest"#, "request.path: has not the form ^/"),
    (#""pause": 250"#, #""pause": "250""#, ".pause: is no integer"),
    (#""result": "messages""#, #""result": "messages", "after": 1"#, ".means: is none of the alternatives"),
  ])
  func refuses(_ old: String, _ new: String, _ problem: String) throws {
    let schema = try SchemaCheck(JSONValue(parsing: ExchangeDocuments.schema))
    let text = String(decoding: ExchangeDocuments.conversations, as: UTF8.self)
    let spoiled = try JSONValue(parsing: Data(text.replacingOccurrences(of: old, with: new).utf8))
    let problems = schema.problems(of: spoiled)
    #expect(problems.contains { $0.hasSuffix(problem) }, "\(problems)")
  }

  /// A rule that the check does not know would pass everything.
  @Test func theCheckKnowsEveryRuleOfTheSchema() throws {
    let schema = try SchemaCheck(JSONValue(parsing: ExchangeDocuments.schema))
    #expect(schema.unknownRules == [])
  }
}

/// As much of JSON Schema (draft 2020-12) as the documents' schema uses.
private struct SchemaCheck {
  private let root: JSONValue

  init(_ schema: JSONValue) {
    root = schema
  }

  func problems(of value: JSONValue) -> [String] { problems(of: value, root, at: "the document") }

  private func problems(of value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    var schema = schema
    if let reference = schema["$ref"]?.stringValue {
      schema = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] ?? .null
    }
    guard case .object(let rules) = schema else { return ["\(place): the schema has no rule for it"] }
    var problems: [String] = []
    for rule in rules {
      switch (rule.name, rule.value) {
      case ("type", .string(let type)) where !Self.isOfType(value, type): problems.append("is no \(type)")
      case ("pattern", .string(let pattern)):
        let text = value.stringValue ?? ""
        if text.range(of: pattern, options: .regularExpression) == nil {
          problems.append("has not the form \(pattern)")
        }
      case ("enum", .array(let allowed)) where !allowed.contains(value):
        problems.append("\(value.stringValue.map { "\"\($0)\"" } ?? "\(value)") is none of what is allowed")
      case ("minimum", let limit) where Self.number(value) < Self.number(limit):
        problems.append("is too small")
      case ("maximum", let limit) where Self.number(value) > Self.number(limit):
        problems.append("is too large")
      case ("minItems", let limit):
        if case .array(let elements) = value, Double(elements.count) < Self.number(limit) {
          problems.append("has too few elements")
        }
      case ("oneOf", .array(let alternatives)):
        let matches = alternatives.count { self.problems(of: value, $0, at: place).isEmpty }
        if matches != 1 { problems.append("is none of the alternatives") }
      default: break
      }
    }
    return problems.map { "\(place): \($0)" } + problemsInside(value, schema, at: place)
  }

  private func problemsInside(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    switch value {
    case .array(let elements):
      guard let rule = schema["items"] else { return [] }
      return elements.enumerated().flatMap { problems(of: $0.element, rule, at: "\(place)[\($0.offset)]") }
    case .object(let members):
      var found: [String] = []
      if case .array(let required)? = schema["required"] {
        for name in required.compactMap(\.stringValue) where value[name] == nil {
          found.append("\(place).\(name): is missing")
        }
      }
      for member in members {
        let place = "\(place).\(member.name)"
        switch schema["properties"]?[member.name] ?? schema["additionalProperties"] {
        case .boolean(false)?: found.append("\(place): is unknown")
        case let rule?: found += problems(of: member.value, rule, at: place)
        case nil: break
        }
      }
      return found
    default: return []
    }
  }

  private static func isOfType(_ value: JSONValue, _ type: String) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string): true
    case ("integer", .number(let digits)): Int(digits) != nil
    default: false
    }
  }

  private static func number(_ value: JSONValue) -> Double {
    if case .number(let digits) = value { Double(digits) ?? .nan } else { .nan }
  }

  // MARK: - The schema itself

  private static let knownRules: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "type", "required", "additionalProperties",
    "properties",
    "items", "minItems", "minimum", "maximum", "enum", "pattern", "oneOf",
  ]

  /// The rules of the schema that nothing here looks at.
  var unknownRules: Set<String> { Self.rules(of: root).subtracting(Self.knownRules) }

  private static func rules(of schema: JSONValue) -> Set<String> {
    guard case .object(let members) = schema else { return [] }
    var rules = Set(members.map(\.name))
    for member in members {
      switch (member.name, member.value) {
      case ("properties", .object(let named)), ("$defs", .object(let named)):
        for schema in named { rules.formUnion(Self.rules(of: schema.value)) }
      case ("items", let schema), ("additionalProperties", let schema):
        rules.formUnion(Self.rules(of: schema))
      case ("oneOf", .array(let schemas)): for schema in schemas { rules.formUnion(Self.rules(of: schema)) }
      default: break
      }
    }
    return rules
  }
}
