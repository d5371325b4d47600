import Foundation
import SharedServices
import UnderstudyHTTP

// Decoding of the feed. Values are decoded without validation, which is the normalizer's task.

extension JSONValue {
  /// The value of a member; `nil` also for null.
  fileprivate func value(_ name: String) -> JSONValue? {
    let value = self[name]
    return value == .null ? nil : value
  }

  /// A member as text; another value as its JSON.
  fileprivate func text(_ name: String) -> String? {
    value(name).map { $0.stringValue ?? $0.compactText }
  }

  /// The content of a message, which a server may have stored in another form than text; see `PaginatedMessage`.
  fileprivate func content(_ name: String) -> String {
    let value = value(name)
    return value?.stringValue ?? "AnyCodableValue(\(value?.compactText ?? ""))"
  }

  fileprivate func measure(_ name: String) -> Double? {
    guard case .number(let digits) = self[name], let number = Double(digits), number.isFinite else {
      return nil
    }
    return number
  }

  fileprivate func count(_ name: String) -> Int? {
    guard case .number(let digits) = self[name] else { return nil }
    return Int(digits) ?? measure(name).flatMap { Int(exactly: $0) }
  }

  fileprivate func flag(_ name: String) -> Bool? {
    if case .boolean(let flag) = self[name] { flag } else { nil }
  }
}

extension MessagePage {
  /// Decodes a page; `nil` for invalid JSON of a page.
  init?(_ json: JSONValue) {
    guard case .array(let messages) = json["messages"], let pagination = json["pagination"],
      let total = pagination.count("total"), let limit = pagination.count("limit"),
      let offset = pagination.count("offset"), let hasMore = pagination.flag("hasMore")
    else { return nil }
    self.init(
      messages: messages.map(PaginatedMessage.init),
      pagination: Pagination(
        total: total, limit: limit, offset: offset, hasMore: hasMore,
        nextCursor: pagination.text("nextCursor"), prevCursor: pagination.text("prevCursor")))
  }
}

extension PaginatedMessage {
  fileprivate init(_ json: JSONValue) {
    self.init(
      id: json.text("id") ?? "", role: json.text("role") ?? "", content: json.content("content"),
      timestamp: json.text("timestamp") ?? "", toolName: json.text("toolName"),
      toolUseId: json.text("toolUseId"), toolResultId: json.text("toolResultId"),
      toolInputDescription: json.text("toolInputDescription"), toolOutput: json.text("toolOutput"),
      tokenCount: json.count("tokenCount"), executionTime: json.measure("executionTime"),
      imagePath: json.text("imagePath"),
      imageData: json.text("imageData").flatMap { Data(base64Encoded: $0) })
  }
}

extension StreamEvent {
  /// Decodes the event of a frame, which may have any content.
  init(frame text: String) {
    guard let json = try? JSONValue(parsing: Data(text.utf8)), let type = json["type"]?.stringValue else {
      self = .unreadable(text)
      return
    }
    guard type == "stream" else {
      self = .control(ControlMessage(type, json))
      return
    }
    guard let message = json["message"], let part = message["type"]?.stringValue else {
      self = .unreadable(text)
      return
    }
    self = .message(
      StreamedMessage(
        id: json.text("id") ?? "", timestamp: json.text("timestamp") ?? "",
        content: StreamContent(part, message)))
  }
}

extension StreamContent {
  fileprivate init(_ type: String, _ json: JSONValue) {
    switch type {
    case "assistant": self = .assistant(json.content("content"), isDelta: json.flag("delta") ?? false)
    case "user": self = .user(json.content("content"))
    case "system": self = .system(json.content("content"), subtype: json.text("subtype"))
    case "thinking": self = .thinking(json.content("content"))
    case "tool_use":
      self = .toolUse(
        id: json.text("id"), name: json.text("name") ?? "", input: json.text("input") ?? "",
        inputDescription: json.text("inputDescription"))
    case "tool_result":
      self = .toolResult(
        id: json.text("id"), tool: json.text("tool") ?? "", output: json.content("output"),
        isSuccess: json.flag("success") ?? false && json.flag("isError") != true)
    case "progress":
      self = .progress(
        ToolProgress(
          id: json.text("id") ?? "", tool: json.text("tool") ?? "", elapsed: json.measure("elapsed") ?? 0,
          progress: json.measure("progress"), detail: json.text("detail")))
    case "usage":
      self = .usage(
        TokenUsage(
          inputTokens: json.count("inputTokens") ?? 0, outputTokens: json.count("outputTokens") ?? 0,
          cacheReadTokens: json.count("cacheReadTokens"), cacheCreateTokens: json.count("cacheCreateTokens"),
          totalCost: json.measure("totalCost"), contextUsed: json.count("contextUsed"),
          contextLimit: json.count("contextLimit")))
    case "state": self = .state(json.text("state") ?? "", tool: json.text("tool"))
    case "permission": self = .permission
    case "question": self = .question
    case "subagent_start": self = .subagentStart
    case "subagent_complete": self = .subagentComplete
    default: self = .unknown(type: type)
    }
  }
}

extension ControlMessage {
  fileprivate init(_ type: String, _ json: JSONValue) {
    switch type {
    case "connected": self = .connected
    case "history": self = .history
    case "session_event": self = .sessionEvent
    case "queued": self = .queued
    case "queue_cleared": self = .queueCleared
    case "reconnect_complete":
      self = .reconnectComplete(
        missedCount: json.count("missedCount") ?? 0, fromMessageID: json.text("fromMessageId"))
    case "cursor_evicted": self = .cursorEvicted(lastMessageID: json.text("lastMessageId"))
    case "cursor_invalid": self = .cursorInvalid(lastMessageID: json.text("lastMessageId"))
    case "error":
      self = .error(
        StreamFailure(
          code: json.text("code") ?? "", message: json.text("message") ?? "",
          isRecoverable: json.flag("recoverable") ?? false,
          retryAfter: json.flag("retryable") == false
            ? nil : json.measure("retryAfter").map { .seconds(min(max(0, $0), 86_400)) }))
    case "model_changed": self = .modelChanged
    case "permission_mode_changed": self = .permissionModeChanged
    case "stopped": self = .stopped(reason: json.text("reason") ?? "")
    case "ping": self = .ping
    case "pong": self = .pong(serverTime: json.text("serverTime"))
    case "interrupted": self = .interrupted
    default: self = .unknown(type: type)
    }
  }
}
