import UnderstudyHTTP

/// A place in a document of exchanges.
struct ExchangeReader {
  private let value: JSONValue
  private let place: String

  init(_ value: JSONValue, at place: String) {
    self.value = value
    self.place = place
  }

  func error(_ name: String, _ problem: String) -> ExchangeDocumentError {
    ExchangeDocumentError(place: path(to: name), problem: problem)
  }

  func string() throws -> String {
    guard let string = value.stringValue else {
      throw ExchangeDocumentError(place: place, problem: "Expected a text.")
    }
    return string
  }

  func string(_ name: String) throws -> String {
    try member(name).string()
  }

  func optionalString(_ name: String) throws -> String? {
    value[name] == nil ? nil : try string(name)
  }

  func integer(_ name: String) throws -> Int {
    guard let number = try optionalInteger(name) else { throw error(name, "Expected a whole number.") }
    return number
  }

  func optionalInteger(_ name: String) throws -> Int? {
    guard let value = value[name] else { return nil }
    guard case .number(let text) = value, let number = Int(text) else {
      throw error(name, "Expected a whole number.")
    }
    return number
  }

  func optional(_ name: String) -> JSONValue? { value[name] }

  func object(_ name: String) throws -> ExchangeReader {
    let member = try member(name)
    guard case .object = member.value else { throw error(name, "Expected an object.") }
    return member
  }

  func array(_ name: String) throws -> [ExchangeReader] {
    guard value[name] != nil else { throw error(name, "Expected an array, found nothing.") }
    return try optionalArray(name)
  }

  func optionalArray(_ name: String) throws -> [ExchangeReader] {
    switch value[name] {
    case nil: return []
    case .array(let elements):
      return elements.enumerated().map { ExchangeReader($0.element, at: "\(path(to: name))[\($0.offset)]") }
    default: throw error(name, "Expected an array.")
    }
  }

  /// An object of texts; empty if it is not there.
  func strings(_ name: String) throws -> [String: String] {
    switch value[name] {
    case nil: return [:]
    case .object(let members):
      var strings: [String: String] = [:]
      for member in members {
        strings[member.name] = try ExchangeReader(member.value, at: path(to: "\(name).\(member.name)"))
          .string()
      }
      return strings
    default: throw error(name, "Expected an object.")
    }
  }

  private func member(_ name: String) throws -> ExchangeReader {
    guard let member = value[name] else { throw error(name, "Expected a value, found nothing.") }
    return ExchangeReader(member, at: path(to: name))
  }

  private func path(to name: String) -> String {
    place == "the document" ? name : "\(place).\(name)"
  }
}
