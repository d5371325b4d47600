/// A parcel, which is not `Sendable`.
public final class Parcel {
  /// In grams.
  public var weight: Int

  /// A parcel of a weight.
  public init(weight: Int) {
    self.weight = weight
  }
}

/// A type alias, and a parameter that is handed over to another isolation.
public protocol PostOffice: Sendable {
  typealias Events = [String]

  func send(_ parcel: Parcel, to address: String) async throws(TodoError) -> Int
  func events() async throws(TodoError) -> Events
}

/// Methods that return their failures.
public protocol Kiosk: Sendable {
  func stamp(_ letter: String) async -> Result<Int, TodoError>
  func close() async -> Result<Void, any Error>
  /// Synchronous, so that it is only logged.
  func price(_ grams: Int) -> Result<Int, TodoError>
}
