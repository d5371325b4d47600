import SharedServices

/// The progress of a session's delivery, which prevents duplicates and gaps.
struct FeedProgress: Sendable {
  /// The progress of an incomplete answer, in Unicode scalars.
  private struct Partial: Sendable {
    /// The number of scalars delivered, over all connections.
    var told = 0
    /// The number of scalars received over this connection; each connection starts from zero.
    var received = 0
  }

  /// The last whole message, from which a new connection resumes.
  private(set) var last: String?
  private var whole: Set<String> = []
  /// Messages of which a part of an unknown type was received; other parts may be known.
  private var unknown: Set<String> = []
  private var partials: [String: Partial] = [:]

  init(after messageID: String?) {
    last = messageID
  }

  /// Starts a connection, which sends incomplete answers from their beginning.
  mutating func connectionBegins() {
    for id in partials.keys { partials[id]?.received = 0 }
  }

  /// Returns the event to deliver for a message, if any.
  mutating func admit(_ message: StreamedMessage) -> StreamedMessage? {
    switch message.content {
    case .assistant(let text, isDelta: true): return admit(text, of: message)
    case .assistant, .user, .system, .thinking, .toolUse, .toolResult:
      guard whole.insert(message.id).inserted || message.id.isEmpty else { return nil }
      partials[message.id] = nil
      if !message.id.isEmpty { last = message.id }
      return message
    case .unknown:
      // The server may not store it as a message, so a connection cannot resume from it.
      guard !whole.contains(message.id) else { return nil }
      return unknown.insert(message.id).inserted || message.id.isEmpty ? message : nil
    case .progress, .usage, .state, .permission, .question, .subagentStart, .subagentComplete: return message
    }
  }

  private mutating func admit(_ text: String, of message: StreamedMessage) -> StreamedMessage? {
    // A part that follows the whole message is a duplicate. An empty one begins no answer that could be abandoned.
    if whole.contains(message.id) || text.isEmpty { return nil }
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

  /// Returns the messages of the history to deliver.
  mutating func admit(_ messages: [PaginatedMessage]) -> [PaginatedMessage] {
    messages.filter { message in
      partials[message.id] = nil
      if message.id.isEmpty { return true }
      last = message.id
      return whole.insert(message.id).inserted
    }
  }

  /// Discards all progress and starts over with the given messages.
  mutating func startOver(with messages: [PaginatedMessage]) {
    (whole, unknown) = ([], [])
    last = nil
    _ = admit(messages)
  }

  /// Removes and returns the answers of which this connection has received nothing, although it has sent all unfinished
  /// answers.
  mutating func takeAbandoned() -> [String] {
    let ids = partials.filter { $0.value.received == 0 }.keys.sorted()
    for id in ids { partials[id] = nil }
    return ids
  }
}
