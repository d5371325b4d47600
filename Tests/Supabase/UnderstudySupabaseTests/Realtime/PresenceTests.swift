import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Who is present on a topic (`PresenceHandler`, `Phoenix.Presence`).
@Suite(.stallLimit()) struct PresenceTests {
  let project: TodoProject

  init() throws {
    project = try TodoProject()
  }

  private func client(
    _ presence: String = #"{"enabled":true,"key":"pat"}"#, topic: String = "room"
  ) async throws -> RealtimeClient {
    let client = try await RealtimeClient(project)
    try await client.send(
      #"["1","1","realtime:\#(topic)","phx_join",{"config":{"presence":\#(presence)}}]"#)
    #expect(try await client.message().status == "ok")
    return client
  }

  private func track(_ client: RealtimeClient, _ content: String) async throws {
    try await client.send(
      #"["1","2","realtime:room","presence",{"type":"presence","event":"track","payload":\#(content)}]"#)
  }

  /// Returns the reply and the difference, which come in any order.
  private func answers(
    _ client: RealtimeClient
  ) async throws -> (reply: RealtimeClient.Message, diff: RealtimeClient.Message) {
    let both = [try await client.message(), try await client.message()]
    return (
      try #require(both.first { $0.event == "phx_reply" }),
      try #require(both.first { $0.event == "presence_diff" })
    )
  }

  /// `RealtimeChannel.join` and `PresenceHandler.sync`: only with `enabled` a join is followed by the presences.
  @Test func aJoinIsFollowedByThePresences() async throws {
    let first = try await client()
    let state = try await first.message()
    #expect((state.event, state.joinRef, state.payload) == ("presence_state", "1", .object([])))
    try await track(first, #"{"name":"Pat"}"#)
    _ = try await answers(first)
    let second = try await client()
    let metas = try #require(try await second.message().payload["pat"]?["metas"])
    guard case .array(let presences) = metas else {
      Issue.record("Expected an array, found \(metas)")
      return
    }
    #expect(presences.map { $0["name"]?.stringValue } == ["Pat"])
    #expect(presences[0]["phx_ref"]?.stringValue?.isEmpty == false && presences[0]["phx_ref_prev"] == nil)

    let third = try await client(#"{"enabled":false}"#)
    try await third.send(#"[null,"9","phoenix","heartbeat",{}]"#)
    #expect(try await third.message().topic == "phoenix")
  }

  /// `Phoenix.Tracker.update`: a replaced presence leaves, and the new one names its reference.
  @Test func aReplacementJoinsAndLeavesInOneDifference() async throws {
    let client = try await client()
    _ = try await client.message()
    try await track(client, #"{"n":1}"#)
    let first = try await answers(client)
    #expect(first.reply.status == "ok" && first.diff.payload["leaves"] == .object([]))
    #expect(first.diff.joinRef == nil)
    let reference = try #require(Self.metas(first.diff, "joins").first?["phx_ref"])
    try await track(client, #"{"n":2}"#)
    let second = try await answers(client).diff
    let joined = try #require(Self.metas(second, "joins").first)
    #expect(joined["n"] == .number("2") && joined["phx_ref_prev"] == reference)
    #expect(joined["phx_ref"] != reference)
    #expect(Self.metas(second, "leaves").map { $0["phx_ref"] } == [reference])
    // `check_track_payload`: the same content changes nothing.
    try await track(client, #"{"n":2}"#)
    #expect(try await client.message().status == "ok")
    try await client.send(#"["1","3","realtime:room","presence",{"event":"UNTRACK"}]"#)
    let last = try await answers(client)
    #expect(last.reply.status == "ok" && last.diff.payload["joins"] == .object([]))
    #expect(Self.metas(last.diff, "leaves").map { $0["phx_ref"] } == [joined["phx_ref"]])
    try await client.send(#"["1","4","realtime:room","presence",{"event":"untrack"}]"#)
    #expect(try await client.message().ref == "4")
  }

  private static func metas(
    _ message: RealtimeClient.Message, _ side: String, key: String = "pat"
  ) -> [JSONValue] {
    guard case .array(let metas)? = message.payload[side]?[key]?["metas"] else { return [] }
    return metas
  }

  /// `Phoenix.Tracker` removes the presences of a process that ends, and `Join.presence_key` generates a missing key.
  @Test func aChannelThatEndsLeaves() async throws {
    let watcher = try await client(#"{"enabled":true}"#)
    _ = try await watcher.message()
    for leave in [true, false] {
      let guest = try await client(#"{"enabled":true,"key":""}"#)
      _ = try await guest.message()
      try await track(guest, "{}")
      guard case .object(let joins)? = try await watcher.message().payload["joins"], joins.count == 1 else {
        Issue.record("Expected one key")
        return
      }
      #expect(UUID(uuidString: joins[0].name) != nil)
      if leave {
        try await guest.send(#"["1","5","realtime:room","phx_leave",{}]"#)
      } else {
        await guest.socket.close()
      }
      guard case .object(let leaves)? = try await watcher.message().payload["leaves"] else { return }
      #expect(leaves.map(\.name) == joins.map(\.name))
    }
  }

  /// `Phoenix.Presence.group`: channels with the same key are one entry with several metas.
  @Test func channelsShareAKey() async throws {
    let clients = [try await client(), try await client()]
    for (number, client) in clients.enumerated() {
      _ = try await client.message()
      try await track(client, #"{"n":\#(number)}"#)
    }
    // The second client receives the first presence, its own and the reply.
    for _ in 1...3 { _ = try await clients[1].message() }
    guard case .array(let metas)? = try await client().message().payload["pat"]?["metas"] else {
      Issue.record("Expected metas")
      return
    }
    #expect(Set(metas.map { $0["n"] }) == [.number("0"), .number("1")])
  }

  @Test(
    arguments: [
      (#"{"event":"track","payload":[1]}"#, "error", "Presence track payload must be a map"),
      (#"{"event":"dance"}"#, "error", nil), ("{}", "ok", nil),
    ] as [(String, String, String?)])
  func otherPayloads(_ payload: String, _ status: String, _ reason: String?) async throws {
    let client = try await client(#"{"enabled":false}"#)
    try await client.send(#"["1","2","realtime:room","presence",\#(payload)]"#)
    let reply = try await client.message()
    #expect((reply.status, reply.reason) == (status, reason))
  }
}
