import Foundation
import UnderstudyHTTP

/// A broadcast whose content is separate from its event (`RealtimeWeb.Socket.UserBroadcast`).
///
/// Version 2 sends it in a binary frame (`RealtimeWeb.Socket.V2Serializer`).
struct UserBroadcast: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case json(Data)
    case binary(Data)
  }

  let event: String
  let content: Content
  /// Additional members, such as the `id` of a message of the database.
  let metadata: JSONValue?

  /// The payload of the event `broadcast` in version 1; `nil` for binary content, which it cannot represent.
  var payload: JSONValue? {
    guard case .json(let text) = content, let payload = try? JSONValue(parsing: text) else { return nil }
    let members: [JSONValue.Member] = [
      .init("event", .string(event)), .init("payload", payload), .init("type", .string("broadcast")),
    ]
    return .object(members + (metadata.map { [.init("meta", $0)] } ?? []))
  }

  /// Returns the frame that the server sends; `nil` if one of the parts is longer than 255 bytes.
  func frame(topic: String) -> Data? {
    let parts = [topic, event, metadata?.compactText ?? ""].map { Array($0.utf8) }
    guard parts.allSatisfy({ $0.count <= UInt8.max }) else { return nil }
    var frame = Data([Kind.userBroadcast] + parts.map { UInt8($0.count) })
    switch content {
    case .json: frame.append(Encoding.json)
    case .binary: frame.append(Encoding.binary)
    }
    for part in parts { frame.append(contentsOf: part) }
    switch content {
    case .json(let bytes), .binary(let bytes): frame.append(bytes)
    }
    return frame
  }

  fileprivate enum Kind {
    /// From a client to the server.
    static let userBroadcastPush: UInt8 = 3
    /// From the server to a client.
    static let userBroadcast: UInt8 = 4
  }

  fileprivate enum Encoding {
    static let binary: UInt8 = 0
    static let json: UInt8 = 1
  }
}

extension PhoenixMessage {
  /// Parses the binary frame of a client's broadcast; `nil` for any other frame.
  ///
  /// A header of seven bytes contains the kind, the sizes of the five parts that follow it, and the encoding of the
  /// content, which is the rest.
  init?(frame: Data) {
    let bytes = Array(frame)
    guard bytes.count >= 7, bytes[0] == UserBroadcast.Kind.userBroadcastPush else { return nil }
    var offset = 7
    var parts: [String] = []
    for size in bytes[1...5] {
      let end = offset + Int(size)
      guard end <= bytes.count, let part = String(exactlyUTF8: bytes[offset..<end]) else {
        return nil
      }
      parts.append(part)
      offset = end
    }
    let content = Data(bytes[offset...])
    let reference = { (text: String) in text.isEmpty ? JSONValue.null : .string(text) }
    self.init(
      joinRef: reference(parts[0]), ref: reference(parts[1]), topic: parts[2], event: "broadcast",
      payload: .null)
    // The server ignores the metadata of a client (`BroadcastHandler.build_broadcast`).
    broadcast = UserBroadcast(
      event: parts[3], content: bytes[6] == UserBroadcast.Encoding.binary ? .binary(content) : .json(content),
      metadata: nil)
  }
}
