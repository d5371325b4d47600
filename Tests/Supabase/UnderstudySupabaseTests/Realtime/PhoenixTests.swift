import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The protocol of the socket, independent of the contents of a channel.
@Suite(.stallLimit()) struct PhoenixTests {
  let project: TodoProject

  init() throws {
    project = try TodoProject()
  }

  @Test func versionOneUsesObjects() async throws {
    let client = try await RealtimeClient(project, vsn: "1.0.0")
    try await client.send(#"{"event":"heartbeat","topic":"phoenix","payload":{},"ref":null,"join_ref":null}"#)
    #expect(
      try await client.text()
        == #"{"event":"phx_reply","payload":{"status":"ok","response":{}},"ref":null,"topic":"phoenix"}"#)
    try await client.send(
      #"{"event":"phx_join","topic":"realtime:any","ref":"1","join_ref":"1","payload":{"config":{}}}"#)
    #expect(
      try await client.text()
        == #"{"event":"phx_reply","payload":{"status":"ok","response":{"postgres_changes":[]}},"#
        + #""ref":"1","topic":"realtime:any"}"#)
    try await client.send(
      #"{"event":"phx_leave","topic":"realtime:any","ref":"2","join_ref":"1","payload":{}}"#)
    #expect(
      try await client.text()
        == #"{"event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"2","topic":"realtime:any"}"#)
    #expect(
      try await client.text() == #"{"event":"phx_close","payload":{},"ref":"1","topic":"realtime:any"}"#)
  }

  @Test func versionTwoUsesArrays() async throws {
    let client = try await RealtimeClient(project)
    try await client.send(#"[null,"26","phoenix","heartbeat",{}]"#)
    #expect(
      try await client.text() == #"[null,"26","phoenix","phx_reply",{"status":"ok","response":{}}]"#)
    try await client.send(#"["7","8","realtime:any","phx_leave",{}]"#)
    #expect(
      try await client.text() == #"["7","8","realtime:any","phx_reply",{"status":"ok","response":{}}]"#)
  }

  @Test(arguments: ["3.0.0", "2.1.0", "2", "", "two", "2.0.0.0"])
  func anUnknownVersionIsRefused(_ vsn: String) async throws {
    let error = await #expect(throws: TransportError.self) { try await RealtimeClient(project, vsn: vsn) }
    #expect((error?.cause as? WebSocketRefusal)?.status == 403)
  }

  @Test func withoutTheKeyTheGatewayRefuses() async throws {
    let url = try #require(URL(string: "ws://localhost/realtime/v1/websocket?vsn=1.0.0"))
    let error = await #expect(throws: TransportError.self) {
      try await InProcessTransport(to: project.emulator).connect(to: HTTP.Request(.get, url))
    }
    #expect((error?.cause as? WebSocketRefusal)?.status == 401)
  }

  @Test(arguments: ["", "nonsense", "{}", "[1,2,3]", #"["1","1",5,"phx_join",{}]"#])
  func otherTextsThanMessagesAreIgnored(_ text: String) async throws {
    for (vsn, heartbeat) in [
      ("1.0.0", #"{"event":"heartbeat","topic":"phoenix","payload":{},"ref":"1"}"#),
      ("2.0.0", #"[null,"1","phoenix","heartbeat",{}]"#),
    ] {
      let client = try await RealtimeClient(project, vsn: vsn)
      try await client.send(text)
      try await client.send(heartbeat)
      #expect(try await client.text()?.contains("phx_reply") == true)
    }
  }

  /// `V2Serializer.decode_binary` knows no other frames, and version 1 has none.
  @Test(arguments: [("2.0.0", [3, 0]), ("2.0.0", [4, 0, 0, 0, 0, 0, 0]), ("1.0.0", [3, 0, 0, 0, 0, 0, 0])])
  func anotherBinaryMessageIsRefused(_ vsn: String, _ frame: [UInt8]) async throws {
    let client = try await RealtimeClient(project, vsn: vsn)
    try await client.socket.send(.binary(Data(frame)))
    #expect(try await client.text() == nil)
    #expect(client.socket.closure?.code == .unsupportedData)
  }

  @Test(arguments: [
    ("other:any", "unmatched topic"), ("realtime:", "TopicNameRequired: You must provide a topic name"),
  ])
  func aFailedJoinReportsTheReason(_ topic: String, _ reason: String) async throws {
    let client = try await RealtimeClient(project)
    try await client.send(#"["1","1","\#(topic)","phx_join",{"config":{}}]"#)
    let reply = try await client.message()
    #expect(reply.status == "error" && reply.reason == reason)
  }

  @Test func aMessageToATopicWithoutAJoinIsRefused() async throws {
    let client = try await RealtimeClient(project)
    try await client.send(#"["1","2","realtime:any","access_token",{"access_token":"x"}]"#)
    #expect(try await client.message().reason == "unmatched topic")
  }

  @Test func aSecondJoinReplacesTheFirst() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(ref: "1")
    try await client.send(#"["2","2","realtime:any","phx_join",{"config":{}}]"#)
    let close = try await client.message()
    #expect(close.event == "phx_close" && close.joinRef == "1" && close.ref == "1")
    #expect(try await client.message().status == "ok")
    #expect(project.database.changeFeedCount == 0)
    // A late message of the first join.
    try await client.send(#"["1","3","realtime:any","phx_leave",{}]"#)
    try await client.send(#"["2","4","realtime:any","phx_leave",{}]"#)
    #expect(try await client.message().ref == "4")
  }

  @Test func aSilentClientIsDisconnectedAfterAMinute() async throws {
    let time = TestClock()
    let project = try TodoProject(time: time.time)
    let client = try await RealtimeClient(project)
    try await client.join()
    // The wait for silence, and the one for the end of the token.
    try await time.wait(forSleepers: 2)
    time.advance(by: .seconds(59))
    try await client.send(#"[null,"1","phoenix","heartbeat",{}]"#)
    #expect(try await client.message().ref == "1")
    time.advance(by: .seconds(1))
    try await time.wait(forSleepers: 2)
    time.advance(by: .seconds(58))
    try await client.send(#"[null,"2","phoenix","heartbeat",{}]"#)
    #expect(try await client.message().ref == "2")
    time.advance(by: .seconds(1))
    try await time.wait(forSleepers: 2)
    time.advance(by: .seconds(59))
    #expect(try await client.text() == nil)
    #expect(client.socket.closure?.code == .normalClosure)
    await project.database.waitForChangeFeeds(0)
  }

  @Test func aDisconnectedClientIsUnsubscribed() async throws {
    do {
      let client = try await RealtimeClient(project)
      try await client.join()
      #expect(project.database.changeFeedCount == 1)
      await client.socket.close()
      await project.database.waitForChangeFeeds(0)
    }
    do {
      let client = try await RealtimeClient(project)
      try await client.join()
    }
    // The last reference is released, and so is the connection.
    await project.database.waitForChangeFeeds(0)
  }

  /// `BroadcastHandler`: `self` and `ack` are false by default, and a topic has its own broadcasts.
  @Test func broadcastsReachTheOtherChannelsOfTheirTopic() async throws {
    func client(_ topic: String, _ config: String) async throws -> RealtimeClient {
      let client = try await RealtimeClient(project)
      try await client.send(#"["1","1","realtime:\#(topic)","phx_join",{"config":\#(config)}]"#)
      #expect(try await client.message().status == "ok")
      return client
    }
    let quiet = try await client("room", "{}")
    let both = try await client("room", #"{"broadcast":{"self":true,"ack":true}}"#)
    let elsewhere = try await client("other", #"{"broadcast":{"self":true}}"#)
    func shout(_ client: RealtimeClient, _ topic: String, _ text: String) async throws {
      try await client.send(
        #"["1","2","realtime:\#(topic)","broadcast",{"type":"broadcast","event":"hi","payload":{"t":"\#(text)"}}]"#
      )
    }
    func text(_ message: RealtimeClient.Message) -> String? {
      #expect((message.event, message.payload["event"]?.stringValue) == ("broadcast", "hi"))
      return message.payload["payload"]?["t"]?.stringValue
    }
    try await shout(quiet, "room", "one")
    #expect(text(try await both.message()) == "one")
    try await shout(both, "room", "two")
    // The reply and the broadcast to itself come in any order.
    let answers = [try await both.message(), try await both.message()]
    #expect(answers.contains { $0.event == "phx_reply" && $0.status == "ok" && $0.ref == "2" })
    #expect(answers.contains { $0.event == "broadcast" })
    // The sender of the first did not receive it, nor a reply.
    #expect(text(try await quiet.message()) == "two")

    let sent = try await project.send(
      .post, "/realtime/v1/api/broadcast",
      json: #"{"messages":[{"topic":"room","event":"hi","payload":{"t":"three"}}]}"#)
    #expect(sent.status == 202)
    #expect(text(try await quiet.message()) == "three")
    let invalid = try await project.send(
      .post, "/realtime/v1/api/broadcast", json: #"{"messages":[{"topic":"room"}]}"#)
    // `ChangesetView`.
    #expect(invalid.status == 422)
    #expect(
      invalid.text
        == #"{"errors":{"messages":[{"event":["can't be blank"],"payload":["can't be blank"]}]}}"#)
    try await shout(elsewhere, "other", "four")
    #expect(text(try await elsewhere.message()) == "four")

    // A channel that was left receives nothing more.
    try await quiet.send(#"["1","3","realtime:room","phx_leave",{}]"#)
    #expect(try await quiet.message().status == "ok")
    #expect(try await quiet.message().event == "phx_close")
    try await shout(both, "room", "five")
    _ = [try await both.message(), try await both.message(), try await both.message()]
    try await quiet.send(#"[null,"4","phoenix","heartbeat",{}]"#)
    #expect(try await quiet.message().topic == "phoenix")
  }
}
