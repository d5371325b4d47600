import Foundation
import SharedServices
import UnderstudyRecording
import UnderstudyHTTP

/// An exchange of the conversations' document: what a service makes of it, and what the document says, in words that
/// can be compared.
struct ConversationExchange {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  // MARK: - What a service makes of it

  /// Calls the operation of the exchange, and reads its answer to the end.
  func outcome(of service: some ConversationService) async -> String {
    let body = exchange.request.body
    do throws(AppError) {
      switch exchange.operation {
      case "startConversation":
        let conversation = try await service.startConversation(childID: id(body?["child_id"]))
        return text(
          conversation.id, conversation.userID, conversation.childID, conversation.createdAt)
      case "history":
        let filter = exchange.request.query["conversation_id"] ?? ""
        return try await service.history(conversationID: id(.string(String(filter.dropFirst(3))))).map {
          text($0.id, $0.conversationID, $0.role.rawValue, $0.content, $0.sources, $0.createdAt)
        }.joined(separator: "; ")
      case "sendMessageStream":
        return await read(
          try await service.sendMessageStream(
            conversationID: id(body?["conversationId"]), message: body?["message"]?.stringValue ?? "",
            childContext: ChildContext(
              age: 8, temperament: .spirited, goals: ["sleep"], topics: ["school"])))
      default: return "unknown operation \(exchange.operation)"
      }
    } catch {
      return "\(error)"
    }
  }

  private func read(_ answer: AsyncThrowingStream<MessageChunk, any Error>) async -> String {
    var chunks: [String] = []
    do {
      for try await chunk in answer { chunks.append(text(chunk.text, chunk.sources ?? [], chunk.isDone)) }
      return chunks.joined(separator: "; ")
    } catch {
      return chunks.joined(separator: "; ") + ", then \(error)"
    }
  }

  private func id(_ value: JSONValue?) -> UUID {
    value?.stringValue.flatMap(UUID.init) ?? UUID()
  }

  // MARK: - What the document says

  /// The result, from the members of the body or of the events.
  var expectedResult: String {
    get throws {
      guard let body = exchange.response.body else { return try expectedChunks(upTo: .max) }
      guard case .array(let rows) = body else {
        return text(id(body["id"]), id(body["user_id"]), id(body["child_id"]), date(body["created_at"]))
      }
      return rows.map { row in
        text(
          id(row["id"]), id(row["conversation_id"]), row["role"]?.stringValue ?? "",
          row["content"]?.stringValue ?? "", sources(row["sources"]), date(row["created_at"]))
      }.joined(separator: "; ")
    }
  }

  /// The first chunks of the stream.
  ///
  /// In the documents each is one event of one line.
  func expectedChunks(upTo count: Int) throws -> String {
    try exchange.response.chunks.prefix(count).map { chunk in
      let data = try JSONValue(parsing: Data(chunk.text.dropFirst("data: ".count).utf8))
      return text(data["text"]?.stringValue ?? "", sources(data["sources"]), data["isDone"] == .boolean(true))
    }.joined(separator: "; ")
  }

  private func sources(_ value: JSONValue?) -> [Citation] {
    guard case .array(let sources) = value else { return [] }
    return sources.map {
      Citation(
        title: $0["title"]?.stringValue ?? "", url: $0["url"]?.stringValue.flatMap(URL.init(string:)))
    }
  }

  private func date(_ value: JSONValue?) -> Date {
    let seconds = (value?.stringValue ?? "").prefix(19) + "Z"
    return (try? Date(String(seconds), strategy: .iso8601)) ?? .distantPast
  }

  private func text(_ parts: Any...) -> String {
    parts.map { part in
      if let date = part as? Date { "\(Int(date.timeIntervalSince1970))" } else { "\(part)" }
    }.joined(separator: " ")
  }
}
