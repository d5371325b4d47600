/// Why a server could not be started.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// One sentence on what was tried and what the system said, for a developer.
  public let message: String

  /// The message.
  public var description: String { message }
}
