public import Foundation

/// A validated message, from a page or from the stream (seed 000).
public struct ValidatedMessage: Sendable, Hashable, Identifiable {
  /// The id that the service assigned; the same for each part of a message.
  public let id: String
  /// The author and the kind.
  public let role: ChatMessage.Role
  /// The repaired text; for a message that is streaming, the text of this part.
  public let content: String
  /// The time of the message.
  public let timestamp: Date
  /// Whether more parts follow.
  public let isStreaming: Bool
  /// The tool that is used, or that returned the result.
  public let toolName: String?
  /// The id of this tool use.
  public let toolUseId: String?
  /// The id of the tool use that this is the result of.
  public let toolResultId: String?
  /// A description of the tool's input.
  public let toolInputDescription: String?
  /// The tool's output.
  public let toolOutput: String?
  /// The number of tokens that the message used.
  public let tokenCount: Int?
  /// The tool's running time, in seconds.
  public let executionTime: TimeInterval?
  /// The path of the message's image.
  public let imagePath: String?
  /// The message's image.
  public let imageData: Data?
  /// The problems that validation repaired or accepted; empty for a message without any.
  public let warnings: [MessageWarning]

  /// Creates a validated message.
  public init(
    id: String, role: ChatMessage.Role, content: String, timestamp: Date, isStreaming: Bool,
    toolName: String?, toolUseId: String?, toolResultId: String?, toolInputDescription: String?,
    toolOutput: String?, tokenCount: Int?, executionTime: TimeInterval?, imagePath: String?,
    imageData: Data?, warnings: [MessageWarning]
  ) {
    self.id = id
    self.role = role
    self.content = content
    self.timestamp = timestamp
    self.isStreaming = isStreaming
    self.toolName = toolName
    self.toolUseId = toolUseId
    self.toolResultId = toolResultId
    self.toolInputDescription = toolInputDescription
    self.toolOutput = toolOutput
    self.tokenCount = tokenCount
    self.executionTime = executionTime
    self.imagePath = imagePath
    self.imageData = imageData
    self.warnings = warnings
  }
}

/// A problem of a message that decoding or validation repaired or accepted.
public enum MessageWarning: String, Sendable, Hashable, CaseIterable, Codable {
  /// The content was wrapped in `AnyCodableValue(…)`, which was removed.
  case contentWasWrapped
  /// The tool's output was wrapped in `AnyCodableValue(…)`, which was removed.
  case toolOutputWasWrapped
  /// A tool use or a tool result has no id.
  case toolIDIsMissing
  /// The tool's input is not valid JSON and is kept unchanged.
  case toolInputIsUnreadable
  /// The message has no content where one was expected, not even an empty one.
  case contentIsMissing
  /// Something that a message has no place for was left out: reasoning beside a text or a tool, another tool or image
  /// than the first, an image that is not included.
  case blocksWereLeftOut
}

/// An error for a message that cannot be displayed (seed 000).
public enum MessageValidationError: Error, Equatable, Hashable, Sendable {
  /// The role is unknown.
  case invalidRole(String)
  /// The timestamp is not ISO 8601 with a time zone.
  case invalidTimestamp(String)
  /// The event is unreadable, or its message has no id.
  ///
  /// Seed 000 names this case `malformedJSON`; valid JSON without an id is refused too.
  case unreadableAnswer(String)
  /// The content is missing, ends inside a wrapper, or is wrapped too deeply, so that the original text is unknown.
  case corruptedContent(String)
}

extension MessageValidationError: LocalizedError, CustomStringConvertible {
  /// The expected value and the beginning of the actual one.
  public var description: String {
    switch self {
    case .invalidRole(let text):
      "Expected one of the roles \(ChatMessage.Role.allCases.map(\.rawValue).joined(separator: ", ")), found "
        + Self.quoted(text)
    case .invalidTimestamp(let text):
      "Expected a moment with its zone, such as 2026-01-03T12:00:00Z, found \(Self.quoted(text))"
    case .unreadableAnswer(let text):
      "Expected an event or a message with an id as JSON, found \(Self.quoted(text))"
    case .corruptedContent(let text): "Expected whole content, found \(Self.quoted(text))"
    }
  }

  /// The description.
  public var errorDescription: String? { description }

  private static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(80)
    return "\"" + String(beginning) + (beginning.endIndex == text.endIndex ? "\"." : "…\".")
  }
}
