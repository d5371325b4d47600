public import Foundation

/// A message as a chat displays it (seed 000).
public struct ChatMessage: Sendable, Hashable, Identifiable {
  /// The author and the kind of a message.
  ///
  /// The raw values are the service's names; each role has exactly one.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// The user.
    case user
    /// The assistant.
    case assistant
    /// The service.
    case system
    /// An error.
    case error
    /// The assistant uses a tool.
    case toolUse
    /// A tool has returned a result.
    case toolResult
    /// A task has ended.
    case resultSuccess
    /// The assistant's reasoning.
    case thinking
    /// The user ran a command on the device.
    case localCommand
    /// The output of such a command.
    case localCommandStdout
  }

  /// The id that the service assigned; the same for each part of a message and for the whole.
  public let id: String
  /// The author and the kind.
  public let role: Role
  /// The text.
  public var content: String
  /// The time of the message.
  public let timestamp: Date
  /// Whether more parts follow.
  public var isStreaming: Bool
  /// Whether the message ended before it was whole.
  public var isIncomplete = false
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
}

extension ValidatedMessage {
  /// Returns the message as a chat displays it, without its warnings.
  public func toChatMessage() -> ChatMessage {
    ChatMessage(
      id: id, role: role, content: content, timestamp: timestamp, isStreaming: isStreaming,
      toolName: toolName, toolUseId: toolUseId, toolResultId: toolResultId,
      toolInputDescription: toolInputDescription, toolOutput: toolOutput, tokenCount: tokenCount,
      executionTime: executionTime, imagePath: imagePath, imageData: imageData)
  }
}
