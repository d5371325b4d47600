import Foundation

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

extension SocketError {
  /// The error of the last system call on this thread.
  ///
  /// - Parameter action: The attempted action, as in "Could not … (reason)."
  static func system(_ action: String, _ number: CInt = errno) -> SocketError {
    let code: Code =
      switch number {
      case ECONNREFUSED: .connectionRefused
      // Writing to a disconnected peer fails with EPIPE once its reset has been received.
      case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .connectionReset
      case ETIMEDOUT: .timedOut
      default: .system(number)
      }
    return SocketError(code, "Could not \(action) (\(String(cString: strerror(number)))).")
  }
}
