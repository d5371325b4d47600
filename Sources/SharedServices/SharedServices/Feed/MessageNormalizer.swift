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
    result { () throws(MessageValidationError) in try validated(paginated) }
  }

  /// Validates the message of an event; see ``MessageNormalizing``.
  public func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    switch streamEvent {
    case .control: return nil
    case .unreadable(let text): return .failure(.unreadableAnswer(text))
    case .message(var message):
      var warnings: [MessageWarning] = []
      var isStreaming = false
      switch message.content {
      case .unknown(let type): return .failure(.invalidRole(type))
      case .system(let text, _) where text.allSatisfy(\.isWhitespace): return nil
      case .assistant(let text, isDelta: true): (message.content, isStreaming) = (.assistant(text), true)
      case .toolUse(let id, _, let input, _):
        if id == nil { warnings.append(.toolIDIsMissing) }
        if !Self.isJSON(input) { warnings.append(.toolInputIsUnreadable) }
      case .toolResult(nil, _, _, _): warnings.append(.toolIDIsMissing)
      default: break
      }
      guard let page = PaginatedMessage(message) else { return nil }
      return result { () throws(MessageValidationError) in
        try validated(page, isStreaming: isStreaming, warnings: warnings)
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

  private func validated(
    _ message: PaginatedMessage, isStreaming: Bool = false, warnings: [MessageWarning] = []
  ) throws(MessageValidationError) -> ValidatedMessage {
    let role = try validateRole(message.role)
    guard !message.id.isEmpty else {
      throw .unreadableAnswer("A message of the role \(role) without an id")
    }
    let timestamp = try validateTimestamp(message.timestamp)
    // A part adds its text to the others, and may have none.
    if message.warnings.contains(.contentIsMissing), role.isContentAlone, !isStreaming {
      throw .corruptedContent("A message of the role \(role) without content")
    }
    var warnings = message.warnings + warnings
    // A part may end inside a wrapper; the whole message that replaces it does not.
    let (content, contentIsRepaired) =
      isStreaming ? (message.content, false) : try validateContent(message.content)
    if contentIsRepaired { warnings.append(.contentWasWrapped) }
    var toolOutput = message.toolOutput
    if let output = message.toolOutput {
      let (whole, isRepaired) = try validateContent(output)
      toolOutput = whole
      if isRepaired { warnings.append(.toolOutputWasWrapped) }
    }
    // Seed 000 leaves the tool and the image out; a page has them, and a result is found by the id of its tool use.
    return ValidatedMessage(
      id: message.id, role: role, content: content, timestamp: timestamp, isStreaming: isStreaming,
      toolName: message.toolName, toolUseId: message.toolUseId, toolResultId: message.toolResultId,
      toolInputDescription: message.toolInputDescription, toolOutput: toolOutput,
      tokenCount: message.tokenCount, executionTime: message.executionTime, imagePath: message.imagePath,
      imageData: message.imageData, warnings: warnings)
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
/// `Contract.messageNormalizer` in `SharedServicesContracts` specifies the required behaviour. Each message is validated
/// independently of all others. A message has the same values from both sources: the content of a tool use is its
/// description, or else the tool's name, and that of a tool result is the output.
public protocol MessageNormalizing: Sendable {
  /// Validates a message of a page.
  ///
  /// - Returns: A failure for an unknown role, for an invalid timestamp, and for missing content that is all there is to
  ///   show; a success with warnings where something was repaired or left out, also in decoding. No value is replaced
  ///   silently.
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError>

  /// Validates the message of an event, or a part of one; `nil` for an event without a message, such as a heartbeat or
  /// a system message without text.
  ///
  /// - Returns: The same as for a page; a failure also for an unreadable event and for an unknown type.
  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>?
}
