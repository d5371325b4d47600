import Foundation
import SharedServices
import UnderstudyHTTP

// The feed as its server writes it.

extension JSONValue {
  /// An object of those members that have values.
  fileprivate static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  fileprivate static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  fileprivate static func count(_ number: Int?) -> JSONValue? { number.map { .number("\($0)") } }
  fileprivate static func measure(_ number: Double?) -> JSONValue? {
    number.flatMap { $0.isFinite ? .number("\($0)") : nil }
  }

  /// A value that is written as the JSON that it is, or as a text where it is none.
  fileprivate static func embedded(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
  }
}

extension MessagePage {
  var json: JSONValue {
    .object([
      "messages": .array(messages.map(\.json)),
      "pagination": .object([
        "total": .count(pagination.total), "limit": .count(pagination.limit),
        "offset": .count(pagination.offset), "hasMore": .boolean(pagination.hasMore),
        "nextCursor": .text(pagination.nextCursor), "prevCursor": .text(pagination.prevCursor),
      ]),
    ])
  }
}

extension PaginatedMessage {
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
    case .permission: .object(["type": .string("permission")])
    case .question: .object(["type": .string("question")])
    case .subagentStart: .object(["type": .string("subagent_start")])
    case .subagentComplete: .object(["type": .string("subagent_complete")])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}

extension ControlMessage {
  fileprivate func json(at date: String) -> JSONValue {
    switch self {
    case .connected: .object(["type": .string("connected")])
    case .history: .object(["type": .string("history")])
    case .sessionEvent: .object(["type": .string("session_event")])
    case .queued: .object(["type": .string("queued")])
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
    case .modelChanged: .object(["type": .string("model_changed")])
    case .permissionModeChanged: .object(["type": .string("permission_mode_changed")])
    case .stopped(let reason): .object(["type": .string("stopped"), "reason": .string(reason)])
    case .ping: .object(["type": .string("ping")])
    case .pong(let serverTime): .object(["type": .string("pong"), "serverTime": .string(serverTime ?? date)])
    case .interrupted: .object(["type": .string("interrupted")])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}
