import UnderstudyHTTP

/// The `config` of a join (`RealtimeWeb.Channels.Payloads.Config`); an invalid value counts as the default.
struct RealtimeConfig: Sendable {
  private let config: JSONValue?

  /// - Parameter payload: The payload of the join.
  init(_ payload: JSONValue) {
    config = payload["config"]
  }

  /// Whether the client names the table in the topic, as old clients do.
  var isMissing: Bool { config == nil }
  var isPrivate: Bool { Self.isTrue(config?["private"]) }
  /// Whether the channel receives its own broadcasts.
  var receivesOwnBroadcasts: Bool { Self.isTrue(config?["broadcast"]?["self"]) }
  /// Whether a broadcast has a reply.
  var acknowledgesBroadcasts: Bool { Self.isTrue(config?["broadcast"]?["ack"]) }
  /// Whether the channel reports that messages of the database are sent, which is always the case.
  var reportsReplication: Bool { Self.isTrue(config?["broadcast"]?["replication_ready"]) }
  /// Whether the channel begins with `presence_state`.
  var isPresenceEnabled: Bool { Self.isTrue(config?["presence"]?["enabled"]) }

  /// The client's own key for its presence; `nil` for a missing or an empty one (`Join.presence_key`).
  var presenceKey: String? {
    switch config?["presence"]?["key"] {
    case nil, .null?, .string("")?: nil
    case .string(let key)?: key
    case let key?: key.compactText
    }
  }

  /// The requested changes; `nil` without a `config`.
  var changes: [JSONValue]? {
    guard let config else { return nil }
    guard case .array(let changes)? = config["postgres_changes"] else { return [] }
    return changes.filter { $0 != .null }
  }

  /// The messages to replay.
  enum Replay: Sendable {
    case none
    /// The parameters are not whole numbers.
    case invalid
    /// - Parameter since: The earliest time, in milliseconds since 1970.
    case messages(since: Int, limit: Int)
  }

  /// The messages to replay (`Realtime.Messages.replay`).
  var replay: Replay {
    switch config?["broadcast"]?["replay"] {
    case .object?:
      let parameters = config?["broadcast"]?["replay"]
      let limit = parameters?["limit"]
      guard let since = parameters?["since"]?.integerValue,
        let limit = limit == nil || limit == .null ? 25 : limit?.integerValue
      else { return .invalid }
      return .messages(since: since, limit: limit)
    default: return .none
    }
  }

  /// Whether the join requests a replay, valid or not.
  var requestsReplay: Bool { config?["broadcast"]?["replay"] != nil }

  /// Clients also write booleans as texts, in any case (`FlexibleBoolean`).
  private static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .boolean(let isTrue)?: isTrue
    case .string(let text)?: text.lowercased() == "true"
    default: false
    }
  }
}
