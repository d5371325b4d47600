/// An error that prevents a server from starting.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// The attempted action and the system's error, in one sentence for developers.
  package let message: String

  /// The message.
  public var description: String { message }
}
