#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
