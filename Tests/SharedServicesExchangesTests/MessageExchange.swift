import SharedServices
import UnderstudyRecording
import UnderstudyHTTP

/// An exchange of the message history's document: what the service makes of it, and what the document says.
struct MessageExchange {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  /// Asks for the page of the exchange.
  func outcome(of service: some MessageHistoryService) async -> String {
    let query = exchange.request.query
    let session = exchange.request.path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    do throws(AppError) {
      let page = try await service.page(
        of: session, after: query["cursor"], limit: Int(query["limit"] ?? "") ?? 0)
      let place = page.pagination
      return page.messages.map { message in
        [
          message.id, message.role, message.content, message.timestamp, message.toolName ?? "",
          message.toolUseId ?? "", message.toolInputDescription ?? "",
        ].joined(separator: " ")
      }.joined(separator: "; ")
        + " of \(place.total) from \(place.offset), \(place.limit) at most, \(place.hasMore ? "more" : "no more"),"
        + " \(place.nextCursor ?? "no next"), \(place.prevCursor ?? "no previous")"
    } catch {
      return "\(error)"
    }
  }

  /// The result, from the members of the body.
  var expectedResult: String {
    guard case .array(let messages)? = exchange.response.body?["messages"] else { return "no messages" }
    let place = exchange.response.body?["pagination"]
    func number(_ name: String) -> String {
      if case .number(let digits)? = place?[name] { digits } else { "?" }
    }
    let names = ["id", "role", "content", "timestamp", "toolName", "toolUseId", "toolInputDescription"]
    return messages.map { message in
      names.map { message[$0]?.stringValue ?? "" }.joined(separator: " ")
    }.joined(separator: "; ")
      + " of \(number("total")) from \(number("offset")), \(number("limit")) at most,"
      + " \(place?["hasMore"] == .boolean(true) ? "more" : "no more"),"
      + " \(place?["nextCursor"]?.stringValue ?? "no next"), \(place?["prevCursor"]?.stringValue ?? "no previous")"
  }
}
