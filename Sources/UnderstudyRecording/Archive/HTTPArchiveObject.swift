import Foundation
public import UnderstudyHTTP

/// A typed view of a JSON object, which keeps the members that it does not know.
///
/// Every value of an ``HTTPArchive`` is one: what a tool wrote stays as it was, with the order of its members, the
/// digits of its numbers, its nulls and its own fields. A property reads its member, and changes it alone.
public protocol HTTPArchiveObject: Sendable, Hashable {
  /// Every member, in the order of the file.
  var members: [JSONValue.Member] { get set }

  /// A view of these members, which are not looked at before they are asked for.
  init(members: [JSONValue.Member])
}

extension HTTPArchiveObject {
  /// The value of a member; `nil` where it is missing.
  ///
  /// Setting `nil` removes it. The way to fields of one's own, whose names begin with `_` (HAR 1.2, custom fields).
  /// Where a name comes twice,
  /// the last one counts.
  public subscript(name: String) -> JSONValue? {
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

  /// A comment by a person or a tool.
  public var comment: String? {
    get { string("comment") }
    set { self["comment"] = newValue.map(JSONValue.string) }
  }

  /// The object itself.
  package var json: JSONValue { .object(members) }

  init(_ json: JSONValue) {
    if case .object(let members) = json { self.init(members: members) } else { self.init(members: []) }
  }

  func string(_ name: String) -> String? { self[name]?.stringValue }

  func integer(_ name: String) -> Int? { self[name]?.integerValue }

  func number(_ name: String) -> Double? { self[name]?.numberValue }

  func boolean(_ name: String) -> Bool? {
    if case .boolean(let value) = self[name] { value } else { nil }
  }

  func object<Object: HTTPArchiveObject>(_ name: String) -> Object? {
    if case .object(let members) = self[name] { Object(members: members) } else { nil }
  }

  func objects<Object: HTTPArchiveObject>(_ name: String) -> [Object] {
    if case .array(let elements) = self[name] { elements.map(Object.init) } else { [] }
  }
}

extension JSONValue {
  /// A number in the fewest digits that read back as the same; what JSON has no number for is -1, as HAR 1.2 writes
  /// what does not apply.
  init(_ number: Double) {
    if let integer = Int(exactly: number) {
      self = .number("\(integer)")
    } else {
      self = .number(number.isFinite ? "\(number)" : "-1")
    }
  }

  init(_ number: Int) {
    self = .number("\(number)")
  }

  init(_ objects: [some HTTPArchiveObject]) {
    self = .array(objects.map(\.json))
  }

  /// The number, if this is one.
  var numberValue: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// The number, if this is one without a fraction, however it is written.
  var integerValue: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }
}
