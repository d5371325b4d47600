import Foundation

/// The validation rules for the messages that a chat receives (seed 000).
///
/// ```swift
/// switch MessageNormalizer().normalize(paginated) {
/// case .success(let validated): messages.append(validated.toChatMessage())
/// case .failure(let error): log("Message validation failed: \(error)")
/// }
/// ```
public struct MessageNormalizer: MessageNormalizing {
  /// Creates a normalizer.
  public init() {}

  /// Validates a message of a page; see ``MessageNormalizing``.
  public func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError> {
    result { () throws(MessageValidationError) in
      try validated(
        Draft(
          id: paginated.id, role: try validateRole(paginated.role), content: paginated.content,
          timestamp: paginated.timestamp, toolName: paginated.toolName, toolUseId: paginated.toolUseId,
          toolResultId: paginated.toolResultId, toolInputDescription: paginated.toolInputDescription,
          toolOutput: paginated.toolOutput, tokenCount: paginated.tokenCount,
          executionTime: paginated.executionTime, imagePath: paginated.imagePath,
          imageData: paginated.imageData))
    }
  }

  /// Validates the message of an event; see ``MessageNormalizing``.
  public func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    switch streamEvent {
    case .control: nil
    case .unreadable(let text): .failure(.unreadableAnswer(text))
    case .message(let message):
      switch message.content {
      case .progress, .usage, .state, .permission, .question, .subagentStart, .subagentComplete: nil
      case .unknown(let type): .failure(.invalidRole(type))
      default: result { () throws(MessageValidationError) in try validated(draft(of: message)) }
      }
    }
  }

  // MARK: - The steps

  /// Returns the role with a name; there is no default.
  func validateRole(_ name: String) throws(MessageValidationError) -> ChatMessage.Role {
    guard let role = ChatMessage.Role(rawValue: name) else { throw .invalidRole(name) }
    return role
  }

  /// Returns the time of an ISO 8601 text; a text without a time zone is ambiguous and therefore invalid.
  func validateTimestamp(_ text: String) throws(MessageValidationError) -> Date {
    // The space between date and time is PostgreSQL's form, which ISO 8601 does not allow.
    guard let timestamp = Timestamp(text), !text.contains(" ") else { throw .invalidTimestamp(text) }
    return timestamp.date
  }

  /// Returns the text, and whether it had to be repaired.
  func validateContent(_ text: String) throws(MessageValidationError) -> (content: String, isRepaired: Bool) {
    guard text.utf8.firstRange(of: String.wrapper.utf8) != nil else { return (text, false) }
    return try handleCorruption(of: text)
  }

  /// Returns the text without the wrappers that an incorrect encoder added to it.
  func handleCorruption(of text: String) throws(MessageValidationError) -> (content: String, isRepaired: Bool)
  {
    guard let whole = text.unwrapped() else { throw .corruptedContent(text) }
    return (whole, whole != text)
  }

  // MARK: - A message, wherever it comes from

  private struct Draft {
    var id: String
    var role: ChatMessage.Role
    var content: String
    var timestamp: String
    var isStreaming = false
    var toolName: String?
    var toolUseId: String?
    var toolResultId: String?
    var toolInputDescription: String?
    var toolOutput: String?
    var tokenCount: Int?
    var executionTime: TimeInterval?
    var imagePath: String?
    var imageData: Data?
    var warnings: [MessageWarning] = []
  }

  private func draft(of message: StreamedMessage) -> Draft {
    var draft = Draft(id: message.id, role: .system, content: "", timestamp: message.timestamp)
    switch message.content {
    case .assistant(let content, let isDelta):
      (draft.role, draft.content, draft.isStreaming) = (.assistant, content, isDelta)
    case .user(let content): (draft.role, draft.content) = (.user, content)
    case .thinking(let content): (draft.role, draft.content) = (.thinking, content)
    case .system(let content, let subtype):
      (draft.role, draft.content) = (subtype == "result" ? .resultSuccess : .system, content)
    case .toolUse(let id, let name, let input, let description):
      draft.role = .toolUse
      draft.content = description ?? name
      draft.toolName = name
      draft.toolUseId = id
      draft.toolInputDescription = description ?? input
      if id == nil { draft.warnings.append(.toolIDIsMissing) }
      if !Self.isJSON(input) { draft.warnings.append(.toolInputIsUnreadable) }
    case .toolResult(let id, let tool, let output, _):
      draft.role = .toolResult
      draft.content = output
      draft.toolName = tool
      draft.toolResultId = id
      draft.toolOutput = output
      if id == nil { draft.warnings.append(.toolIDIsMissing) }
    case .progress, .usage, .state, .permission, .question, .subagentStart, .subagentComplete, .unknown: break
    }
    return draft
  }

  private func validated(_ draft: Draft) throws(MessageValidationError) -> ValidatedMessage {
    guard !draft.id.isEmpty else {
      throw .unreadableAnswer("A message of the role \(draft.role) without an id")
    }
    let timestamp = try validateTimestamp(draft.timestamp)
    // A part may end inside a wrapper; the whole message that replaces it does not.
    let (content, contentIsRepaired) =
      draft.isStreaming ? (draft.content, false) : try validateContent(draft.content)
    var warnings = draft.warnings
    if contentIsRepaired { warnings.append(.contentWasWrapped) }
    var toolOutput = draft.toolOutput
    if let output = draft.toolOutput {
      let (whole, isRepaired) = try validateContent(output)
      toolOutput = whole
      if isRepaired { warnings.append(.toolOutputWasWrapped) }
    }
    return ValidatedMessage(
      id: draft.id, role: draft.role, content: content, timestamp: timestamp, isStreaming: draft.isStreaming,
      toolName: draft.toolName, toolUseId: draft.toolUseId, toolResultId: draft.toolResultId,
      toolInputDescription: draft.toolInputDescription, toolOutput: toolOutput, tokenCount: draft.tokenCount,
      executionTime: draft.executionTime, imagePath: draft.imagePath, imageData: draft.imageData,
      warnings: warnings)
  }

  private func result(
    _ body: () throws(MessageValidationError) -> ValidatedMessage
  ) -> Result<ValidatedMessage, MessageValidationError> {
    do throws(MessageValidationError) { return .success(try body()) } catch { return .failure(error) }
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }
}

/// A type that validates the messages of the history and the stream (seed 000).
///
/// `Contract.messageNormalizer` in `SharedServicesContracts` specifies the required behavior. Each message is validated
/// independently of all others. A message has the same values from both sources: the content of a tool use is its
/// description, or else the tool's name, and that of a tool result is the output.
public protocol MessageNormalizing: Sendable {
  /// Validates a message of a page.
  ///
  /// - Returns: A failure for an unknown role and for an invalid timestamp; a success with warnings where something was
  ///   repaired. No value is replaced silently.
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError>

  /// Validates the message of an event, or a part of one; `nil` for an event without a message, such as a heartbeat.
  ///
  /// - Returns: The same as for a page; a failure also for an unreadable event and for an unknown type.
  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>?
}
