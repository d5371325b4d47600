import UnderstudyHTTP

/// The presences of a topic, each of one channel (`Phoenix.Tracker`); several can have the same key.
struct RealtimePresences: Sendable {
  private struct Presence: Sendable {
    let channel: Int
    let key: String
    let reference: String
    let content: JSONValue
    /// The content with `phx_ref` and, after a replacement, `phx_ref_prev`.
    let meta: JSONValue

    /// - Parameter previous: The reference of the replaced presence.
    init(
      _ content: JSONValue, as key: String, by channel: Int, reference: String, replacing previous: String?
    ) {
      self.channel = channel
      self.key = key
      self.reference = reference
      self.content = content
      var members: [JSONValue.Member] = []
      if case .object(let own) = content {
        members = own.filter { $0.name != "phx_ref" && (previous == nil || $0.name != "phx_ref_prev") }
      }
      members.append(.init("phx_ref", .string(reference)))
      if let previous { members.append(.init("phx_ref_prev", .string(previous))) }
      meta = .object(members)
    }
  }

  private var presences: [Presence] = []

  var isEmpty: Bool { presences.isEmpty }

  /// The payload of `presence_state`.
  var state: JSONValue { Self.grouped(presences) }

  /// Adds the presence of a channel, or replaces it: a replaced presence leaves in the same difference.
  ///
  /// - Returns: The payload of `presence_diff`; `nil` if the content is the same as before
  ///   (`PresenceHandler.check_track_payload`).
  mutating func track(
    _ content: JSONValue, as key: String, by channel: Int, reference: String
  ) -> JSONValue? {
    let place = presences.firstIndex { $0.channel == channel }
    let old = place.map { presences[$0] }
    if let old, old.content == content { return nil }
    let new = Presence(content, as: key, by: channel, reference: reference, replacing: old?.reference)
    if let place { presences[place] = new } else { presences.append(new) }
    return Self.diff(joins: [new], leaves: old.map { [$0] } ?? [])
  }

  /// Removes the presences of a channel.
  ///
  /// - Returns: The payload of `presence_diff`; `nil` if it has none.
  mutating func removeAll(of channel: Int) -> JSONValue? {
    let leaving = presences.filter { $0.channel == channel }
    guard !leaving.isEmpty else { return nil }
    presences.removeAll { $0.channel == channel }
    return Self.diff(joins: [], leaves: leaving)
  }

  private static func diff(joins: [Presence], leaves: [Presence]) -> JSONValue {
    .object([.init("joins", grouped(joins)), .init("leaves", grouped(leaves))])
  }

  /// Returns the metas by keys (`Phoenix.Presence.group`).
  private static func grouped(_ presences: [Presence]) -> JSONValue {
    var keys: [String] = []
    var metas: [String: [JSONValue]] = [:]
    for presence in presences {
      if metas[presence.key] == nil { keys.append(presence.key) }
      metas[presence.key, default: []].append(presence.meta)
    }
    return .object(keys.map { .init($0, .object([.init("metas", .array(metas[$0] ?? []))])) })
  }
}
