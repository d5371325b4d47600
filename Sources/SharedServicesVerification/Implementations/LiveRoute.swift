/// What a live service of a contract talks to.
public enum LiveRoute: Sendable, Hashable {
  /// The backend in memory, in this process: it refuses, expires and fails by itself; only what happens on the way is
  /// injected.
  case emulator
  /// A transport that injects every failure, before the same backend.
  case faults
  /// URLSession, a socket, and a server before the backend; what fails on the way fails on the server's socket.
  case socket
}
