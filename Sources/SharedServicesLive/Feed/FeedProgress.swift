import SharedServices

/// What of a session was told, so that nothing is told twice and nothing left out.
struct FeedProgress: Sendable {
  /// An answer that is not whole, in scalars.
  private struct Partial: Sendable {
    /// How much of it was told, over whatever connection.
    var told = 0
    /// How much of it this connection has brought; each begins anew.
    var received = 0
  }

  /// The last message that is whole: where a new connection goes on.
  private(set) var last: String?
  private var whole: Set<String> = []
  /// Messages of which a part came that nobody here knows; others of its parts may be known.
  private var unknown: Set<String> = []
  private var partials: [String: Partial] = [:]

  init(after messageID: String?) {
    last = messageID
  }

  /// A connection is made; it brings whatever is being written from its beginning.
  mutating func connectionBegins() {
    for id in partials.keys { partials[id]?.received = 0 }
  }

  /// What is to be told of an event, if anything.
  mutating func admit(_ message: StreamedMessage) -> StreamedMessage? {
    switch message.content {
    case .assistant(let text, isDelta: true): return admit(text, of: message)
    case .assistant, .user, .system, .thinking, .toolUse, .toolResult:
      guard whole.insert(message.id).inserted || message.id.isEmpty else { return nil }
      partials[message.id] = nil
      if !message.id.isEmpty { last = message.id }
      return message
    case .unknown:
      // The server may or may not keep it as a message, so it is no place to go on from.
      guard !whole.contains(message.id) else { return nil }
      return unknown.insert(message.id).inserted || message.id.isEmpty ? message : nil
    case .progress, .usage, .state, .permission, .question, .subagentStart, .subagentComplete: return message
    }
  }

  private mutating func admit(_ text: String, of message: StreamedMessage) -> StreamedMessage? {
    // A piece that comes after the whole says nothing new.
    if whole.contains(message.id) { return nil }
    var partial = partials[message.id] ?? Partial()
    defer { partials[message.id] = partial }
    let begin = partial.received
    partial.received += text.unicodeScalars.count
    guard partial.received > partial.told else { return nil }
    let rest = text.unicodeScalars.dropFirst(max(0, partial.told - begin))
    partial.told = partial.received
    var news = message
    news.content = .assistant(String(String.UnicodeScalarView(rest)), isDelta: true)
    return news
  }

  /// What is to be told of messages of the history.
  mutating func admit(_ messages: [PaginatedMessage]) -> [PaginatedMessage] {
    messages.filter { message in
      partials[message.id] = nil
      if message.id.isEmpty { return true }
      last = message.id
      return whole.insert(message.id).inserted
    }
  }

  /// Everything that was told is void; these are the messages that there are.
  mutating func startOver(with messages: [PaginatedMessage]) {
    (whole, unknown) = ([], [])
    last = nil
    _ = admit(messages)
  }

  /// The answers of which this connection brought nothing, although it has told what is being written.
  mutating func takeAbandoned() -> [String] {
    let ids = partials.filter { $0.value.received == 0 }.keys.sorted()
    for id in ids { partials[id] = nil }
    return ids
  }
}
