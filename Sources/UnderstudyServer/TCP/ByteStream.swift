/// A bidirectional stream of bytes over a connection.
///
/// At most one task reads and one writes at a time. Cancelling the task that reads or writes ends the call immediately
/// with `.cancelled`.
package protocol ByteStream: Sendable {
  /// Reads the next bytes, which are never empty; returns `nil` once the peer has closed its side.
  func read() async throws(SocketError) -> [UInt8]?

  /// Writes bytes and returns once the kernel has accepted them, so that a slow reader applies back pressure.
  func write(_ bytes: [UInt8]) async throws(SocketError)

  /// Closes the sending side; reading continues.
  func endWriting()

  /// Closes both sides after pending writes.
  func close() async

  /// Aborts the connection with a reset.
  func abort()
}
