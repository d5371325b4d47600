import Foundation
package import UnderstudyHTTP

/// A typed view of a JSON object that preserves unknown members.
///
/// Every value of an ``HTTPArchive`` conforms to it. The output of a tool is preserved, including the order of its
/// members, the digits of its numbers, nulls and custom fields. A property reads and changes only its own member.
package protocol HTTPArchiveObject: Sendable, Hashable {
  /// All members, in the order of the file.
  var members: [JSONValue.Member] { get set }

  /// Creates a view of members, which are not validated until they are read.
  init(members: [JSONValue.Member])
}

extension HTTPArchiveObject {
  /// The value of a member; `nil` if it is missing.
  ///
  /// Setting `nil` removes the member. Use it for custom fields, whose names begin with `_` (HAR 1.2, custom fields).
  /// If a name occurs more than once, the last one counts.
  package subscript(name: String) -> JSONValue? {
    get { members.last { $0.name == name }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let place = members.lastIndex(where: { $0.name == name }) {
        members[place] = .init(name, newValue)
      } else {
        members.append(.init(name, newValue))
      }
    }
  }

  /// The object itself.
  package var json: JSONValue { .object(members) }

  init(_ json: JSONValue) {
    if case .object(let members) = json { self.init(members: members) } else { self.init(members: []) }
  }

  func string(_ name: String) -> String? { self[name]?.stringValue }

  func integer(_ name: String) -> Int? { self[name]?.integerValue }

  func number(_ name: String) -> Double? { self[name]?.numberValue }

  func object<Object: HTTPArchiveObject>(_ name: String) -> Object? {
    if case .object(let members) = self[name] { Object(members: members) } else { nil }
  }

  func objects<Object: HTTPArchiveObject>(_ name: String) -> [Object] {
    if case .array(let elements) = self[name] { elements.map(Object.init) } else { [] }
  }
}

extension JSONValue {
  /// Creates a number with the fewest digits that parse to the same value.
  ///
  /// A value that JSON cannot express becomes -1, which HAR 1.2 uses for values that do not apply.
  init(_ number: Double) {
    if let integer = Int(exactly: number) {
      self = .number(String(integer))
    } else {
      self = .number(number.isFinite ? "\(number)" : "-1")
    }
  }

  init(_ number: Int) {
    self = .number(String(number))
  }

  init(_ objects: [some HTTPArchiveObject]) {
    self = .array(objects.map(\.json))
  }
}
