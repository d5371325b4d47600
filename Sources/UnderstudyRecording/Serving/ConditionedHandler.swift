public import UnderstudyHTTP

/// A backend about which the conditions of exchanges can be brought about, by their names.
///
/// Put a ``ConditionsEndpoint`` before it, and tests in any language can do so over HTTP.
public protocol ConditionedHandler: HTTPHandler {
  /// The names of the conditions that it knows, in the order in which they are shown to people.
  var conditions: [String] { get }

  /// Makes a condition hold, beside those that hold already.
  ///
  /// - Returns: What a caller needs to know to make use of all that hold: a value for each name in braces of the
  ///   exchanges' requests, and the ids of what is stored.
  /// - Throws: ``UnknownCondition`` for a name that is not of ``conditions``; what keeps the condition from holding.
  func bringAbout(_ condition: String) async throws -> [String: String]

  /// Makes everything as it was in the beginning, when no condition held.
  func reset() async throws
}

/// A condition that a backend does not know.
public struct UnknownCondition: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name that was asked for.
  public let name: String
  /// The names that there are.
  public let known: [String]

  /// A name that is unknown to a backend, with those that it knows.
  public init(_ name: String, known: [String]) {
    self.name = name
    self.known = known
  }

  /// What to ask for instead.
  public var description: String {
    "There is no condition \"\(name)\" here. Choose from: \(known.joined(separator: "; "))."
  }
}
