import Understudy
import UnderstudyHTTP

/// What is answered to the messages of a client (`Phoenix.Socket.handle_in`, `RealtimeChannel`).
extension RealtimeConnection {
  func handle(_ message: PhoenixMessage) async throws {
    let channel = channel(of: message.topic)
    switch (message.topic, message.event) {
    case ("phoenix", "heartbeat"):
      try await send(
        PhoenixMessage(ref: message.ref, topic: "phoenix", event: "", payload: .null).reply("ok"))
    case (_, "phx_join"):
      if let channel, close(channel) { try await send(channel.ending("phx_close")) }
      try await join(message)
    case (_, "phx_leave"):
      // What belongs to a join of before has had its answer.
      guard let channel else { return try await send(message.reply("ok")) }
      guard message.belongs(to: channel), close(channel) else { return }
      try await send(message.reply("ok"))
      try await send(channel.ending("phx_close"))
    case (_, let event):
      guard let channel else { return try await send(message.refusal("unmatched topic")) }
      guard message.belongs(to: channel) else { return }
      switch event {
      case "access_token":
        if let token = message.payload["access_token"]?.stringValue { try await take(token, for: channel) }
      case "broadcast", "presence":
        // To answer nothing would look like a success.
        try await send(message.refusal("This emulator has no \(event)."))
      default:
        // The server logs it and leaves it at that.
        break
      }
    }
  }

  private func join(_ message: PhoenixMessage) async throws {
    guard message.topic.hasPrefix(Self.prefix) else {
      return try await send(message.refusal("unmatched topic"))
    }
    let name = message.topic.dropFirst(Self.prefix.count)
    guard !name.isEmpty else {
      return try await send(message.refusal("TopicNameRequired: You must provide a topic name"))
    }
    let token = tokens.token(of: message.payload)
    let grant: AuthServer.Grant
    do throws(RealtimeTokens.Refusal) {
      grant = try tokens.grant(for: token)
    } catch {
      return try await send(message.refusal(error.reason))
    }
    let config = message.payload["config"]
    if config?["private"] == .boolean(true) {
      // Policies on `realtime.messages` would allow it, and a project has none unless it writes them.
      return try await send(
        message.refusal(
          "Unauthorized: You do not have permissions to read from this Channel topic: \(name)"))
    }

    let changes = config.map(Self.changes(in:)) ?? [Self.change(namedBy: name)]
    let (bindings, feed, refusal) = subscription(to: changes, as: grant.role)
    let channel = RealtimeChannel(
      topic: message.topic, joinRef: message.joinRef, isLegacy: config == nil, bindings: bindings, feed: feed,
      .init(token: token, grant: grant))
    add(channel)
    // The subscription is in force, so whoever reads the answer misses nothing. (The real one says so only with the
    // message after it.)
    try await send(
      message.reply("ok", .object([.init("postgres_changes", .array(changes.map(Self.answer(to:))))])))
    if let refusal {
      // The channel stays, and is told nothing.
      try await send(channel.system("error", from: "postgres_changes", refusal.message))
    } else if feed != nil {
      try await send(Self.subscribed(channel))
    }
    if config?["presence"]?["enabled"] == .boolean(true) {
      try await send(channel.push("presence_state", .object([])))
    }
    start(channel)
  }

  private func subscription(
    to changes: [JSONValue], as role: DatabaseRole
  ) -> (bindings: [RealtimeBinding], RealtimeChannel.Feed?, RealtimeBinding.Refusal?) {
    var bindings: [RealtimeBinding] = []
    do throws(RealtimeBinding.Refusal) {
      for change in changes { bindings.append(try RealtimeBinding(change)) }
      return (bindings, try subscribe(bindings, as: role), nil)
    } catch {
      return (bindings, nil, error)
    }
  }

  /// A new token for a channel.
  private func take(_ token: String, for channel: RealtimeChannel) async throws {
    guard !token.hasPrefix("sb_"), token != channel.credentials.withLock({ $0.token }) else { return }
    do throws(RealtimeTokens.Refusal) {
      let grant = try tokens.grant(for: token)
      channel.credentials.withLock { $0 = .init(token: token, grant: grant) }
      if let feed = channel.feed { database.withState { $0.feeds.setRole(grant.role, of: feed.id) } }
    } catch {
      return try await shutDown(channel, error.message)
    }
    watchToken(of: channel)
    if channel.feed != nil { try await send(Self.subscribed(channel)) }
  }

  private static func subscribed(_ channel: RealtimeChannel) -> PhoenixMessage {
    channel.system("ok", from: "postgres_changes", "Subscribed to PostgreSQL")
  }

  /// The changes that a join asks for.
  private static func changes(in config: JSONValue) -> [JSONValue] {
    guard case .array(let changes)? = config["postgres_changes"] else { return [] }
    return changes.filter { $0 != .null }
  }

  /// The changes that a topic such as `realtime:public:todos:id=eq.1` names, for a join without a `config`.
  private static func change(namedBy name: Substring) -> JSONValue {
    let parts = name.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    return .object(zip(["schema", "table", "filter"], parts).map { .init($0, .string(String($1))) })
  }

  /// What the reply says of a change that is asked for, whether it can be subscribed to or not.
  private static func answer(to change: JSONValue) -> JSONValue {
    guard case .object(let members) = change else { return change }
    return .object(members + [.init("id", .number(String(RealtimeBinding.id(of: change))))])
  }
}

extension PhoenixMessage {
  /// Whether it is for this join of a topic, and not for one before.
  fileprivate func belongs(to channel: RealtimeChannel) -> Bool {
    joinRef == .null || joinRef == channel.joinRef
  }
}
