public import UnderstudyHTTP

/// Exchanges in a format that other tools read, and what of them that format could not carry.
///
/// The same documents always give the same text.
public struct ExchangeExport: Sendable, Hashable {
  /// Something that an exchange has and the format cannot say.
  public struct Omission: Sendable, Hashable, CustomStringConvertible {
    /// How much is missing.
    public enum Extent: Sendable, Hashable {
      /// The exchange as a whole.
      case exchange
      /// A part of it, such as `its pauses`.
      case part(String)
    }

    /// The exchange, by its id.
    public let exchangeID: String
    /// How much of it is missing.
    public let extent: Extent
    /// Why, in half a sentence.
    public let reason: String

    /// One line for people.
    public var description: String {
      switch extent {
      case .exchange: "\(exchangeID) is left out: \(reason)."
      case .part(let part): "\(exchangeID) is there without \(part): \(reason)."
      }
    }
  }

  /// The document.
  public let document: JSONValue
  /// What is missing, in the order of the exchanges.
  public let omissions: [Omission]

  /// The document as a text file: JSON with a line for each member, and a line break at the end.
  public var text: String {
    var text = ""
    document.writeIndented(into: &text)
    return text + "\n"
  }
}

extension ExchangeResponse.Ending {
  /// Why a format that knows only whole answers cannot carry it; `nil` for a whole one.
  var reasonToLeaveOut: String? {
    switch self {
    case .complete: nil
    case .dropped: "the connection breaks off, and only whole answers can be described"
    case .reset: "the connection is reset, and only whole answers can be described"
    case .timedOut: "the answer never ends, and only whole answers can be described"
    }
  }
}

extension JSONValue {
  /// An object without the members that are `nil`.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// An object of these members; `nil` where there are none.
  static func unlessEmpty(_ members: [Member]) -> JSONValue? {
    members.isEmpty ? nil : .object(members)
  }
}
