package import Foundation

/// How an exchange is broken off on a socket, where an error of the transport would leave a choice.
///
/// A handler throws it, or a body after some chunks; what came before it is sent first.
package enum ConnectionBreak: Error, Hashable, Sendable {
  /// The connection is reset (RST).
  case reset
  /// The connection is closed (FIN), as if all had been said.
  case close
  /// Nothing more comes until the client leaves.
  case silence
  /// These bytes come in place of what should, and then the connection is closed.
  case bytes(Data)
  /// A chunk comes that is shorter than its size, and then the connection is closed.
  case truncatedChunk
  /// A chunk comes whose size is no number (RFC 9112 §7.1), and then the connection is closed.
  case malformedChunk
}
