import Foundation
import UnderstudyHTTP

/// A message of a Phoenix channel.
struct PhoenixMessage: Sendable, Equatable {
  /// The `ref` of the join to which the message belongs.
  var joinRef: JSONValue = .null
  /// The reference, which a reply repeats.
  var ref: JSONValue = .null
  var topic: String
  var event: String
  var payload: JSONValue
  /// The broadcast of a binary frame, which has no payload.
  var broadcast: UserBroadcast?

  /// Returns the reply to this message.
  func reply(_ status: String, _ response: JSONValue = .object([])) -> PhoenixMessage {
    PhoenixMessage(
      joinRef: joinRef, ref: ref, topic: topic, event: "phx_reply",
      payload: .object([.init("status", .string(status)), .init("response", response)]))
  }

  /// Returns the reply that refuses this message.
  func refusal(_ reason: String) -> PhoenixMessage {
    reply("error", .object([.init("reason", .string(reason))]))
  }
}

/// The serialization of messages: `vsn` in the query of the socket's URL.
enum PhoenixVersion: Sendable {
  /// Objects (`Phoenix.Socket.V1.JSONSerializer`).
  case one
  /// Arrays of five (`Phoenix.Socket.V2.JSONSerializer`).
  case two

  /// Creates the version for a `vsn` (default: 1); `nil` for an unsupported one.
  ///
  /// The server accepts every patch version of 1.0 and 2.0 (`Phoenix.Socket.negotiate_serializer`).
  init?(_ vsn: String?) {
    let parts = (vsn ?? "1.0.0").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ UInt32($0) != nil }), parts[1] == "0" else { return nil }
    switch parts[0] {
    case "1": self = .one
    case "2": self = .two
    default: return nil
    }
  }

  /// Parses the message in a text; `nil` for an invalid text, which the server only logs.
  func message(from text: String) -> PhoenixMessage? {
    guard let document = try? JSONValue(parsing: Data(text.utf8)) else { return nil }
    switch self {
    case .one:
      guard case .object = document, let topic = document["topic"]?.stringValue,
        let event = document["event"]?.stringValue, let payload = document["payload"],
        let ref = document["ref"]
      else { return nil }
      return PhoenixMessage(
        joinRef: document["join_ref"] ?? .null, ref: ref, topic: topic, event: event, payload: payload)
    case .two:
      guard case .array(let parts) = document, parts.count == 5, let topic = parts[2].stringValue,
        let event = parts[3].stringValue
      else { return nil }
      return PhoenixMessage(
        joinRef: parts[0], ref: parts[1], topic: topic, event: event, payload: parts[4])
    }
  }

  /// Returns the message of a topic's push; `nil` for one that the version cannot represent.
  ///
  /// It contains no reference (`Phoenix.Socket.Serializer.fastlane!`).
  func message(of push: RealtimePush, topic: String) -> WebSocketMessage? {
    let text = { (event: String, payload: JSONValue) in
      WebSocketMessage.text(self.text(of: PhoenixMessage(topic: topic, event: event, payload: payload)))
    }
    switch (push, self) {
    case (.broadcast(let payload), _): return text("broadcast", payload)
    case (.presenceDiff(let diff), _): return text("presence_diff", diff)
    case (.userBroadcast(let broadcast), .one): return broadcast.payload.map { text("broadcast", $0) }
    case (.userBroadcast(let broadcast), .two): return broadcast.frame(topic: topic).map { .binary($0) }
    }
  }

  func text(of message: PhoenixMessage) -> String {
    switch self {
    case .one:
      // Version 1 does not include the reference of the join.
      JSONValue.object([
        .init("event", .string(message.event)), .init("payload", message.payload),
        .init("ref", message.ref), .init("topic", .string(message.topic)),
      ]).compactText
    case .two:
      JSONValue.array([
        message.joinRef, message.ref, .string(message.topic), .string(message.event), message.payload,
      ]).compactText
    }
  }
}
