/// A socket error.
package struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The kind of a socket error.
  package enum Code: Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    /// The host name has no address.
    case hostNotFound
    /// No process listens on the address.
    case connectionRefused
    /// The peer reset the connection or disconnected.
    case connectionReset
    /// No data arrived within the timeout.
    case timedOut
    /// This side closed the connection.
    case closed
    /// Another system error, by its `errno`.
    case system(Int32)
  }

  /// The kind of the error.
  package let code: Code
  /// A description of the error in one sentence, for developers.
  package let message: String

  /// Creates an error of a kind.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
