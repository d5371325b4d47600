import UnderstudyHTTP

/// A JSON document of which a tool recorded the members as `params`, as chrome-har does.
///
/// Each member is a pair, and so is each element of an array, with its index as the name. A member whose value is an
/// array is one pair for each of its elements. So an array of one element has the same pairs as the element, and an
/// empty array has none.
enum FlattenedJSON {
  /// Whether `params` of a body with this type are the members of a document.
  static func isRecorded(as mimeType: String?) -> Bool {
    mimeType?.lowercased().hasPrefix("application/json") == true
  }

  /// Returns the nearest document with these pairs; documents with the same pairs have the same result.
  static func document(of pairs: [(name: String, value: JSONValue)]) -> JSONValue {
    var names: [String] = []
    var values: [String: [JSONValue]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
    func value(_ name: String) -> JSONValue {
      let all = values[name] ?? []
      return all.count == 1 ? all[0] : .array(all)
    }
    let indices = names.indices.map(String.init)
    guard names.isEmpty || Set(names) != Set(indices) else { return .array(indices.map(value)) }
    return .object(names.map { .init($0, value($0)) })
  }

  /// Returns the nearest document with the pairs of a document; `nil` if it has no members.
  static func document(from document: JSONValue) -> JSONValue? {
    let members: [JSONValue.Member]
    switch document {
    case .object(let all): members = all
    case .array(let elements): members = elements.enumerated().map { .init("\($0.offset)", $0.element) }
    default: return nil
    }
    return self.document(
      of: members.flatMap { member in
        if case .array(let elements) = member.value { return elements.map { (member.name, $0) } }
        return [(member.name, member.value)]
      })
  }
}
