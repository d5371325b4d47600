public import UnderstudyHTTP
import Foundation
import SharedServices
public import SharedServicesDoubles

/// A `MessageFeedServer` over HTTP.
///
/// `GET /sessions/<id>/messages?cursor=&limit=` is a page of the history, and `GET /sessions/<id>/stream` opens a
/// WebSocket. The client's first frame is its position, `{"type": "resume", "lastMessageId": …}`; without an id it is the
/// beginning. The server answers `connected`, the unfinished answers, and the missed events followed by
/// `reconnect_complete`, or else `cursor_evicted` or `cursor_invalid`. Then it sends new events. Both sides may send
/// `ping`, and answer with `pong`.
public struct MessageFeedEmulator: HTTPHandler {
  private let server: MessageFeedServer

  /// Creates an emulator of a server.
  public init(_ server: MessageFeedServer) {
    self.server = server
  }

  /// Answers a request; every refusal is JSON with a `code` and a `message`.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let path = request.url.path(percentEncoded: true).split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    guard path.count == 3, path[0] == "sessions", ["messages", "stream"].contains(path[2]) else {
      return Self.refusing(
        Refusal(
          status: 404, code: "NOT_FOUND",
          message: "Expected /sessions/<id>/messages or /sessions/<id>/stream, found \(request.url.path())."))
    }
    guard request.method == .get else {
      return Self.refusing(
        Refusal(
          status: 405, code: "METHOD_NOT_ALLOWED", message: "Expected GET, found \(request.method)."))
    }
    return path[2] == "messages" ? page(of: path[1], request) : stream(of: path[1])
  }

  // MARK: - The history

  private func page(of sessionID: String, _ request: HTTP.Request) -> HTTP.Response {
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { query.last { $0.name == name }?.value }
    do throws(FeedError) {
      guard let limit = value("limit").map({ Int($0) }) ?? 50 else { throw .invalidParameters }
      guard let (page, events) = try server.storedPage(of: sessionID, after: value("cursor"), limit: limit)
      else {
        return Self.refusing(
          Refusal(
            status: 404, code: "SESSION_NOT_FOUND",
            message: "Expected the id of a session, found \"\(sessionID)\"."))
      }
      return HTTP.Response(
        status: 200, body: Data(page.json(of: events).compactText.utf8), contentType: "application/json")
    } catch {
      return Self.refusing(Refusal(error))
    }
  }

  private static func refusing(_ refusal: Refusal) -> HTTP.Response {
    let body = JSONValue.object([
      .init("code", .string(refusal.code ?? "ERROR")), .init("message", .string(refusal.message)),
    ])
    return HTTP.Response(
      status: refusal.status, body: Data(body.compactText.utf8), contentType: "application/json")
  }

  // MARK: - The stream

  private func stream(of sessionID: String) -> HTTP.Response {
    if let refusal = server.refusal(of: sessionID) { return Self.refusing(refusal) }
    return .webSocket { socket in
      guard let first = try await socket.receive() else { return }
      guard case .text(let text) = first, let frame = try? JSONValue(parsing: Data(text.utf8)),
        frame["type"] == .string("resume")
      else {
        return await socket.close(WebSocketClosure(.policyViolation, "Expected a frame of the type resume."))
      }
      let last = frame["lastMessageId"]?.stringValue
      guard let subscription = server.subscribe(to: sessionID, after: last) else { return }
      for event in subscription.opening(after: last) { try await send(event, over: socket) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          while let message = try await socket.receive() {
            guard case .text(let text) = message, let frame = try? JSONValue(parsing: Data(text.utf8)) else {
              continue
            }
            if frame["type"] == .string("ping") {
              try await send(.control(.pong(serverTime: nil)), over: socket)
            }
          }
        }
        group.addTask {
          for await event in subscription.events { try await send(event, over: socket) }
          throw TransportError(.connectionLost, "The server broke the connection.")
        }
        try await group.next()
      }
    }
  }

  private func send(_ event: StreamEvent, over socket: any WebSocketConnection) async throws {
    try await socket.send(.text(event.frame(at: server.timestamp)))
  }
}

extension MessageFeedServer {
  /// The server over HTTP.
  public var emulator: MessageFeedEmulator { MessageFeedEmulator(self) }
}

extension MessageFeedServer.Subscription {
  /// The first events of a connection.
  fileprivate func opening(after messageID: String?) -> [StreamEvent] {
    let begun = [.control(.connected())] + drafts.filter { !$0.text.isEmpty }.map(\.delta)
    return switch resumption {
    case .missed(let events):
      begun + events + [.control(.reconnectComplete(missedCount: events.count, fromMessageID: messageID))]
    case .evicted: begun + [.control(.cursorEvicted(lastMessageID: messageID))]
    case .invalid: begun + [.control(.cursorInvalid(lastMessageID: messageID))]
    }
  }
}

extension Refusal {
  fileprivate init(_ error: FeedError) {
    switch error {
    case .cursorNotFound:
      self.init(status: 404, code: "CURSOR_NOT_FOUND", message: "There is no such place in the session.")
    case .cursorExpired:
      self.init(
        status: 410, code: "CURSOR_EXPIRED", message: "This place in the session is not known any more.")
    case .invalidParameters:
      self.init(status: 400, code: "INVALID_PARAMS", message: "Expected a limit from 1 to 100.")
    }
  }
}

// The JSON of the feed.

extension JSONValue {
  /// An object of the members with values.
  fileprivate static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  fileprivate static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  fileprivate static func count(_ number: Int?) -> JSONValue? { number.map { .number("\($0)") } }
  fileprivate static func measure(_ number: Double?) -> JSONValue? {
    number.flatMap { $0.isFinite ? .number("\($0)") : nil }
  }

  /// A value that is written as JSON if it is valid JSON, otherwise as a string.
  fileprivate static func embedded(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
  }
}

extension MessagePage {
  /// The page of messages that were stored with these events.
  fileprivate func json(of events: [StreamEvent]) -> JSONValue {
    .object([
      "messages": .array(zip(messages, events).map { $0.json(of: $1) }),
      "pagination": .object([
        "total": .count(pagination.total), "limit": .count(pagination.limit),
        "offset": .count(pagination.offset), "hasMore": .boolean(pagination.hasMore),
        "nextCursor": .text(pagination.nextCursor), "prevCursor": .text(pagination.prevCursor),
      ]),
    ])
  }
}

extension PaginatedMessage {
  /// The message in the envelope of the stream, without its type; flat, as in seed 000, if that has not all its fields.
  fileprivate func json(of event: StreamEvent) -> JSONValue {
    guard case .message(let message) = event, PaginatedMessage(message) == self else { return json }
    return .object([
      "id": .string(id), "timestamp": .string(timestamp), "message": message.content.json,
    ])
  }

  fileprivate var json: JSONValue {
    .object([
      "id": .string(id), "role": .string(role), "content": .string(content), "timestamp": .string(timestamp),
      "toolName": .text(toolName), "toolUseId": .text(toolUseId), "toolResultId": .text(toolResultId),
      "toolInputDescription": .text(toolInputDescription), "toolOutput": .text(toolOutput),
      "tokenCount": .count(tokenCount), "executionTime": .measure(executionTime),
      "imagePath": .text(imagePath), "imageData": .text(imageData?.base64EncodedString()),
    ])
  }
}

extension StreamEvent {
  /// The frame of the event; `date` is the server's.
  func frame(at date: String) -> String {
    switch self {
    case .unreadable(let text): text
    case .control(let control): control.json(at: date).compactText
    case .message(let message):
      JSONValue.object([
        "type": .string("stream"), "id": .string(message.id), "timestamp": .string(message.timestamp),
        "message": message.content.json,
      ]).compactText
    }
  }
}

extension StreamContent {
  fileprivate var json: JSONValue {
    switch self {
    case .assistant(let text, let isDelta):
      .object([
        "type": .string("assistant"), "content": .string(text), "delta": isDelta ? .boolean(true) : nil,
      ])
    case .user(let text): .object(["type": .string("user"), "content": .string(text)])
    case .system(let text, let subtype):
      .object(["type": .string("system"), "content": .string(text), "subtype": .text(subtype)])
    case .thinking(let text): .object(["type": .string("thinking"), "content": .string(text)])
    case .toolUse(let id, let name, let input, let description):
      .object([
        "type": .string("tool_use"), "id": .text(id), "name": .string(name), "input": .embedded(input),
        "inputDescription": .text(description),
      ])
    case .toolResult(let id, let tool, let output, let isSuccess):
      .object([
        "type": .string("tool_result"), "id": .text(id), "tool": .string(tool), "output": .string(output),
        "success": .boolean(isSuccess),
      ])
    case .progress(let progress):
      .object([
        "type": .string("progress"), "id": .string(progress.id), "tool": .string(progress.tool),
        "elapsed": .measure(progress.elapsed), "progress": .measure(progress.progress),
        "detail": .text(progress.detail),
      ])
    case .usage(let usage):
      .object([
        "type": .string("usage"), "inputTokens": .count(usage.inputTokens),
        "outputTokens": .count(usage.outputTokens),
        "cacheReadTokens": .count(usage.cacheReadTokens),
        "cacheCreateTokens": .count(usage.cacheCreateTokens),
        "totalCost": .measure(usage.totalCost), "contextUsed": .count(usage.contextUsed),
        "contextLimit": .count(usage.contextLimit),
      ])
    case .state(let state, let tool):
      .object(["type": .string("state"), "state": .string(state), "tool": .text(tool)])
    case .permission(let request):
      .object([
        "type": .string("permission"), "id": .string(request.id), "tool": .string(request.tool),
        "input": .embedded(request.input), "options": .array(request.options.map { .string($0) }),
      ])
    case .question(let request):
      .object([
        "type": .string("question"), "id": .string(request.id),
        "questions": .array(request.questions.map(\.json)),
      ])
    case .subagentStart(let id, let description):
      .object(["type": .string("subagent_start"), "id": .string(id), "description": .string(description)])
    case .subagentComplete(let id, let summary):
      .object(["type": .string("subagent_complete"), "id": .string(id), "summary": .text(summary)])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}

extension QuestionRequest.Question {
  fileprivate var json: JSONValue {
    .object([
      "question": .string(question), "header": .string(header),
      "options": .array(
        options.map { .object(["label": .string($0.label), "description": .text($0.description)]) }),
      "multiSelect": .boolean(isMultipleChoice),
    ])
  }
}

extension SessionEvent.Metadata {
  fileprivate func json(id: String, projectPath: String) -> JSONValue {
    .object([
      "id": .string(id), "projectPath": .string(projectPath), "source": .string(source),
      "createdAt": .text(createdAt), "lastActivityAt": .string(lastActivityAt),
      "messageCount": .count(messageCount), "title": .text(title), "summary": .text(summary),
      "customTitle": .text(customTitle), "model": .text(model), "archivedAt": .text(archivedAt),
      "parentSessionId": .text(parentSessionID),
    ])
  }
}

extension ControlMessage {
  fileprivate func json(at date: String) -> JSONValue {
    switch self {
    case .connected(let model): .object(["type": .string("connected"), "model": .text(model)])
    case .history(let messages, let hasMore, let cursor):
      .object([
        "type": .string("history"), "messages": .array(messages.map(\.json)), "hasMore": .boolean(hasMore),
        "cursor": .text(cursor),
      ])
    case .sessionEvent(let event):
      .object([
        "type": .string("session_event"), "action": .string(event.action),
        "sessionId": .string(event.sessionID), "projectPath": .string(event.projectPath),
        "metadata": event.metadata?.json(id: event.sessionID, projectPath: event.projectPath),
      ])
    case .queued(let position): .object(["type": .string("queued"), "position": .count(position)])
    case .queueCleared: .object(["type": .string("queue_cleared")])
    case .reconnectComplete(let count, let id):
      .object([
        "type": .string("reconnect_complete"), "missedCount": .count(count), "fromMessageId": .text(id),
      ])
    case .cursorEvicted(let id):
      .object([
        "type": .string("cursor_evicted"), "lastMessageId": .text(id),
        "recommendation": .string("fetch_from_rest"),
      ])
    case .cursorInvalid(let id):
      .object([
        "type": .string("cursor_invalid"), "lastMessageId": .text(id),
        "recommendation": .string("full_resync"),
      ])
    case .error(let failure):
      .object([
        "type": .string("error"), "code": .string(failure.code), "message": .string(failure.message),
        "recoverable": .boolean(failure.isRecoverable),
        "retryable": failure.retryAfter == nil ? nil : .boolean(true),
        "retryAfter": .measure(failure.retryAfter.map { $0 / .seconds(1) }),
      ])
    case .modelChanged(let model, let previous):
      .object([
        "type": .string("model_changed"), "model": .string(model), "previousModel": .text(previous),
      ])
    case .permissionModeChanged(let mode):
      .object(["type": .string("permission_mode_changed"), "mode": .string(mode)])
    case .stopped(let reason): .object(["type": .string("stopped"), "reason": .string(reason)])
    case .ping: .object(["type": .string("ping")])
    case .pong(let serverTime): .object(["type": .string("pong"), "serverTime": .string(serverTime ?? date)])
    case .interrupted: .object(["type": .string("interrupted")])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}
