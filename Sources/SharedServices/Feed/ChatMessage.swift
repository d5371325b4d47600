public import Foundation

/// A message as a chat shows it (seed 000).
public struct ChatMessage: Sendable, Hashable, Identifiable {
  /// Who says something, and what kind of thing.
  ///
  /// The names are the service's; there is no other spelling of any of them.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// The user.
    case user
    /// The assistant.
    case assistant
    /// The service.
    case system
    /// Something went wrong.
    case error
    /// The assistant uses a tool.
    case toolUse
    /// A tool has answered.
    case toolResult
    /// A task came to its end.
    case resultSuccess
    /// The assistant thinks aloud.
    case thinking
    /// The user ran a command on the device.
    case localCommand
    /// What such a command wrote.
    case localCommandStdout
  }

  /// What the service calls it, from the first piece of it to the whole.
  public let id: String
  /// Who says it.
  public let role: Role
  /// What is said.
  public var content: String
  /// When it was said.
  public let timestamp: Date
  /// Whether more of it is to come.
  public var isStreaming: Bool
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
}

extension ValidatedMessage {
  /// The message as a chat shows it: all but its warnings.
  public func toChatMessage() -> ChatMessage {
    ChatMessage(
      id: id, role: role, content: content, timestamp: timestamp, isStreaming: isStreaming,
      toolName: toolName, toolUseId: toolUseId, toolResultId: toolResultId,
      toolInputDescription: toolInputDescription, toolOutput: toolOutput, tokenCount: tokenCount,
      executionTime: executionTime, imagePath: imagePath, imageData: imageData)
  }
}
