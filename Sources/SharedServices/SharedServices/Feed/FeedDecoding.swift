import Foundation

// Decoding of the feed. Values are decoded without validation, which is the normalizer's task.

extension FeedValue {
  package var messageID: String? { text("id", "uuid", "messageId", "message_id") }
  package var timestamp: String? { text("timestamp", "createdAt", "created_at") }

  /// The type of a message; its role for one of the form `{role, content}`, whose type is missing or `message`.
  package var messageType: String? {
    let type = self["type"]?.stringValue
    return type == nil || type == "message" ? self["role"]?.stringValue ?? type : type
  }
}

extension MessagePage {
  /// Decodes a page; `nil` for invalid JSON of a page.
  package init?(_ json: FeedValue) {
    guard let messages = json["messages"]?.elements, let pagination = json["pagination"],
      let total = pagination.count("total"), let limit = pagination.count("limit"),
      let offset = pagination.count("offset"), let hasMore = pagination.flag("hasMore", "has_more")
    else { return nil }
    self.init(
      messages: messages.compactMap { PaginatedMessage($0) },
      pagination: Pagination(
        total: total, limit: limit, offset: offset, hasMore: hasMore,
        nextCursor: pagination.text("nextCursor", "next_cursor"),
        prevCursor: pagination.text("prevCursor", "prev_cursor")))
  }
}

extension PaginatedMessage {
  /// Decodes a stored message, flat or in an envelope; `nil` for a stored event without a message, such as a state, and
  /// for a part of an answer.
  init?(_ item: FeedValue) {
    if let message = item.object("message") {
      let type = message.messageType ?? item.text("role") ?? item.messageType ?? ""
      self.init(
        type, message, in: item, id: item.messageID ?? message.text("uuid") ?? "",
        timestamp: item.timestamp ?? message.timestamp ?? "", blocks: item.value("rawContent", "raw_content"))
    } else if item["role"] == nil, let type = item["type"]?.stringValue {
      // A message of the control message `history`. The id of a tool use or a result is that of the tool use.
      let id = type.hasPrefix("tool_") ? item.text("uuid", "messageId", "message_id") : item.messageID
      self.init(type, item, id: id ?? "", timestamp: item.timestamp ?? "", blocks: nil)
    } else {
      self.init(flat: item)
    }
  }

  /// - Parameter item: The envelope, whose fields the message may lack.
  private init?(
    _ type: String, _ message: FeedValue, in item: FeedValue? = nil, id: String, timestamp: String,
    blocks: FeedValue?
  ) {
    let (content, source) = StreamContent.decoded(type, message, blocks: blocks)
    if case .unknown = content {
      // A role that no type of the stream has, such as a local command.
      self.init(flat: message, role: type)
      (self.id, self.timestamp) = (id, timestamp)
      if let item { addFields(of: item) }
      return
    }
    self.init(StreamedMessage(id: id, timestamp: timestamp, content: content))
    guard var source else { return }
    // A server can store the result of a tool within its use.
    if case .toolUse = content, let result = message.object("result") {
      let output = MessageContent(result.value("output", "content"))
      toolOutput = output.text
      source.add(output)
    }
    add(source)
    if let item { addFields(of: item) }
    addWarnings(of: source)
  }

  /// Decodes a message as in seed 000.
  ///
  /// - Parameter type: The name of the role, if another member than `role` has it.
  private init(flat item: FeedValue, role type: String? = nil) {
    var source = MessageContent(
      item.value("content", "text"), toolCalls: item.array("toolCalls", "tool_calls"))
    self.init(
      id: item.messageID ?? "", role: type ?? item.text("role") ?? "", content: source.text,
      timestamp: item.timestamp ?? "")
    if let kind = source.kind, role == "user" || role == "assistant" { role = kind.rawValue }
    addFields(of: item)
    add(source)
    // A tool can be described by its fields alone.
    let fields = ["toolUse": toolName ?? toolInputDescription, "toolResult": toolOutput]
    if source.isMissing, let text = fields[role] ?? nil { (content, source.isMissing) = (text, false) }
    // The normalizer's warnings are not stored; these are, in the encoded form of this type.
    warnings = item.array("warnings").compactMap { $0.stringValue.flatMap(MessageWarning.init) }
    addWarnings(of: source)
  }

  /// Adds what decoding did not find or left out.
  ///
  /// A message of an unknown role is refused for its role.
  private mutating func addWarnings(of source: MessageContent) {
    guard let role = ChatMessage.Role(rawValue: role) else { return }
    let hasTool = toolName != nil || toolUseId != nil || toolResultId != nil || toolOutput != nil
    let isShown = role != .toolUse && role != .toolResult && (hasTool || imageData != nil || imagePath != nil)
    var found: [MessageWarning] = []
    if source.isMissing, !isShown { found.append(.contentIsMissing) }
    if source.leavesBlocksOut { found.append(.blocksWereLeftOut) }
    warnings += found.filter { !warnings.contains($0) }
  }

  /// Adds the optional fields of an item to a message without them.
  private mutating func addFields(of item: FeedValue) {
    toolName = toolName ?? item.text("toolName", "tool_name")
    toolUseId = toolUseId ?? item.text("toolUseId", "tool_use_id")
    toolResultId = toolResultId ?? item.text("toolResultId", "tool_result_id")
    toolInputDescription = toolInputDescription ?? item.text("toolInputDescription", "tool_input_description")
    toolOutput = toolOutput ?? item.text("toolOutput", "tool_output")
    tokenCount = tokenCount ?? item.count("tokenCount", "token_count")
    executionTime = executionTime ?? item.measure("executionTime", "execution_time")
    imagePath = imagePath ?? item.text("imagePath", "image_path")
    imageData = imageData ?? item.text("imageData", "image_data").flatMap { Data(base64Encoded: $0) }
  }

  /// Adds the tools and the image of blocks to a message without them.
  private mutating func add(_ content: MessageContent) {
    if let use = content.toolUse {
      toolName = toolName ?? use.name
      toolUseId = toolUseId ?? use.id
      toolInputDescription = toolInputDescription ?? use.description ?? use.input
    }
    if let result = content.toolResult {
      toolName = toolName ?? (result.tool.isEmpty ? nil : result.tool)
      toolResultId = toolResultId ?? result.id
      toolOutput = toolOutput ?? result.output
    }
    imageData = imageData ?? content.imageData
  }
}

extension StreamedMessage {
  /// Decodes a message by its type.
  package init(id: String, timestamp: String, _ type: String, _ json: FeedValue) {
    let (content, source) = StreamContent.decoded(
      type, json, blocks: json.value("rawContent", "raw_content"))
    self.init(id: id, timestamp: timestamp, content: content)
    guard let source else { return }
    if source.isMissing { warnings.append(.contentIsMissing) }
    // The stream has neither an image nor a tool beside a text.
    let isWhole =
      switch content {
      case .toolUse: source.toolResult == nil
      case .toolResult: source.toolUse == nil
      default: !source.hasTool
      }
    if source.leavesBlocksOut || !isWhole || source.imageData != nil { warnings.append(.blocksWereLeftOut) }
  }
}

extension StreamContent {
  /// Decodes a message by its type.
  ///
  /// - Parameter blocks: The stored form of the content, for a message without text.
  /// - Returns: Also the content from which it was decoded; `nil` for an event without content.
  fileprivate static func decoded(
    _ type: String, _ json: FeedValue, blocks: FeedValue?
  ) -> (content: StreamContent, source: MessageContent?) {
    var source: MessageContent
    switch type {
    case "assistant", "user", "thinking":
      source = MessageContent(
        json.value("content", "text"), toolCalls: json.array("toolCalls", "tool_calls"))
      for other in [type == "thinking" ? json.value("thinking") : nil, blocks] {
        if source.isEmpty, let other { source = MessageContent(other) }
      }
      return (StreamContent(type, source, isDelta: json.flag("delta") ?? false), source)
    case "system":
      source = MessageContent(json.value("content", "text"))
      let subtype = json.text("subtype")
      // A note can consist of its subtype.
      if subtype != nil { source.isMissing = false }
      return (.system(source.text, subtype: subtype), source)
    case "tool_use":
      let name = json.text("name", "tool", "toolName", "tool_name")
      let description = json.text("inputDescription", "input_description")
      source = MessageContent(json.value("content"))
      source.isMissing = name == nil && description == nil
      let use = StreamContent.toolUse(
        id: json.text("id", "toolUseId", "tool_use_id"), name: name ?? "", input: json.text("input") ?? "",
        inputDescription: description)
      return (use, source)
    case "tool_result":
      source = MessageContent(json.value("output", "content"))
      let result = StreamContent.toolResult(
        id: json.text("toolUseId", "tool_use_id", "id"),
        tool: json.text("tool", "name", "toolName", "tool_name") ?? "", output: source.text,
        isSuccess: json.isSuccess)
      return (result, source)
    default: return (StreamContent(event: type, json), nil)
    }
  }

  /// Decodes an event without content.
  private init(event type: String, _ json: FeedValue) {
    switch type {
    case "progress":
      self = .progress(
        ToolProgress(
          id: json.text("toolUseId", "tool_use_id", "id") ?? "", tool: json.text("tool", "name") ?? "",
          elapsed: json.measure("elapsed") ?? 0, progress: json.measure("progress"),
          detail: json.text("detail")))
    case "usage":
      self = .usage(
        TokenUsage(
          inputTokens: json.count("inputTokens", "input_tokens") ?? 0,
          outputTokens: json.count("outputTokens", "output_tokens") ?? 0,
          cacheReadTokens: json.count("cacheReadTokens", "cache_read_input_tokens"),
          cacheCreateTokens: json.count("cacheCreateTokens", "cache_creation_input_tokens"),
          totalCost: json.measure("totalCost", "total_cost"),
          contextUsed: json.count("contextUsed", "context_used"),
          contextLimit: json.count("contextLimit", "context_limit")))
    case "state": self = .state(json.text("state") ?? "", tool: json.text("tool", "toolName", "tool_name"))
    case "permission":
      self = .permission(
        PermissionRequest(
          id: json.text("id", "requestId", "request_id") ?? "",
          tool: json.text("tool", "name", "toolName", "tool_name") ?? "", input: json.text("input") ?? "",
          options: json.array("options").map { $0.stringValue ?? $0.compactText }))
    case "question":
      self = .question(
        QuestionRequest(
          id: json.text("id", "requestId", "request_id") ?? "",
          questions: json.array("questions").map { QuestionRequest.Question($0) }))
    case "subagent_start":
      self = .subagentStart(id: json.text("id") ?? "", description: json.text("description") ?? "")
    case "subagent_complete":
      self = .subagentComplete(id: json.text("id") ?? "", summary: json.text("summary"))
    default: self = .unknown(type: type)
    }
  }

  /// Creates a message with text, or the tool use, result or reasoning that its blocks contain instead.
  private init(_ type: String, _ content: MessageContent, isDelta: Bool) {
    switch (content.kind, type) {
    case (.toolUse, _):
      let use = content.toolUse
      self = .toolUse(
        id: use?.id, name: use?.name ?? "", input: use?.input ?? "", inputDescription: use?.description)
    case (.toolResult, _):
      let result = content.toolResult
      self = .toolResult(
        id: result?.id, tool: result?.tool ?? "", output: content.text, isSuccess: result?.isSuccess ?? false)
    case (.thinking, _), (_, "thinking"): self = .thinking(content.text)
    case (_, "user"): self = .user(content.text)
    default: self = .assistant(content.text, isDelta: isDelta)
    }
  }
}

extension QuestionRequest.Question {
  fileprivate init(_ json: FeedValue) {
    self.init(
      question: json.text("question", "text") ?? "", header: json.text("header") ?? "",
      options: json.array("options").map { option in
        QuestionRequest.Option(
          label: option.stringValue ?? option.text("label") ?? "", description: option.text("description"))
      }, isMultipleChoice: json.flag("multiSelect", "multi_select") ?? false)
  }
}

extension ControlMessage {
  /// Decodes a message by its type.
  package init(_ type: String, _ json: FeedValue) {
    switch type {
    case "connected": self = .connected(model: json.text("model", "modelAlias", "model_alias"))
    case "history":
      self = .history(
        json.array("messages").compactMap { PaginatedMessage($0) },
        hasMore: json.flag("hasMore", "has_more") ?? false, cursor: json.text("cursor"))
    case "session_event": self = .sessionEvent(SessionEvent(json))
    case "queued": self = .queued(position: json.count("position"))
    case "queue_cleared": self = .queueCleared
    case "reconnect_complete":
      self = .reconnectComplete(
        missedCount: json.count("missedCount", "missed_count") ?? 0,
        fromMessageID: json.text("fromMessageId", "from_message_id"))
    case "cursor_evicted":
      self = .cursorEvicted(lastMessageID: json.text("lastMessageId", "last_message_id"))
    case "cursor_invalid":
      self = .cursorInvalid(lastMessageID: json.text("lastMessageId", "last_message_id"))
    case "error":
      self = .error(
        StreamFailure(
          code: json.text("code") ?? "", message: json.text("message") ?? "",
          isRecoverable: json.flag("recoverable") ?? false,
          retryAfter: json.flag("retryable") == false
            ? nil
            : json.measure("retryAfter", "retry_after").map { .seconds(min(max(0, $0), 86_400)) }))
    case "model_changed":
      self = .modelChanged(
        to: json.text("model") ?? "", from: json.text("previousModel", "previous_model"))
    case "permission_mode_changed":
      self = .permissionModeChanged(to: json.text("mode", "permissionMode", "permission_mode") ?? "")
    case "stopped": self = .stopped(reason: json.text("reason") ?? "")
    case "ping": self = .ping
    case "pong": self = .pong(serverTime: json.text("serverTime", "server_time"))
    case "interrupted": self = .interrupted
    default: self = .unknown(type: type)
    }
  }
}

extension SessionEvent {
  fileprivate init(_ json: FeedValue) {
    self.init(
      action: json.text("action") ?? "", sessionID: json.text("sessionId", "session_id") ?? "",
      projectPath: json.text("projectPath", "project_path") ?? "",
      metadata: json.object("metadata").map { Metadata($0) })
  }
}

extension SessionEvent.Metadata {
  fileprivate init(_ json: FeedValue) {
    self.init(
      source: json.text("source") ?? "", messageCount: json.count("messageCount", "message_count") ?? 0,
      lastActivityAt: json.text("lastActivityAt", "last_activity_at") ?? "")
    createdAt = json.text("createdAt", "created_at")
    archivedAt = json.text("archivedAt", "archived_at")
    title = json.text("title")
    customTitle = json.text("customTitle", "custom_title")
    summary = json.text("summary")
    model = json.text("model")
    parentSessionID = json.text("parentSessionId", "parent_session_id")
  }
}
