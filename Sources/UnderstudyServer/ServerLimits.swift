/// What a server bears from one client before it refuses or leaves it.
///
/// Every time runs on the `Time` that the server was given.
public struct ServerLimits: Sendable, Hashable {
  /// The longest request line; a longer one is answered 414.
  public var requestLineBytes: Int = 16 << 10
  /// The longest head of a request, from its method to the blank line; a longer one is answered 431.
  public var headBytes: Int = 64 << 10
  /// The most field lines of a request; more are answered 431.
  public var fieldCount: Int = 128
  /// The longest body of a request; a longer one is answered 413.
  public var bodyBytes: Int = 64 << 20
  /// The longest message of a WebSocket, all its fragments together; after a longer one it is closed with 1009.
  public var messageBytes: Int = 16 << 20
  /// How long a request may take from its first byte to the end of its head; then it is answered 408.
  public var headTime: Duration = .seconds(30)
  /// The longest silence within the body of a request, which is then answered 408.
  public var bodyTime: Duration = .seconds(30)
  /// How long a connection is kept on which no request comes; then it is closed.
  public var idleTime: Duration = .seconds(120)
  /// How long a client may read nothing of an answer that does not fit into the buffers; then it is reset.
  public var writeTime: Duration = .seconds(120)

  /// The limits that a test seldom has to change.
  public init() {}
}
