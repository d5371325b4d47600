public import Foundation

/// What a session's stream says at once.
public enum StreamEvent: Sendable, Hashable {
  /// A message, or a part of one: what comes in the envelope `stream`.
  case message(StreamedMessage)
  /// What the server says of the stream itself, without an envelope.
  case control(ControlMessage)
  /// Something that is no event at all, as it came.
  case unreadable(String)
}

/// The envelope `stream`, and what is in it.
public struct StreamedMessage: Sendable, Hashable, Identifiable {
  /// What the service calls the message; each part of one message has the same.
  public var id: String
  /// When it was said, in ISO 8601.
  public var timestamp: String
  /// What is in the envelope.
  public var content: StreamContent

  /// An envelope.
  public init(id: String, timestamp: String, content: StreamContent) {
    self.id = id
    self.timestamp = timestamp
    self.content = content
  }
}

/// What is in an envelope, by its type.
public enum StreamContent: Sendable, Hashable {
  /// `assistant`: the whole of an answer, or a delta, which is the piece that follows what came before.
  case assistant(String, isDelta: Bool = false)
  /// `user`.
  case user(String)
  /// `system`; the subtype is `init`, `result` or `progress`, if there is one.
  case system(String, subtype: String? = nil)
  /// `thinking`.
  case thinking(String)
  /// `tool_use`; the input is JSON, as it came.
  case toolUse(id: String?, name: String, input: String, inputDescription: String? = nil)
  /// `tool_result`.
  case toolResult(id: String?, tool: String, output: String, isSuccess: Bool)
  /// `progress`: a tool is at work.
  case progress(ToolProgress)
  /// `usage`: what the session has taken so far.
  case usage(TokenUsage)
  /// `state`: what the assistant is doing, and with which tool.
  case state(String, tool: String? = nil)
  /// `permission`: the assistant wants to be allowed something.
  case permission
  /// `question`: the assistant wants to know something.
  case question
  /// `subagent_start`.
  case subagentStart
  /// `subagent_complete`.
  case subagentComplete
  /// A type that nobody has heard of.
  case unknown(type: String)
}

/// How far a tool has come.
public struct ToolProgress: Sendable, Hashable {
  /// The use of the tool.
  public var id: String
  /// The tool.
  public var tool: String
  /// How long it has run, in seconds.
  public var elapsed: TimeInterval
  /// How much is done, from 0 to 100, if it is known.
  public var progress: Double?
  /// What it is doing.
  public var detail: String?

  /// The progress of a tool.
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

/// What a session has taken so far, in tokens.
public struct TokenUsage: Sendable, Hashable {
  /// What was read.
  public var inputTokens: Int
  /// What was written.
  public var outputTokens: Int
  /// What was read from a cache.
  public var cacheReadTokens: Int?
  /// What was written to a cache.
  public var cacheCreateTokens: Int?
  /// The price of it all, in dollars.
  public var totalCost: Double?
  /// How much of the context is in use.
  public var contextUsed: Int?
  /// How much there is of it.
  public var contextLimit: Int?

  /// What a session has taken.
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
