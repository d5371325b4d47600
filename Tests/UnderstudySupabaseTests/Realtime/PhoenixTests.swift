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

  @Test func aBinaryMessageIsRefused() async throws {
    let client = try await RealtimeClient(project)
    try await client.socket.send(.binary(Data([3, 0])))
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

  @Test func presenceIsEmptyAndTheRestIsRefused() async throws {
    let client = try await RealtimeClient(project)
    try await client.send(#"["1","1","realtime:any","phx_join",{"config":{"presence":{"enabled":true}}}]"#)
    #expect(try await client.message().status == "ok")
    let presence = try await client.message()
    #expect(presence.event == "presence_state" && presence.payload == .object([]))
    for event in ["broadcast", "presence"] {
      try await client.send(#"["1","2","realtime:any","\#(event)",{"event":"track","payload":{}}]"#)
      #expect(try await client.message().reason == "This emulator does not support \(event).")
    }
    try await client.send(#"["2","2","realtime:own","phx_join",{"config":{"private":true}}]"#)
    #expect(
      try await client.message().reason
        == "Unauthorized: You do not have permissions to read from this Channel topic: own")
  }
}
