/// The limits of a server for one client, beyond which it refuses requests or closes the connection.
///
/// All durations run on the server's `Time`.
package struct ServerLimits: Sendable, Hashable {
  /// The maximum length of a request line, in bytes; a longer one is refused with status 414.
  package var requestLineBytes: Int = 16 << 10
  /// The maximum length of a request head, from its method to the blank line, in bytes; a longer one is refused with
  /// status 431.
  package var headBytes: Int = 64 << 10
  /// The maximum number of field lines of a request; more are refused with status 431.
  package var fieldCount: Int = 128
  /// The maximum length of a request body, in bytes; a longer one is refused with status 413.
  package var bodyBytes: Int = 64 << 20
  /// The maximum length of a WebSocket message with all its fragments, in bytes; a longer one closes it with code 1009.
  package var messageBytes: Int = 16 << 20
  /// The maximum duration from the first byte of a request to the end of its head; afterwards the status is 408.
  package var headTime: Duration = .seconds(30)
  /// The maximum pause within a request body; afterwards the status is 408.
  package var bodyTime: Duration = .seconds(30)
  /// The maximum duration of an idle connection; afterwards it is closed.
  package var idleTime: Duration = .seconds(120)
  /// The maximum duration in which a client reads nothing of a response that exceeds the buffers; afterwards it is
  /// reset.
  package var writeTime: Duration = .seconds(120)

  /// Creates the default limits.
  package init() {}
}
