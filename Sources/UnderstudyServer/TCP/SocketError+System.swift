#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SocketError {
  /// The failure of the system call that was made last on this thread.
  ///
  /// - Parameter action: What was tried, as in "Could not … (reason)."
  static func system(_ action: String, _ number: CInt = errno) -> SocketError {
    let code: Code =
      switch number {
      case ECONNREFUSED: .connectionRefused
      // Writing to a peer that is gone is EPIPE once its reset has been seen.
      case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .connectionReset
      case ETIMEDOUT: .timedOut
      default: .system(number)
      }
    return SocketError(code, "Could not \(action) (\(String(cString: strerror(number)))).")
  }
}
