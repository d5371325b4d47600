public import Foundation

/// A message that has been validated, wherever it came from (seed 000).
public struct ValidatedMessage: Sendable, Hashable, Identifiable {
  /// What the service calls it; the same for each piece of one message.
  public let id: String
  /// Who says it.
  public let role: ChatMessage.Role
  /// What is said, without what did not belong to it; of a message that is streaming, the piece that came.
  public let content: String
  /// When it was said.
  public let timestamp: Date
  /// Whether more of it is to come.
  public let isStreaming: Bool
  /// The tool that is used, or that answered.
  public let toolName: String?
  /// The use of a tool that this is.
  public let toolUseId: String?
  /// The use of a tool that this is the result of.
  public let toolResultId: String?
  /// What the tool is to do.
  public let toolInputDescription: String?
  /// What the tool answered.
  public let toolOutput: String?
  /// How many tokens it took.
  public let tokenCount: Int?
  /// How long the tool ran, in seconds.
  public let executionTime: TimeInterval?
  /// Where its image is.
  public let imagePath: String?
  /// Its image.
  public let imageData: Data?
  /// What was wrong with it and could be borne; none for a message that is as it came.
  public let warnings: [MessageWarning]

  /// A validated message.
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

/// What was wrong with a message that could be borne.
public enum MessageWarning: String, Sendable, Hashable, CaseIterable {
  /// The content stood in `AnyCodableValue(…)`, which was taken away.
  case contentWasWrapped
  /// What the tool answered stood in `AnyCodableValue(…)`, which was taken away.
  case toolOutputWasWrapped
  /// A tool is used or has answered, and nobody says which use of it that is.
  case toolIDIsMissing
  /// What the tool is to do is no JSON; it is kept as it came.
  case toolInputIsUnreadable
}

/// Why something is no message that could be shown (seed 000).
public enum MessageValidationError: Error, Equatable, Hashable, Sendable {
  /// Nobody has this role.
  case invalidRole(String)
  /// This is no moment in ISO 8601 with a zone.
  case invalidTimestamp(String)
  /// This is no event, or no message that could be told from others.
  case unreadableAnswer(String)
  /// This content was cut off inside a wrapper, or wrapped too often, so that nobody can tell what it was.
  case corruptedContent(String)
}

extension MessageValidationError: LocalizedError, CustomStringConvertible {
  /// What was expected, and the beginning of what was found.
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

  /// The same.
  public var errorDescription: String? { description }

  private static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(80)
    return "\"" + String(beginning) + (beginning.endIndex == text.endIndex ? "\"." : "…\".")
  }
}
