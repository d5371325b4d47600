import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The handling of the messages of a client (`Phoenix.Socket.handle_in`, `RealtimeChannel`).
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
      // A message of an earlier join was already answered.
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
      case "broadcast": try await broadcast(message, from: channel)
      case "presence": try await send(presence(message, of: channel))
      default:
        // The server only logs it.
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
    let config = RealtimeConfig(message.payload)
    let topic = RealtimeTopic(name: String(name), isPrivate: config.isPrivate)
    let rights: RealtimeRights?
    let replayed: [RealtimeMessages.Message]
    do throws(RealtimeTokens.Refusal) {
      rights = try self.rights(on: topic, as: grant.role, withPresence: config.isPresenceEnabled)
      replayed = try messages(toReplay: config, on: topic, rights)
    } catch {
      return try await send(message.refusal(error.reason))
    }

    let changes = config.changes ?? [Self.change(namedBy: name)]
    let (bindings, feed, refusal) = subscription(to: changes, as: grant.role)
    let channel = RealtimeChannel(
      topic: message.topic, joinRef: message.joinRef, config, bindings: bindings, feed: feed,
      database.topics.subscribe(to: topic),
      presenceKey: config.presenceKey ?? database.topics.presenceKey(), replayed: replayed,
      .init(token: token, grant: grant, rights: rights))
    add(channel)
    // The subscription is already active, so a client that receives the reply misses nothing. (The real server reports
    // the subscription only with the next message.)
    try await send(
      message.reply("ok", .object([.init("postgres_changes", .array(changes.map(Self.answer(to:))))])))
    for message in replayed { try await send(channel.push("broadcast", message.replay)) }
    if config.reportsReplication {
      try await send(channel.system("ok", from: "system", "Replication connection established"))
    }
    if config.isPresenceEnabled, rights?.readsPresence ?? true {
      try await send(channel.push("presence_state", database.topics.presences(of: topic)))
    }
    if let refusal {
      // The channel stays open, without changes.
      try await send(channel.system("error", from: "postgres_changes", refusal.message))
    } else if feed != nil {
      try await send(Self.subscribed(channel))
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

  /// Replaces the token of a channel.
  private func take(_ token: String, for channel: RealtimeChannel) async throws {
    guard !token.hasPrefix("sb_"), token != channel.credentials.withLock({ $0.token }) else { return }
    do throws(RealtimeTokens.Refusal) {
      let grant = try tokens.grant(for: token)
      let previous = channel.credentials.withLock { $0.rights }
      let rights = try rights(
        on: channel.subscription.topic, as: grant.role, withPresence: previous?.readsPresence != nil)
      if let previous, let rights, previous.isRevoked(by: rights) {
        throw RealtimeTokens.Refusal(
          reason: "Unauthorized",
          message: "You no longer have permission to read from this Channel topic: \(channel.name)")
      }
      channel.credentials.withLock { $0 = .init(token: token, grant: grant, rights: rights) }
      if let feed = channel.feed { database.withFeeds { $0.setRole(grant.role, of: feed.id) } }
    } catch {
      return try await shutDown(channel, error.message)
    }
    watchToken(of: channel)
    if channel.feed != nil { try await send(Self.subscribed(channel)) }
  }

  private static func subscribed(_ channel: RealtimeChannel) -> PhoenixMessage {
    channel.system("ok", from: "postgres_changes", "Subscribed to PostgreSQL")
  }

  /// Returns the subscription in a topic such as `realtime:public:todos:id=eq.1`, for a join without a `config`.
  private static func change(namedBy name: Substring) -> JSONValue {
    let parts = name.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    return .object(zip(["schema", "table", "filter"], parts).map { .init($0, .string(String($1))) })
  }

  /// Returns the element of the reply for a requested change, whether or not the subscription succeeds.
  private static func answer(to change: JSONValue) -> JSONValue {
    guard case .object(let members) = change else { return change }
    return .object(members + [.init("id", .number(String(RealtimeBinding.id(of: change))))])
  }
}

/// Broadcasts and presences of a client.
extension RealtimeConnection {
  /// Returns the rights of a role on a topic; `nil` for a public topic.
  ///
  /// - Parameter withPresence: Whether the channel uses presence.
  /// - Throws: A refusal without the right to read (`RealtimeChannel.maybe_assign_policies`).
  private func rights(
    on topic: RealtimeTopic, as role: DatabaseRole, withPresence: Bool
  ) throws(RealtimeTokens.Refusal) -> RealtimeRights? {
    guard topic.isPrivate else { return nil }
    let rights = RealtimeRights(
      readsBroadcasts: database.mayRead(.broadcast, on: topic.name, as: role),
      readsPresence: withPresence ? database.mayRead(.presence, on: topic.name, as: role) : nil)
    guard rights.readsBroadcasts || rights.readsPresence == true else { throw .unreadable(topic) }
    return rights
  }

  /// Returns the messages that a join has replayed (`RealtimeChannel.maybe_replay_messages`).
  private func messages(
    toReplay config: RealtimeConfig, on topic: RealtimeTopic, _ rights: RealtimeRights?
  ) throws(RealtimeTokens.Refusal) -> [RealtimeMessages.Message] {
    guard config.requestsReplay else { return [] }
    func refusal(_ message: String) -> RealtimeTokens.Refusal {
      RealtimeTokens.Refusal(reason: "UnableToReplayMessages: " + message, message: message)
    }
    guard let rights else { throw refusal("Replay is not allowed for public channels") }
    guard rights.readsBroadcasts else { throw .unreadable(topic) }
    switch config.replay {
    case .none: return []
    case .invalid: throw refusal("Replay params are not valid")
    case .messages(let since, let limit):
      return database.messages(on: topic.name, since: Int64(since), limit: limit)
    }
  }

  /// Sends a broadcast to the topic (`BroadcastHandler.handle`): without `ack`, or the right to send, there is no reply.
  private func broadcast(_ message: PhoenixMessage, from channel: RealtimeChannel) async throws {
    let topic = channel.subscription.topic
    if topic.isPrivate {
      guard mayWrite(.broadcast, on: channel) else { return }
    }
    let push = message.broadcast.map(RealtimePush.userBroadcast) ?? .broadcast(message.payload)
    database.topics.send(
      push, to: topic, except: channel.receivesOwnBroadcasts ? nil : channel.subscription)
    if channel.acknowledgesBroadcasts { try await send(message.reply("ok")) }
  }

  /// Tracks or removes the presence of a channel, and returns the reply (`PresenceHandler.handle`).
  private func presence(_ message: PhoenixMessage, of channel: RealtimeChannel) -> PhoenixMessage {
    let topic = channel.subscription.topic
    switch message.payload["event"]?.stringValue?.lowercased() {
    case nil: return message.reply("ok")
    case "track":
      if topic.isPrivate {
        // Presence is used from now on, so its changes are received too.
        let (role, rights) = channel.credentials.withLock { ($0.grant.role, $0.rights) }
        if rights?.readsPresence == nil {
          let reads = database.mayRead(.presence, on: topic.name, as: role)
          channel.credentials.withLock { $0.rights?.readsPresence = reads }
        }
        guard mayWrite(.presence, on: channel) else { return message.reply("error") }
      }
      let content = message.payload["payload"] ?? .object([])
      guard case .object = content else {
        return message.refusal("Presence track payload must be a map")
      }
      database.topics.track(content, as: channel.presenceKey, by: channel.subscription)
      return message.reply("ok")
    case "untrack":
      database.topics.untrack(channel.subscription)
      return message.reply("ok")
    default: return message.reply("error")
    }
  }

  /// Returns whether a channel may send on its private topic; it is decided at the first attempt.
  private func mayWrite(_ kind: RealtimeMessages.Extension, on channel: RealtimeChannel) -> Bool {
    let (role, rights) = channel.credentials.withLock { ($0.grant.role, $0.rights) }
    if let decided = rights?.writes[kind] { return decided }
    let isAllowed = database.mayWrite(kind, on: channel.name, as: role)
    channel.credentials.withLock { $0.rights?.writes[kind] = isAllowed }
    return isAllowed
  }
}

extension RealtimeTokens.Refusal {
  /// The refusal of a private topic that the policies do not let the role read.
  fileprivate static func unreadable(_ topic: RealtimeTopic) -> Self {
    let message = "You do not have permissions to read from this Channel topic: \(topic.name)"
    return Self(reason: "Unauthorized: " + message, message: message)
  }
}

extension PhoenixMessage {
  /// Returns whether it belongs to the current join of the topic.
  fileprivate func belongs(to channel: RealtimeChannel) -> Bool {
    joinRef == .null || joinRef == channel.joinRef
  }
}
