public import Foundation

/// An event of a session's stream.
public enum StreamEvent: Sendable, Hashable {
  /// A message or a part of one, from the envelope `stream`.
  case message(StreamedMessage)
  /// A message of the server about the stream, without an envelope.
  case control(ControlMessage)
  /// A frame that is not a valid event, unchanged.
  case unreadable(String)
}

/// The envelope `stream` and its content.
public struct StreamedMessage: Sendable, Hashable, Identifiable {
  /// The id that the service assigned; the same for each part of a message.
  public var id: String
  /// The time of the message, in ISO 8601.
  public var timestamp: String
  /// The content of the envelope.
  public var content: StreamContent

  /// Creates an envelope.
  public init(id: String, timestamp: String, content: StreamContent) {
    self.id = id
    self.timestamp = timestamp
    self.content = content
  }
}

/// The content of an envelope, by its type.
public enum StreamContent: Sendable, Hashable {
  /// `assistant`: a whole answer, or a delta, which follows the previous parts.
  case assistant(String, isDelta: Bool = false)
  /// `user`.
  case user(String)
  /// `system`; the subtype is `init`, `result` or `progress`, if there is one.
  case system(String, subtype: String? = nil)
  /// `thinking`.
  case thinking(String)
  /// `tool_use`; the input is JSON, unchanged.
  case toolUse(id: String?, name: String, input: String, inputDescription: String? = nil)
  /// `tool_result`.
  case toolResult(id: String?, tool: String, output: String, isSuccess: Bool)
  /// `progress`: a tool is running.
  case progress(ToolProgress)
  /// `usage`: the tokens that the session has used so far.
  case usage(TokenUsage)
  /// `state`: the state of the assistant, with the tool that it uses.
  case state(String, tool: String? = nil)
  /// `permission`: the assistant asks for a permission.
  case permission
  /// `question`: the assistant asks a question.
  case question
  /// `subagent_start`.
  case subagentStart
  /// `subagent_complete`.
  case subagentComplete
  /// An unknown type.
  case unknown(type: String)
}

/// The progress of a tool.
public struct ToolProgress: Sendable, Hashable {
  /// The id of the tool use.
  public var id: String
  /// The tool's name.
  public var tool: String
  /// The running time so far, in seconds.
  public var elapsed: TimeInterval
  /// The completed part, from 0 to 100, if known.
  public var progress: Double?
  /// The current activity.
  public var detail: String?

  /// Creates the progress of a tool.
  public init(
    id: String, tool: String, elapsed: TimeInterval, progress: Double? = nil, detail: String? = nil
  ) {
    self.id = id
    self.tool = tool
    self.elapsed = elapsed
    self.progress = progress
    self.detail = detail
  }
}

/// The tokens that a session has used so far.
public struct TokenUsage: Sendable, Hashable {
  /// The number of input tokens.
  public var inputTokens: Int
  /// The number of output tokens.
  public var outputTokens: Int
  /// The number of tokens read from a cache.
  public var cacheReadTokens: Int?
  /// The number of tokens written to a cache.
  public var cacheCreateTokens: Int?
  /// The total price, in dollars.
  public var totalCost: Double?
  /// The number of tokens in the context.
  public var contextUsed: Int?
  /// The maximum number of tokens in the context.
  public var contextLimit: Int?

  /// Creates a usage.
  public init(
    inputTokens: Int, outputTokens: Int, cacheReadTokens: Int? = nil, cacheCreateTokens: Int? = nil,
    totalCost: Double? = nil, contextUsed: Int? = nil, contextLimit: Int? = nil
  ) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.cacheReadTokens = cacheReadTokens
    self.cacheCreateTokens = cacheCreateTokens
    self.totalCost = totalCost
    self.contextUsed = contextUsed
    self.contextLimit = contextLimit
  }
}
