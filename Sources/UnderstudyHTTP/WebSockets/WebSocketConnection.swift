public import Foundation

/// A message of a WebSocket (RFC 6455 §5.6), whole: fragments are put together before anybody sees them.
public enum WebSocketMessage: Sendable, Hashable {
  /// Text, which the wire carries as UTF-8.
  case text(String)
  /// Bytes.
  case binary(Data)
}

/// One side of an open WebSocket (RFC 6455), of a client as of a server.
///
/// One task receives at a time; any number may send. Pings are answered and fragments joined beneath it, and a close
/// frame is answered, also while nobody receives. But no more is read ahead than sixteen messages or a mebibyte:
/// where nobody receives those, nothing behind them is seen, and the peer is held back.
///
/// A message of more than 16 MiB is refused with 1009. When the last reference goes, the connection is broken off,
/// unless it was closed: then what was sent before still arrives. Cancelling a task that sends, receives or pings
/// breaks the connection off, because a message may have been cut.
public protocol WebSocketConnection: Sendable {
  /// The subprotocol that both sides agreed on (RFC 6455 §1.9), if any.
  var subprotocol: String? { get }

  /// The close frame that came first, the peer's or this side's.
  ///
  /// It is `nil` while the connection is open, and if it broke without one. Messages that came before the peer's
  /// close frame can still be received.
  var closure: WebSocketClosure? { get }

  /// Sends a message and returns once it is on its way; a peer that does not read holds the sender back.
  ///
  /// - Throws: `TransportError` with `.connectionLost` once either side has said goodbye, or the connection broke;
  ///   `.cancelled`.
  func send(_ message: WebSocketMessage) async throws(TransportError)

  /// The next message, or `nil` once all that came before a close frame was received.
  ///
  /// After this side's own goodbye it is `nil` when the peer has answered it.
  ///
  /// - Throws: `TransportError` with `.connectionLost` when the connection breaks without a close frame,
  ///   `.unreadableResponse` when what arrives is no WebSocket frame, `.bodyTooLarge` when a message is longer than is
  ///   borne, `.cancelled` when the task is cancelled.
  func receive() async throws(TransportError) -> WebSocketMessage?

  /// Sends a ping and returns once its pong has come (RFC 6455 §5.5.2).
  ///
  /// The peer's side answers by itself, as this one does; messages that nobody receives, here or there, hold it up.
  ///
  /// - Throws: As ``receive()``; `.connectionLost` also when a close frame comes in place of the pong.
  func ping() async throws(TransportError)

  /// Says goodbye with a close frame; messages that are under way can still be received.
  ///
  /// Returns once the frame is on its way, also in a task that was cancelled. A peer that has not answered ten seconds
  /// later is left without more ado. Nothing happens on a connection that is closed or broken.
  ///
  /// - Parameter closure: A code that no close frame may hold (RFC 6455 §7.4.1) is left out, so that the peer sees
  ///   ``WebSocketClosure/Code/noStatus``.
  func close(_ closure: WebSocketClosure) async
}

extension WebSocketConnection {
  /// Says goodbye: the purpose of the connection is fulfilled.
  public func close() async {
    await close(WebSocketClosure(.normalClosure))
  }
}

/// Why a WebSocket was closed: what its close frame says (RFC 6455 §5.5.1).
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// A status code (RFC 6455 §7.4).
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// A code by its number.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// 1000: the purpose is fulfilled.
    public static let normalClosure: Code = Code(rawValue: 1000)
    /// 1001: the server goes down, or the client leaves.
    public static let goingAway: Code = Code(rawValue: 1001)
    /// 1002: a frame broke the rules.
    public static let protocolError: Code = Code(rawValue: 1002)
    /// 1003: this kind of message is not accepted.
    public static let unsupportedData: Code = Code(rawValue: 1003)
    /// 1005: the close frame held no code; never sent.
    public static let noStatus: Code = Code(rawValue: 1005)
    /// 1007: text that is not UTF-8.
    public static let invalidPayload: Code = Code(rawValue: 1007)
    /// 1008: a policy forbids the message.
    public static let policyViolation: Code = Code(rawValue: 1008)
    /// 1009: the message is longer than is borne.
    public static let messageTooBig: Code = Code(rawValue: 1009)
    /// 1011: the server failed.
    public static let internalError: Code = Code(rawValue: 1011)
    /// 1012: the server starts anew, and the client may come back.
    public static let serviceRestart: Code = Code(rawValue: 1012)
    /// 1013: the server has too much to do, and the client may come back later.
    public static let tryAgainLater: Code = Code(rawValue: 1013)
  }

  /// The status code.
  public var code: Code
  /// A reason for a log, at most 123 bytes of UTF-8 on the wire; what is longer is cut at a character.
  public var reason: String

  /// A closure.
  public init(_ code: Code, _ reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// The code and the reason.
  public var description: String {
    reason.isEmpty ? "\(code.rawValue)" : "\(code.rawValue) (\(reason))"
  }
}

extension WebSocketConnection {
  /// Runs what a task waits for, and ends the connection when the task is cancelled.
  package static func cancelling<Result: Sendable>(
    _ breakOff: @escaping @Sendable () -> Void, _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    do {
      return try await withTaskCancellationHandler(operation: operation, onCancel: breakOff)
    } catch {
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(wrapping: error)
    }
  }
}

extension TransportError {
  /// What a sender is told after a close frame.
  package static let webSocketClosed = TransportError(.connectionLost, "The WebSocket is closed.")
  /// What everybody is told after a connection has ended without one.
  package static let webSocketLost = TransportError(
    .connectionLost, "The WebSocket broke without a close frame.")
}
