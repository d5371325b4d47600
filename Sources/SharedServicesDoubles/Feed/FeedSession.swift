import Foundation
import SharedServices

/// A session as its server has it.
struct FeedSession: Sendable {
  /// An answer that is being written.
  struct Draft: Sendable {
    let id: String
    let timestamp: String
    var text = ""

    /// What has been written, for somebody who has none of it.
    var delta: StreamEvent {
      .message(StreamedMessage(id: id, timestamp: timestamp, content: .assistant(text, isDelta: true)))
    }
  }

  /// A message in both its forms.
  struct Said: Sendable {
    var page: PaginatedMessage
    var event: StreamEvent
  }

  /// What is whole, in the order in which it became so.
  var said: [Said] = []
  var drafts: [Draft] = []
  /// How many messages the stream has forgotten; the history has them.
  var forgotten = 0
  /// The cursors that there were.
  var expired: Set<String> = []
  var subscribers: [Int: AsyncStream<StreamEvent>.Continuation] = [:]
  /// Those who are told nothing more, and do not know it.
  var silenced: [AsyncStream<StreamEvent>.Continuation] = []

  var pages: [PaginatedMessage] { said.map(\.page) }

  // MARK: - The history

  /// - Throws: What the service reports.
  func page(after cursor: String?, limit: Int) throws(FeedError) -> MessagePage {
    guard (1...100).contains(limit) else { throw .invalidParameters }
    let offset = try cursor.map { (cursor) throws(FeedError) in try place(after: cursor) } ?? 0
    let messages = pages[offset...].prefix(limit)
    let hasMore = offset + messages.count < said.count
    let start = max(0, offset - limit)
    return MessagePage(
      messages: Array(messages),
      pagination: .init(
        total: said.count, limit: limit, offset: offset, hasMore: hasMore,
        nextCursor: hasMore ? messages.last?.id : nil, prevCursor: start > 0 ? said[start - 1].page.id : nil))
  }

  private func place(after cursor: String) throws(FeedError) -> Int {
    if expired.contains(cursor) { throw .cursorExpired }
    guard let place = said.lastIndex(where: { $0.page.id == cursor }) else { throw .cursorNotFound }
    return place + 1
  }

  // MARK: - The stream

  /// What a subscriber is told first.
  func resumption(after messageID: String?) -> FeedResumption {
    var start = 0
    if let messageID {
      guard let place = said.lastIndex(where: { $0.page.id == messageID }) else { return .invalid }
      start = place + 1
    }
    return start < forgotten ? .evicted : .missed(said[start...].map(\.event))
  }

  func tell(_ event: StreamEvent) {
    for subscriber in subscribers.values { subscriber.yield(event) }
  }
}

/// How a stream goes on behind a message.
enum FeedResumption: Sendable {
  /// With these events.
  case missed([StreamEvent])
  /// With what the history has, for the stream does not reach back so far.
  case evicted
  /// From the beginning, for there is no such message.
  case invalid
}

extension PaginatedMessage {
  /// What is stored of a message that was said on the stream; `nil` for what is no message.
  init?(_ message: StreamedMessage) {
    self.init(id: message.id, role: "", content: "", timestamp: message.timestamp)
    switch message.content {
    case .assistant(let text, isDelta: false): (role, content) = ("assistant", text)
    case .user(let text): (role, content) = ("user", text)
    case .system(let text, let subtype):
      (role, content) = (subtype == "result" ? "resultSuccess" : "system", text)
    case .thinking(let text): (role, content) = ("thinking", text)
    case .toolUse(let id, let name, let input, let description):
      (role, content) = ("toolUse", description ?? name)
      (toolName, toolUseId, toolInputDescription) = (name, id, description ?? input)
    case .toolResult(let id, let tool, let output, _):
      (role, content) = ("toolResult", output)
      (toolName, toolResultId, toolOutput) = (tool, id, output)
    case .unknown(let type): role = type
    default: return nil
    }
  }
}
