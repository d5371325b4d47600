import SharedServicesBackends
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP

/// The position in a session at which a connection breaks.
package struct Drop: Sendable, Hashable, CustomStringConvertible {
  /// The number of the frame, from 1, over all connections and both directions.
  package let frame: Int
  /// Whether the frame is delivered before the connection breaks.
  package let isAfter: Bool

  package init(frame: Int, isAfter: Bool) {
    self.frame = frame
    self.isAfter = isAfter
  }

  package var description: String { "\(isAfter ? "after" : "before") frame \(frame)" }
}

/// A transport whose connections break at certain frames.
final class DroppingTransport: HTTPTransport, WebSocketTransport {
  private let base: InProcessTransport<MessageFeedEmulator>
  private let drops: Set<Drop>
  private let count = Locked(0)

  init(_ base: InProcessTransport<MessageFeedEmulator>, _ drops: [Drop]) {
    self.base = base
    self.drops = Set(drops)
  }

  /// The number of frames.
  var frameCount: Int { count.withLock { $0 } }

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await base.send(request)
  }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    DroppingConnection(try await base.connect(to: request), self)
  }

  /// Counts a frame and returns which drops apply to it.
  fileprivate func nextFrame() -> (dropsBefore: Bool, dropsAfter: Bool) {
    let frame = count.withLock { count in
      count += 1
      return count
    }
    return (
      drops.contains(Drop(frame: frame, isAfter: false)), drops.contains(Drop(frame: frame, isAfter: true))
    )
  }
}

private final class DroppingConnection: WebSocketConnection {
  /// The last reference to the connection; releasing it breaks the connection.
  private let base: Locked<(any WebSocketConnection)?>
  private let transport: DroppingTransport

  init(_ base: any WebSocketConnection, _ transport: DroppingTransport) {
    self.base = Locked(base)
    self.transport = transport
  }

  var subprotocol: String? { nil }
  var closure: WebSocketClosure? { base.withLock { $0 }?.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    let base = try open()
    let (dropsBefore, dropsAfter) = transport.nextFrame()
    if dropsBefore {
      drop()
      throw Self.lost
    }
    try await base.send(message)
    if dropsAfter { drop() }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    guard let message = try await open().receive() else { return nil }
    let (dropsBefore, dropsAfter) = transport.nextFrame()
    if dropsBefore {
      drop()
      throw Self.lost
    }
    if dropsAfter { drop() }
    return message
  }

  func ping() async throws(TransportError) { try await open().ping() }
  func close(_ closure: WebSocketClosure) async { await base.withLock { $0 }?.close(closure) }

  private static let lost = TransportError(.connectionLost, "The connection was dropped.")

  private func open() throws(TransportError) -> any WebSocketConnection {
    guard let base = base.withLock({ $0 }) else { throw Self.lost }
    return base
  }

  private func drop() {
    // Released outside the lock, because the end of a connection may call back into this type.
    let last = base.withLock { base in
      defer { base = nil }
      return base
    }
    _ = last
  }
}
