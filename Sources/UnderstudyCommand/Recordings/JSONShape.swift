import UnderstudyHTTP

/// The types of the values of JSON documents and of their members, which a client relies on.
///
/// The shape of several documents, or of the elements of an array, is the union of their shapes.
struct JSONShape: Hashable {
  enum Kind: String, CaseIterable {
    case object
    case array
    case string
    case number
    case boolean
    case null
    /// Text that is not JSON where a document is expected, such as the last event of some streams.
    case text = "not JSON"
  }

  private(set) var kinds: Set<Kind> = []
  private var members: [String: JSONShape] = [:]
  /// At most one shape; empty if every array was empty.
  private var element: [JSONShape] = []

  /// The shape of text that is not JSON.
  static let text = JSONShape(kinds: [.text])

  private init(kinds: Set<Kind>) {
    self.kinds = kinds
  }

  /// Creates the shape of a document.
  init(_ json: JSONValue) {
    switch json {
    case .null: kinds = [.null]
    case .boolean: kinds = [.boolean]
    case .number: kinds = [.number]
    case .string: kinds = [.string]
    case .array(let elements):
      kinds = [.array]
      element = Self.union(elements.lazy.map(JSONShape.init)).map { [$0] } ?? []
    case .object(let all):
      kinds = [.object]
      members = Dictionary(all.map { ($0.name, JSONShape($0.value)) }) { $1 }
    }
  }

  /// Returns the union of shapes; `nil` without shapes.
  static func union(_ shapes: some Sequence<JSONShape>) -> JSONShape? {
    var union: JSONShape?
    for shape in shapes {
      if union == nil { union = shape } else { union?.form(unionWith: shape) }
    }
    return union
  }

  private mutating func form(unionWith other: JSONShape) {
    kinds.formUnion(other.kinds)
    for (name, shape) in other.members {
      members[name, default: shape].form(unionWith: shape)
    }
    element = Self.union(element + other.element).map { [$0] } ?? []
  }

  /// The types in words, such as `string or null`.
  var description: String { Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " or ") }

  /// Returns the differences from this shape to another one.
  ///
  /// - Parameters:
  ///   - other: The shape now.
  ///   - path: The path of the value, such as `$.items[].price`.
  /// - Returns: A line for each value that was added, removed or has another type. Elements of an array that is empty on
  ///   one side cannot be compared.
  func differences(to other: JSONShape, at path: String = "$") -> [AnswerDrift.Difference] {
    var differences: [AnswerDrift.Difference] = []
    if kinds != other.kinds {
      differences.append(.init(part: .json, place: path, before: description, now: other.description))
    }
    if kinds.contains(.object), other.kinds.contains(.object) {
      for name in Set(members.keys).union(other.members.keys).sorted() {
        let place = path + Self.step(to: name)
        switch (members[name], other.members[name]) {
        case (let before?, let now?): differences += before.differences(to: now, at: place)
        case (let before, let now):
          differences.append(
            .init(part: .json, place: place, before: before?.description, now: now?.description))
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
    if isPlain { return ".\(name)" }
    var quoted = ""
    JSONValue.quote(name, into: &quoted)
    return "[\(quoted)]"
  }
}
