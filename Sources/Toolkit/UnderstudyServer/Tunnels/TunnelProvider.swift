/// The tunnels of a forward proxy, whose clients open them with CONNECT (RFC 9110 §9.3.6).
package protocol TunnelProvider: Sendable {
  /// Whether the bytes of a tunnel are forwarded to its target, instead of being served.
  func passesThrough(_ target: TunnelTarget) -> Bool

  /// Starts to terminate the TLS of one client, with a certificate for the host of its tunnel.
  func terminateTLS(for target: TunnelTarget, on loop: EventLoop) async throws -> TLSTermination
}

/// The two sides of a program that terminates the TLS of one connection.
package struct TLSTermination: Sendable {
  /// The side to which the client's bytes are forwarded.
  package let encrypted: TCPSocket
  /// The side with the decrypted bytes.
  package let decrypted: TCPSocket
  /// Ends the program, and returns the reason if TLS was not established.
  package let end: @Sendable () async -> String?

  package init(
    encrypted: TCPSocket, decrypted: TCPSocket, end: @escaping @Sendable () async -> String?
  ) {
    self.encrypted = encrypted
    self.decrypted = decrypted
    self.end = end
  }
}
