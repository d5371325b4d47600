import Foundation
import UnderstudyConsole
import UnderstudyHTTP

/// A value of a file that is imported, with its position for messages.
struct ImportedValue {
  let json: JSONValue
  /// The file, as specified by the user.
  let file: String
  private(set) var path: [JSONValue.Step] = []

  init(_ json: JSONValue, file: String) {
    self.json = json
    self.file = file
  }

  private init(_ json: JSONValue, under parent: ImportedValue, _ step: JSONValue.Step) {
    self.json = json
    file = parent.file
    path = parent.path + [step]
  }

  /// A member; `nil` if it is missing or null.
  subscript(name: String) -> ImportedValue? {
    switch json[name] {
    case nil, .null?: nil
    case let value?: ImportedValue(value, under: self, .member(name))
    }
  }

  /// Whether it has a member, which may be null.
  func has(_ name: String) -> Bool { json[name] != nil }

  /// Returns a member that must not be missing.
  func required(_ name: String) throws(CommandError) -> ImportedValue {
    guard let value = self[name] else { throw problem("\(name) is missing") }
    return value
  }

  /// The elements of an array.
  var elements: [ImportedValue]? {
    guard case .array(let elements) = json else { return nil }
    return elements.enumerated().map { ImportedValue($1, under: self, .element($0)) }
  }

  /// The elements of a member; empty if it is missing.
  ///
  /// - Throws: `CommandError` if it is not an array.
  func list(_ name: String) throws(CommandError) -> [ImportedValue] {
    guard let value = self[name] else { return [] }
    guard let elements = value.elements else { throw value.problem("Expected a list") }
    return elements
  }

  /// The members of an object that are not null; empty for another value.
  var members: [(name: String, value: ImportedValue)] {
    guard case .object(let members) = json else { return [] }
    return members.compactMap { member in
      if case .null = member.value { return nil }
      return (member.name, ImportedValue(member.value, under: self, .member(member.name)))
    }
  }

  /// The text, or the number or boolean as text; `nil` for another value.
  var text: String? {
    switch json {
    case .string(let text), .number(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// Returns the text of a member; `nil` if it is missing.
  ///
  /// - Throws: `CommandError` if it is a list or an object.
  func text(_ name: String) throws(CommandError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.text else { throw value.problem("Expected a text") }
    return text
  }

  /// Returns the whole number in a member; `nil` if it is missing.
  func number(_ name: String) throws(CommandError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let text = value.text, let number = Int(text) else {
      throw value.problem("Expected a whole number")
    }
    return number
  }

  /// The error for this value, with the file and the path.
  func problem(_ message: String) -> CommandError {
    CommandError("\(file): \(JSONValue.Step.text(of: path)): \(message).")
  }
}
