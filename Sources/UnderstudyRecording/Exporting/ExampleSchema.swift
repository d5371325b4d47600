import UnderstudyHTTP

/// The common structure of example values, as a JSON Schema (draft 2020-12).
///
/// It contains types, required members, and whether all texts are UUIDs, dates or dates with a time. An example that is
/// `null` only makes the value nullable.
struct ExampleSchema {
  private enum Format: String {
    case uuid, date
    case dateTime = "date-time"
  }

  private struct Object {
    var count = 0
    /// Whether members without an example are allowed.
    var isOpen = false
    var members: [(name: String, count: Int, schema: ExampleSchema)] = []
  }

  private var object: Object?
  /// The schema of the elements, in an array because the type is recursive; empty until an element is added.
  private var elements: [ExampleSchema]?
  /// The formats of the strings; `nil` represents a string without a format.
  private var formats: Set<Format?> = []
  private var hasNumber = false
  private var hasFraction = false
  private var hasBoolean = false
  private var hasNull = false

  init() {}

  /// Adds an example.
  ///
  /// - Parameters:
  ///   - value: The example.
  ///   - isOpen: Whether objects may have members without an example.
  mutating func add(_ value: JSONValue, isOpen: Bool = false) {
    switch value {
    case .null: hasNull = true
    case .boolean: hasBoolean = true
    case .number(let digits):
      hasNumber = true
      if digits.contains(where: { ".eE".contains($0) }) { hasFraction = true }
    case .string(let text): formats.insert(Self.format(of: text))
    case .array(let values):
      var schema = elements?.first
      for value in values {
        var known = schema ?? ExampleSchema()
        known.add(value, isOpen: isOpen)
        schema = known
      }
      elements = schema.map { [$0] } ?? []
    case .object(let members):
      var object = object ?? Object()
      object.count += 1
      if isOpen { object.isOpen = true }
      for member in members {
        let index = object.members.firstIndex { $0.name == member.name } ?? object.members.count
        if index == object.members.count { object.members.append((member.name, 0, ExampleSchema())) }
        object.members[index].count += 1
        object.members[index].schema.add(member.value, isOpen: isOpen)
      }
      self.object = object
    }
  }

  private static func format(of text: String) -> Format? {
    let recorded = RecordedText(text)
    if recorded.uuids.count == 1, text.utf8.count == 36 { return .uuid }
    guard Variability.datePattern(text) != nil else { return nil }
    return text.utf8.count == 10 ? .date : .dateTime
  }

  /// The schema; an empty one, which allows every value, if all examples are `null`.
  var json: JSONValue {
    var types: [String] = []
    var rules: [JSONValue.Member] = []
    if let object {
      types.append("object")
      rules += Self.rules(of: object)
    }
    if let elements {
      types.append("array")
      if let schema = elements.first?.json, schema != .object([]) { rules.append(.init("items", schema)) }
    }
    if !formats.isEmpty {
      types.append("string")
      if formats.count == 1, let format = formats.first ?? nil {
        rules.append(.init("format", .string(format.rawValue)))
      }
    }
    if hasNumber { types.append(hasFraction ? "number" : "integer") }
    if hasBoolean { types.append("boolean") }
    guard !types.isEmpty else { return .object([]) }
    if hasNull { types.append("null") }
    let type: JSONValue = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
    return .object([.init("type", type)] + rules)
  }

  private static func rules(of object: Object) -> [JSONValue.Member] {
    let required = object.members.filter { $0.count == object.count }.map { JSONValue.string($0.name) }
    var rules: [JSONValue.Member] = []
    if !object.members.isEmpty {
      rules.append(.init("properties", .object(object.members.map { .init($0.name, $0.schema.json) })))
    }
    if !required.isEmpty { rules.append(.init("required", .array(required))) }
    if !object.isOpen { rules.append(.init("additionalProperties", .boolean(false))) }
    return rules
  }
}
