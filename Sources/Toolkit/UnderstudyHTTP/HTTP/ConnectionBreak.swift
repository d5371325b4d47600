package import Foundation

/// How an exchange is broken on a socket, where a transport error would be ambiguous.
///
/// A handler throws it, or a body does after some chunks; everything before it is sent first.
package enum ConnectionBreak: Error, Hashable, Sendable {
  /// The connection is reset (RST).
  case reset
  /// The connection is closed (FIN), as after a complete answer.
  case close
  /// Nothing more is sent until the client disconnects.
  case silence
  /// These bytes are sent in place of the answer, and then the connection is closed.
  case bytes(Data)
  /// A chunk is sent that is shorter than its size, and then the connection is closed.
  case truncatedChunk
  /// A chunk is sent whose size is not a number (RFC 9112 §7.1), and then the connection is closed.
  case malformedChunk
}
