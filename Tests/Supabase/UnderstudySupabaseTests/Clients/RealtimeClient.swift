import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase

/// A client that sends and receives messages in wire format.
struct RealtimeClient {
  let socket: any WebSocketConnection

  init(_ project: TodoProject, vsn: String = "2.0.0") async throws {
    let url = try #require(URL(string: "ws://localhost/realtime/v1/websocket?apikey=anon-key&vsn=\(vsn)"))
    // The handshake does not use the time of the server, because no test waits for it.
    socket = try await InProcessTransport(to: project.emulator).connect(to: HTTP.Request(.get, url))
  }

  func send(_ text: String) async throws {
    try await socket.send(.text(text))
  }

  /// The next message in wire format; `nil` at the end.
  func text() async throws -> String? {
    switch try await socket.receive() {
    case .text(let text)?: text
    case .binary?: throw UnexpectedBinary()
    case nil: nil
    }
  }

  /// The next message of the second version.
  func message() async throws -> Message {
    guard let text = try await text(), let parts = try? JSONValue(parsing: Data(text.utf8)),
      case .array(let values) = parts, values.count == 5
    else { throw NoMessage() }
    return Message(
      joinRef: values[0].stringValue, ref: values[1].stringValue, topic: values[2].stringValue ?? "",
      event: values[3].stringValue ?? "", payload: values[4])
  }

  /// Joins with these bindings as `config.postgres_changes`, and returns the reply and the `system` message.
  @discardableResult
  func join(
    _ bindings: String = #"{"event":"*","schema":"public","table":"lists"}"#, token: String? = nil,
    topic: String = "realtime:any", ref: String = "1"
  ) async throws -> (reply: Message, system: Message) {
    let token = token.map { #","access_token":"\#($0)""# } ?? ""
    try await send(
      #"["\#(ref)","\#(ref)","\#(topic)","phx_join",{"config":{"postgres_changes":[\#(bindings)]}\#(token)}]"#
    )
    return (try await message(), try await message())
  }

  struct Message: Equatable {
    let joinRef: String?
    let ref: String?
    let topic: String
    let event: String
    let payload: JSONValue

    var status: String? { payload["status"]?.stringValue }
    var reason: String? { payload["response"]?["reason"]?.stringValue }
    var said: String? { payload["message"]?.stringValue }
    var data: JSONValue? { payload["data"] }
    var kind: String? { data?["type"]?.stringValue }
  }

  struct UnexpectedBinary: Error {}
  struct NoMessage: Error {}
}
