package import Foundation
package import UnderstudyHTTP

/// The common structure of JSON documents: the types of their values and members, on which a client relies.
///
/// Its schema also contains required members, and whether all texts are UUIDs, dates or dates with a time. Of members
/// with the same name, the last one counts.
package struct JSONShape {
  private enum Kind: String, CaseIterable {
    case object
    case array
    case string
    case number
    case boolean
    case null
    /// Text that is not JSON where a document is expected, such as the last event of some streams.
    case text = "not JSON"
  }

  private enum Format: String {
    case uuid, date
    case dateTime = "date-time"
  }

  private struct Member {
    /// The number of members that were added before.
    let order: Int
    var count = 0
    var shape = JSONShape()
  }

  private var kinds: Set<Kind> = []
  private var objectCount = 0
  private var members: [String: Member] = [:]
  /// Whether objects may have members without an example.
  private var isOpen = false
  /// The shape of the elements, in an array because the type is recursive; empty until an element is added.
  private var element: [JSONShape] = []
  /// The formats of the strings; `nil` represents a string without a format.
  private var formats: Set<Format?> = []
  private var hasFraction = false

  package init(_ documents: JSONValue...) {
    for document in documents { add(document) }
  }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - value: The document.
  ///   - isOpen: Whether objects may have members without an example.
  package mutating func add(_ value: JSONValue, isOpen: Bool = false) {
    switch value {
    case .null: kinds.insert(.null)
    case .boolean: kinds.insert(.boolean)
    case .number(let digits):
      kinds.insert(.number)
      if digits.contains(where: { ".eE".contains($0) }) { hasFraction = true }
    case .string(let text):
      kinds.insert(.string)
      formats.insert(Self.format(of: text))
    case .array(let values):
      kinds.insert(.array)
      if element.isEmpty, !values.isEmpty { element.append(JSONShape()) }
      for value in values { element[0].add(value, isOpen: isOpen) }
    case .object(let all):
      kinds.insert(.object)
      objectCount += 1
      if isOpen { self.isOpen = true }
      var values = Dictionary(all.map { ($0.name, $0.value) }) { $1 }
      for name in all.map(\.name) {
        guard let value = values.removeValue(forKey: name) else { continue }
        let order = members.count
        members[name, default: Member(order: order)].count += 1
        members[name]?.shape.add(value, isOpen: isOpen)
      }
    }
  }

  /// Adds a text that may be a document.
  package mutating func add(text: Data) {
    if let value = try? JSONValue(parsing: text) { add(value) } else { kinds.insert(.text) }
  }

  private static func format(of text: String) -> Format? {
    if text.utf8.count == 36, RecordedText(text).uuids.count == 1 { return .uuid }
    guard Variability.datePattern(text) != nil else { return nil }
    return text.utf8.count == 10 ? .date : .dateTime
  }
}

extension JSONShape {
  /// The JSON Schema (draft 2020-12); an empty one, which allows every value, if all documents are `null`.
  var schema: JSONValue {
    guard !kinds.isSubset(of: [.null]) else { return .object([]) }
    let types = Kind.allCases.filter(kinds.contains).map { kind in
      JSONValue.string(kind == .number && !hasFraction ? "integer" : kind.rawValue)
    }
    var rules = [JSONValue.Member("type", types.count == 1 ? types[0] : .array(types))]
    if kinds.contains(.object) { rules += rulesOfMembers }
    if let schema = element.first?.schema, schema != .object([]) { rules.append(.init("items", schema)) }
    if formats.count == 1, let format = formats.first ?? nil {
      rules.append(.init("format", .string(format.rawValue)))
    }
    return .object(rules)
  }

  private var rulesOfMembers: [JSONValue.Member] {
    let inOrder = members.sorted { $0.value.order < $1.value.order }
    let required = inOrder.filter { $0.value.count == objectCount }.map { JSONValue.string($0.key) }
    var rules: [JSONValue.Member] = []
    if !inOrder.isEmpty {
      rules.append(.init("properties", .object(inOrder.map { .init($0.key, $0.value.shape.schema) })))
    }
    if !required.isEmpty { rules.append(.init("required", .array(required))) }
    if !isOpen { rules.append(.init("additionalProperties", .boolean(false))) }
    return rules
  }
}

extension JSONShape {
  /// A value that was added, was removed, or has another type.
  package typealias Difference = (place: String, before: String?, now: String?)

  /// The types in words, such as `string or null`.
  package var types: String {
    Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
  }

  /// Returns the differences from this shape to another one.
  ///
  /// Elements of an array that is empty on one side cannot be compared.
  ///
  /// - Parameters:
  ///   - other: The shape now.
  ///   - path: The path of the value, such as `$.items[].price`.
  package func differences(to other: JSONShape, at path: String = "$") -> [Difference] {
    var differences: [Difference] = kinds == other.kinds ? [] : [(path, types, other.types)]
    if kinds.contains(.object), other.kinds.contains(.object) {
      for name in Set(members.keys).union(other.members.keys).sorted() {
        let place = path + Self.step(to: name)
        switch (members[name]?.shape, other.members[name]?.shape) {
        case (let before?, let now?): differences += before.differences(to: now, at: place)
        case (let before, let now): differences.append((place, before?.types, now?.types))
        }
      }
    }
    if let before = element.first, let now = other.element.first {
      differences += before.differences(to: now, at: path + "[]")
    }
    return differences
  }

  private static func step(to name: String) -> String {
    let isPlain = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isPlain ? ".\(name)" : "[\(JSONValue.string(name).compactText)]"
  }
}
