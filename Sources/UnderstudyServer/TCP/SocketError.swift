/// What went wrong with a socket.
package struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    /// The name of the host has no address.
    case hostNotFound
    /// Nothing listens at the address.
    case connectionRefused
    /// The peer has reset the connection, or is gone.
    case connectionReset
    /// Nothing came for as long as was waited.
    case timedOut
    /// This side has closed the connection.
    case closed
    /// Anything else that the system reports, by its `errno`.
    case system(Int32)
  }

  /// What kind of failure it is.
  package let code: Code
  /// One sentence on what happened, for a developer.
  package let message: String

  /// A failure of a kind.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
