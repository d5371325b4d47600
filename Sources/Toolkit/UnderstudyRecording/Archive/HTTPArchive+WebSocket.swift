package import Foundation
package import UnderstudyHTTP

extension HTTPArchive.Entry {
  /// The messages of a WebSocket in the order in which they were sent and received (`_webSocketMessages`, as written by
  /// Chrome and mitmproxy).
  package var webSocketMessages: [HTTPArchive.WebSocketMessage] {
    get { objects("_webSocketMessages") }
    set { self["_webSocketMessages"] = JSONValue(newValue) }
  }

  /// How a WebSocket ended (`_webSocketEnd`, an extension by this package); `nil` if the tool did not record it.
  package var webSocketEnd: HTTPArchive.WebSocketEnd? {
    get { object("_webSocketEnd") }
    set { self["_webSocketEnd"] = newValue?.json }
  }

  /// Whether the response opened a WebSocket: it has status 101, or the entry has messages; or it has no response, but
  /// its tool describes it as a WebSocket.
  package var isWebSocket: Bool {
    if response.status == 101 || !webSocketMessages.isEmpty { return true }
    guard response.status == 0 else { return false }
    if case .array = self["_webSocketMessages"] { return true }
    return isOfWebSocket
  }

  /// Whether the tool describes the entry as part of a WebSocket, also if the response has not opened one.
  var isOfWebSocket: Bool { string("_resourceType") == "websocket" }
}

extension HTTPArchive {
  /// A message of a WebSocket.
  ///
  /// ```json
  /// { "type": "receive", "time": 1693314200.336985, "opcode": 1, "data": "hello" }
  /// ```
  package struct WebSocketMessage: HTTPArchiveObject {
    /// The direction of a message.
    package enum Direction: String, Sendable, Hashable {
      /// Sent by the client.
      case send
      /// Sent by the server.
      case receive
    }

    /// All members.
    package var members: [JSONValue.Member]

    /// Creates a message from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a message that was sent or received at a date.
    package init(_ message: UnderstudyHTTP.WebSocketMessage, _ direction: Direction, at time: Date) {
      let content: (opcode: Int, data: String) =
        switch message {
        case .text(let text): (1, text)
        case .binary(let bytes): (2, bytes.base64EncodedString())
        }
      members = [
        .init("type", .string(direction.rawValue)), .init("time", JSONValue(time.timeIntervalSince1970)),
        .init("opcode", JSONValue(content.opcode)), .init("data", .string(content.data)),
      ]
    }

    /// The direction; `nil` if the value is unknown.
    package var direction: Direction? { string("type").flatMap(Direction.init) }
    /// When the message was sent or received, in seconds since 1970.
    package var time: Double? { number("time") }
    /// The opcode (RFC 6455 §5.2): 1 for text, 2 for binary data (default: 1).
    package var opcode: Int { integer("opcode") ?? 1 }
    /// The text, or the binary data as base64.
    package var data: String { string("data") ?? "" }

    /// The decoded message; `nil` for other opcodes, such as a ping, and for invalid base64.
    package var message: UnderstudyHTTP.WebSocketMessage? {
      switch opcode {
      case 1: .text(data)
      case 2: Data(base64Encoded: data).map { .binary($0) }
      default: nil
      }
    }
  }

  /// The end of a WebSocket and its cause.
  ///
  /// ```json
  /// { "time": 1693314244.1, "code": "closed", "by": "server", "status": 1001, "reason": "going down" }
  /// { "time": 1693314244.1, "code": "connection lost", "message": "The WebSocket broke without a close frame." }
  /// ```
  ///
  /// `code` is `closed` after a close frame, `unfinished`, or the code of a `TransportError` in words. A WebSocket whose
  /// recorder stopped at its limit is `unfinished` with a `limit` in bytes. `status` is that of the close frame; without
  /// it, the frame had none (1005, RFC 6455 §7.1.5). Other tools write no `code`: the end is then that of a close frame,
  /// unless `status` is 1006, or `by` is neither side, which mean that no frame arrived.
  package struct WebSocketEnd: HTTPArchiveObject {
    /// The side that sent the first close frame.
    package enum Side: String, Sendable, Hashable {
      /// The client.
      case client
      /// The server.
      case server
    }

    /// The cause of the end of a WebSocket.
    package enum Cause: Sendable {
      /// A closing handshake, with the side that sent the first close frame.
      case closed(by: Side, WebSocketClosure)
      /// The end was not recorded: the client disconnected without a close frame, or was still connected.
      case unfinished
      /// The messages reached the limit of the recorder, in bytes; the client received the others.
      case cutOff(limit: Int)
      /// The connection failed.
      case failed(TransportError)
    }

    /// All members.
    package var members: [JSONValue.Member]

    /// Creates an end from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates an end at a date.
    package init(_ cause: Cause, at time: Date) {
      members = [.init("time", JSONValue(time.timeIntervalSince1970))]
      switch cause {
      case .closed(let side, let closure):
        members += [
          .init("code", .string("closed")), .init("by", .string(side.rawValue)),
          .init("status", JSONValue(Int(closure.code.rawValue))), .init("reason", .string(closure.reason)),
        ]
      case .unfinished:
        members.append(.init("code", .string("unfinished")))
      case .cutOff(let limit):
        members += [.init("code", .string("unfinished")), .init("limit", JSONValue(limit))]
      case .failed(let error):
        members += [
          .init("code", .string(error.code.description)), .init("message", .string(error.message)),
        ]
      }
    }

    /// When it ended, in seconds since 1970.
    package var time: Double? { number("time") }

    /// The cause of the end.
    package var cause: Cause {
      let code = string("code")
      let side = string("by").map(Side.init) ?? .server
      switch code {
      case "unfinished": return integer("limit").map { .cutOff(limit: $0) } ?? .unfinished
      case nil where side == nil || integer("status") == 1006:
        return .failed(
          TransportError(
            .connectionLost, string("message") ?? "The recorded WebSocket ended here without a close frame."))
      case nil, "closed":
        let status = integer("status").flatMap(UInt16.init(exactly:)).map(
          WebSocketClosure.Code.init(rawValue:))
        return .closed(
          by: side ?? .server, WebSocketClosure(status ?? .noStatus, string("reason") ?? ""))
      case let code?:
        return .failed(
          TransportError(
            TransportError.Code(archived: code),
            string("message") ?? "The recorded WebSocket ended here: \(code)."))
      }
    }
  }
}
