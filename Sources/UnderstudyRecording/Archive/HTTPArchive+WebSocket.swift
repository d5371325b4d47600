public import Foundation
public import UnderstudyHTTP

extension HTTPArchive.Entry {
  /// The messages of a WebSocket in the order in which they were sent and received (`_webSocketMessages`, as Chrome
  /// and mitmproxy write them).
  public var webSocketMessages: [HTTPArchive.WebSocketMessage] {
    get { objects("_webSocketMessages") }
    set { self["_webSocketMessages"] = JSONValue(newValue) }
  }

  /// How a WebSocket ended (`_webSocketEnd`, an extension by this package); `nil` where the tool did not look.
  public var webSocketEnd: HTTPArchive.WebSocketEnd? {
    get { object("_webSocketEnd") }
    set { self["_webSocketEnd"] = newValue?.json }
  }

  /// Whether the answer opened a WebSocket: status 101, or messages of one.
  public var isWebSocket: Bool {
    self["_webSocketMessages"] != nil || string("_resourceType") == "websocket" || response.status == 101
  }
}

extension HTTPArchive {
  /// A message of a WebSocket.
  ///
  /// ```json
  /// { "type": "receive", "time": 1693314200.336985, "opcode": 1, "data": "hello" }
  /// ```
  public struct WebSocketMessage: HTTPArchiveObject {
    /// Who sent it.
    public enum Direction: String, Sendable, Hashable {
      /// The client.
      case send
      /// The server.
      case receive
    }

    /// Every member.
    public var members: [JSONValue.Member]

    /// A message of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A message that passed at a time.
    public init(_ message: UnderstudyHTTP.WebSocketMessage, _ direction: Direction, at time: Date) {
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

    /// Who sent it; `nil` where another word stands there.
    public var direction: Direction? { string("type").flatMap(Direction.init) }
    /// When it passed, in seconds since 1970.
    public var time: Double? { number("time") }
    /// The opcode (RFC 6455 §5.2): 1 for text, 2 for bytes; text where it is missing.
    public var opcode: Int { integer("opcode") ?? 1 }
    /// The text, or the bytes in base64.
    public var data: String { string("data") ?? "" }

    /// The message; `nil` for what is neither text nor bytes, such as a ping, and where base64 is broken.
    public var message: UnderstudyHTTP.WebSocketMessage? {
      switch opcode {
      case 1: .text(data)
      case 2: Data(base64Encoded: data).map { .binary($0) }
      default: nil
      }
    }
  }

  /// How a WebSocket ended.
  ///
  /// ```json
  /// { "time": 1693314244.1, "code": "closed", "by": "server", "status": 1001, "reason": "going down" }
  /// { "time": 1693314244.1, "code": "connection lost", "message": "The WebSocket broke without a close frame." }
  /// ```
  ///
  /// `code` is `closed` after a close frame, `unfinished`, or the code of a `TransportError` in words.
  public struct WebSocketEnd: HTTPArchiveObject {
    /// Who sent the first close frame.
    public enum Side: String, Sendable, Hashable {
      /// The client.
      case client
      /// The server.
      case server
    }

    /// What ended it.
    public enum Cause: Sendable {
      /// A close frame, and who sent the first.
      case closed(by: Side, WebSocketClosure)
      /// Not in the recording: the client left without a goodbye, or was there still.
      case unfinished
      /// It broke off.
      case failed(TransportError)
    }

    /// Every member.
    public var members: [JSONValue.Member]

    /// An end of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// An end at a time.
    public init(_ cause: Cause, at time: Date) {
      members = [.init("time", JSONValue(time.timeIntervalSince1970))]
      switch cause {
      case .closed(let side, let closure):
        members += [
          .init("code", .string("closed")), .init("by", .string(side.rawValue)),
          .init("status", JSONValue(Int(closure.code.rawValue))), .init("reason", .string(closure.reason)),
        ]
      case .unfinished:
        members.append(.init("code", .string("unfinished")))
      case .failed(let error):
        members += [
          .init("code", .string(error.code.description)), .init("message", .string(error.message)),
        ]
      }
    }

    /// When it ended, in seconds since 1970.
    public var time: Double? { number("time") }

    /// What ended it; unfinished where nothing is said.
    public var cause: Cause {
      switch string("code") {
      case nil, "unfinished": return .unfinished
      case "closed":
        let code = integer("status").flatMap(UInt16.init(exactly:)).map(WebSocketClosure.Code.init(rawValue:))
        return .closed(
          by: string("by").flatMap(Side.init) ?? .server,
          WebSocketClosure(code ?? .noStatus, string("reason") ?? ""))
      case let code?:
        return .failed(
          TransportError(
            TransportError.Code(archived: code),
            string("message") ?? "The recorded WebSocket ended here: \(code)."))
      }
    }
  }
}
