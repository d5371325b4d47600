/// A connection's bytes, both ways.
///
/// One task reads and one writes at a time. Cancelling the task that reads or writes ends the call at once, with
/// `.cancelled`.
package protocol ByteStream: Sendable {
  /// The next bytes, never empty; `nil` once the peer has ended its side.
  func read() async throws(SocketError) -> [UInt8]?

  /// Returns once the bytes are handed to the kernel, so that a slow reader holds the writer back.
  func write(_ bytes: [UInt8]) async throws(SocketError)

  /// Tells the peer that no more comes, and goes on reading.
  func endWriting()

  /// Ends both sides after what was written.
  func close() async

  /// Breaks the connection: the peer is told that it was reset.
  func abort()
}
