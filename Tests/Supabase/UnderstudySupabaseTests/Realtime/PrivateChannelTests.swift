import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Topics for which the policies of `realtime.messages` decide (`Realtime.Tenants.Authorization`), and the broadcasts of
/// the database (`Realtime.Tenants.ReplicationConnection`).
@Suite(.stallLimit()) struct PrivateChannelTests {
  let project: TodoProject
  let token: String

  init() throws {
    project = try TodoProject(
      additions: """

        CREATE POLICY hear ON realtime.messages FOR SELECT TO authenticated
          USING (realtime.topic() IN ('room', 'quiet', 'item:1') AND extension = 'broadcast');
        CREATE POLICY look ON realtime.messages FOR SELECT TO authenticated
          USING (realtime.topic() = 'room' AND extension = 'presence');
        CREATE POLICY say ON realtime.messages FOR INSERT TO authenticated
          WITH CHECK (realtime.topic() = 'room');
        CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          PERFORM realtime.broadcast_changes('item:' || coalesce(NEW.id, OLD.id), TG_OP, TG_OP, TG_TABLE_NAME,
            TG_TABLE_SCHEMA, NEW, OLD);
          RETURN NULL;
        END $$;
        CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON items FOR EACH ROW EXECUTE FUNCTION announce();
        CREATE FUNCTION shout(topic text, private boolean) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
          SELECT realtime.send('{"n": 1, "id": "own"}', 'hi', topic, private)
        $$;
        """)
    token = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
  }

  private func join(
    _ topic: String, token: String? = nil, vsn: String = "2.0.0", _ config: String = ""
  ) async throws -> (client: RealtimeClient, reply: RealtimeClient.Message) {
    let client = try await RealtimeClient(project, vsn: vsn)
    try await client.send(
      #"["1","1","realtime:\#(topic)","phx_join",{"config":{"private":true\#(config)},"#
        + #""access_token":"\#(token ?? self.token)"}]"#)
    return (client, try await client.message())
  }

  /// `RealtimeChannel.maybe_assign_policies`.
  @Test func aTopicIsJoinedByWhoMayReadIt() async throws {
    #expect(try await join("room").reply.status == "ok")
    #expect(try await join("quiet", #","presence":{"enabled":true}"#).reply.status == "ok")
    for (topic, token) in [("other", token), ("room", "anon-key")] {
      let reply = try await join(topic, token: token).reply
      #expect(
        reply.reason
          == "Unauthorized: You do not have permissions to read from this Channel topic: \(topic)")
    }
    // Nothing that was tried is stored.
    #expect(try project.database.select(from: "realtime.messages").isEmpty)
  }

  /// `BroadcastHandler.handle` ignores a broadcast that the policies refuse; a public topic is another one.
  @Test func aBroadcastIsSentByWhoMayWrite() async throws {
    let broadcast = #"{"broadcast":{"self":true,"ack":true},"#
    for (topic, isAllowed) in [("room", true), ("quiet", false)] {
      let (client, _) = try await join(topic, #","broadcast":{"self":true,"ack":true}"#)
      let open = try await RealtimeClient(project)
      try await open.send(
        #"["1","1","realtime:\#(topic)","phx_join",{"config":\#(broadcast)"private":false}}]"#)
      #expect(try await open.message().status == "ok")
      try await client.send(
        #"["1","2","realtime:\#(topic)","broadcast",{"type":"broadcast","event":"hi","payload":{}}]"#)
      if isAllowed {
        let events = [try await client.message().event, try await client.message().event]
        #expect(events.sorted() == ["broadcast", "phx_reply"])
      }
      for client in [client, open] {
        try await client.send(#"[null,"9","phoenix","heartbeat",{}]"#)
        #expect(try await client.message().topic == "phoenix")
      }
    }
  }

  /// `PresenceHandler.handle` and the rule of `MessageDispatcher` for differences of presence.
  @Test func presenceHasItsOwnPolicies() async throws {
    let (client, _) = try await join("room", #","presence":{"enabled":true,"key":"pat"}"#)
    #expect(try await client.message().event == "presence_state")
    try await client.send(#"["1","2","realtime:room","presence",{"event":"track","payload":{}}]"#)
    let events = [try await client.message().event, try await client.message().event]
    #expect(events.sorted() == ["phx_reply", "presence_diff"])
    let (quiet, _) = try await join("quiet", #","presence":{"enabled":true}"#)
    try await quiet.send(#"["1","2","realtime:quiet","presence",{"event":"track","payload":{}}]"#)
    let refusal = try await quiet.message()
    #expect(refusal.ref == "2" && refusal.status == "error" && refusal.reason == nil)
  }

  /// `BatchBroadcast` drops what the policies refuse; `SingleBroadcast` answers 403.
  @Test func broadcastsOverHTTPObeyThePolicies() async throws {
    let (client, _) = try await join("room")
    let batch =
      #"{"messages":[{"topic":"quiet","event":"a","payload":{},"private":true},"#
      + #"{"topic":"room","event":"b","payload":{"n":1},"private":true}]}"#
    #expect(try await project.send(.post, "/realtime/v1/api/broadcast", json: batch).status == 202)
    #expect(
      try await project.send(.post, "/realtime/v1/api/broadcast", token: token, json: batch).status == 202)
    #expect(try await client.message().payload["event"]?.stringValue == "b")
    let path = "/realtime/v1/api/broadcast/quiet/events/hi?private=true"
    #expect(try await project.send(.post, path, token: token, json: "{}").status == 403)
    #expect(try await project.send(.post, path, token: "x.y.z", json: "{}").status == 401)
    let type = try await project.send(.post, path, fields: ["Content-Type": "text/plain"], json: "{}")
    #expect(type.status == 415)
  }

  /// `RealtimeChannel.handle_in("access_token")`: a token without the right to read ends the channel.
  @Test func aTokenThatMayNotReadEndsTheChannel() async throws {
    let (client, _) = try await join("room")
    try await client.send(#"["1","2","realtime:room","access_token",{"access_token":"anon-key"}]"#)
    let system = try await client.message()
    #expect(system.payload["status"]?.stringValue == "error")
    #expect(system.said == "You do not have permissions to read from this Channel topic: room")
    #expect(try await client.message().event == "phx_close")
  }

  /// `realtime.broadcast_changes`: the rows keep the names of their columns.
  @Test func aTriggerBroadcastsChanges() async throws {
    let (client, _) = try await join("item:1")
    try project.database.insert(["id": 1, "name": "Milk"], into: "items")
    try project.database.delete(from: "items", where: .all)
    let row = #"{"id":1,"name":"Milk","rank":null,"kept_in":null,"list_id":null}"#
    for (operation, record, old) in [("INSERT", row, "null"), ("DELETE", "null", row)] {
      let broadcast = try await client.broadcast()
      #expect((broadcast.topic, broadcast.event) == ("realtime:item:1", operation))
      let id = try #require(broadcast.metadata?["id"]?.stringValue)
      // In the order of `jsonb`.
      #expect(
        String(decoding: broadcast.content, as: UTF8.self)
          == #"{"id":"\#(id)","table":"items","record":\#(record),"schema":"public","#
          + #""operation":"\#(operation)","old_record":\#(old)}"#)
    }
  }

  /// `UserBroadcast.convert_to_json_broadcast`: version 1 receives the message with its `meta`.
  @Test func aMessageOfTheDatabaseReachesItsTopic() async throws {
    let first = try await RealtimeClient(project, vsn: "1.0.0")
    try await first.send(
      #"{"event":"phx_join","topic":"realtime:room","ref":"1","join_ref":"1","payload":{"config":{}}}"#)
    #expect(try await first.text()?.contains(#""status":"ok""#) == true)
    let (other, _) = try await join("room")
    for isPrivate in [false, true] {
      let called = try await project.send(
        .post, "/rest/v1/rpc/shout", json: #"{"topic":"room","private":\#(isPrivate)}"#)
      #expect(called.status == 204)
    }
    let text = try #require(try await first.text())
    #expect(
      text.contains(#""payload":{"event":"hi","payload":{"n":1,"id":"own"},"type":"broadcast","meta":{"id":"#)
    )
    let broadcast = try await other.broadcast()
    #expect(String(decoding: broadcast.content, as: UTF8.self) == #"{"n":1,"id":"own"}"#)

    // `Realtime.Messages.replay`: only private messages, and not to a public channel.
    let (late, _) = try await join("room", #","broadcast":{"replay":{"since":0,"limit":1}}"#)
    let replayed = try await late.message()
    #expect(replayed.payload["meta"]?["id"] == broadcast.metadata?["id"])
    #expect(replayed.payload["meta"]?["replayed"] == .boolean(true))
    let invalid = try await join("room", #","broadcast":{"replay":{"since":"now"}}"#).reply
    #expect(invalid.reason == "UnableToReplayMessages: Replay params are not valid")
    try await late.send(
      #"["2","2","realtime:open","phx_join",{"config":{"broadcast":{"replay":{"since":0}}}}]"#)
    #expect(
      try await late.message().reason == "UnableToReplayMessages: Replay is not allowed for public channels")
  }

  /// `V2Serializer`: a broadcast arrives as a frame for version 2 and as an object for version 1.
  @Test func aBinaryFrameIsABroadcast() async throws {
    let sender = try await RealtimeClient(project)
    let first = try await RealtimeClient(project, vsn: "1.0.0")
    try await sender.send(
      #"["1","1","realtime:open","phx_join",{"config":{"broadcast":{"self":true,"ack":true}}}]"#)
    #expect(try await sender.message().status == "ok")
    try await first.send(#"{"event":"phx_join","topic":"realtime:open","ref":"1","payload":{"config":{}}}"#)
    _ = try await first.text()
    for encoding in [0, 1] as [UInt8] {
      let parts = ["1", "7", "realtime:open", "hi", ""]
      var frame = Data([3] + parts.map { UInt8($0.utf8.count) } + [encoding])
      for part in parts { frame.append(contentsOf: part.utf8) }
      frame.append(contentsOf: #"{"n":1}"#.utf8)
      try await sender.socket.send(.binary(frame))
      var received: RealtimeClient.Broadcast?
      for _ in 1...2 {
        switch try await sender.socket.receive() {
        case .binary(let frame)?: received = try RealtimeClient.Broadcast(frame)
        case .text(let text)?:
          #expect(text == #"["1","7","realtime:open","phx_reply",{"status":"ok","response":{}}]"#)
        case nil: Issue.record("The socket has ended.")
        }
      }
      #expect(received?.event == "hi" && received?.encoding == encoding && received?.metadata == nil)
      #expect(received.map { String(decoding: $0.content, as: UTF8.self) } == #"{"n":1}"#)
    }
    // Version 1 received only the JSON.
    #expect(
      try await first.text()
        == #"{"event":"broadcast","payload":{"event":"hi","payload":{"n":1},"type":"broadcast"},"#
        + #""ref":null,"topic":"realtime:open"}"#)
  }
}

extension RealtimeClient {
  /// A broadcast in a binary frame of the server.
  fileprivate struct Broadcast {
    let topic: String
    let event: String
    let metadata: JSONValue?
    let encoding: UInt8
    let content: Data

    init(_ frame: Data) throws {
      let bytes = Array(frame)
      try #require(bytes.count >= 5 && bytes[0] == 4)
      var offset = 5
      var parts: [String] = []
      for size in bytes[1...3] {
        try #require(offset + Int(size) <= bytes.count)
        parts.append(String(decoding: bytes[offset..<offset + Int(size)], as: UTF8.self))
        offset += Int(size)
      }
      topic = parts[0]
      event = parts[1]
      metadata = parts[2].isEmpty ? nil : try JSONValue(parsing: Data(parts[2].utf8))
      encoding = bytes[4]
      content = Data(bytes[offset...])
    }
  }

  /// The next message, which is a broadcast in a frame.
  fileprivate func broadcast() async throws -> Broadcast {
    guard case .binary(let frame)? = try await socket.receive() else { throw NoMessage() }
    return try Broadcast(frame)
  }
}
