public import Foundation

/// An event of a session's stream.
public enum StreamEvent: Sendable, Hashable, Codable {
  /// A message or a part of one, from the envelope `stream`.
  case message(StreamedMessage)
  /// A message of the server about the stream, without an envelope.
  case control(ControlMessage)
  /// A frame that is not a valid event, unchanged.
  case unreadable(String)
}

/// The envelope `stream` and its content.
public struct StreamedMessage: Sendable, Hashable, Identifiable, Codable {
  /// The id that the service assigned; the same for each part of a message.
  public var id: String
  /// The time of the message, in ISO 8601.
  public var timestamp: String
  /// The content of the envelope.
  public var content: StreamContent
  /// What decoding did not find or left out; empty for a message that was decoded whole.
  public var warnings: [MessageWarning]

  /// Creates an envelope.
  public init(id: String, timestamp: String, content: StreamContent, warnings: [MessageWarning] = []) {
    self.id = id
    self.timestamp = timestamp
    self.content = content
    self.warnings = warnings
  }
}

/// The content of an envelope, by its type.
public enum StreamContent: Sendable, Hashable, Codable {
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
  /// `permission`: the assistant asks whether it may use a tool; also without an envelope.
  case permission(PermissionRequest)
  /// `question`: the assistant asks the user questions; also without an envelope.
  case question(QuestionRequest)
  /// `subagent_start`: another assistant begins a task for this one.
  case subagentStart(id: String, description: String)
  /// `subagent_complete`: it has ended.
  case subagentComplete(id: String, summary: String? = nil)
  /// An unknown type.
  case unknown(type: String)
}

/// A question whether the assistant may use a tool, which the user must answer.
public struct PermissionRequest: Sendable, Hashable, Identifiable, Codable {
  /// The id that an answer names.
  public var id: String
  /// The tool's name.
  public var tool: String
  /// The tool's input, as JSON.
  public var input: String
  /// The possible answers, such as `allow`, `deny` and `always`.
  public var options: [String]

  /// Creates a request.
  public init(id: String, tool: String, input: String, options: [String] = ["allow", "deny", "always"]) {
    self.id = id
    self.tool = tool
    self.input = input
    self.options = options
  }
}

/// Questions of the assistant, which the user must answer.
public struct QuestionRequest: Sendable, Hashable, Identifiable, Codable {
  /// The id that an answer names.
  public var id: String
  /// The questions, in order.
  public var questions: [Question]

  /// Creates a request.
  public init(id: String, questions: [Question]) {
    self.id = id
    self.questions = questions
  }

  /// A question and its options.
  public struct Question: Sendable, Hashable, Codable {
    /// The text.
    public var question: String
    /// A short title.
    public var header: String
    /// The options; none if the user answers in words.
    public var options: [Option]
    /// Whether the user may choose several options.
    public var isMultipleChoice: Bool

    /// Creates a question.
    public init(question: String, header: String, options: [Option], isMultipleChoice: Bool = false) {
      self.question = question
      self.header = header
      self.options = options
      self.isMultipleChoice = isMultipleChoice
    }
  }

  /// A possible answer to a question.
  public struct Option: Sendable, Hashable, Codable {
    /// The answer.
    public var label: String
    /// What it means.
    public var description: String?

    /// Creates an option.
    public init(label: String, description: String? = nil) {
      self.label = label
      self.description = description
    }
  }
}

/// The progress of a tool.
public struct ToolProgress: Sendable, Hashable, Codable {
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
public struct TokenUsage: Sendable, Hashable, Codable {
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

/// An update that a chat receives while it follows a session.
public enum FeedUpdate: Sendable, Hashable, Codable {
  /// The stream is established: every earlier message has been delivered.
  case connected
  /// The connection is lost, and a new one is being established.
  case reconnecting
  /// An event of the stream.
  case event(StreamEvent)
  /// An answer, by its id, of which parts were delivered and which will not be completed.
  case abandoned(String)
  /// Messages from the history that the stream could not deliver; they follow the messages delivered before.
  case missed([PaginatedMessage])
  /// All whole messages, which replace the messages delivered before.
  case reset([PaginatedMessage])
}

/// A message of the server about a session's stream, by its type.
public enum ControlMessage: Sendable, Hashable, Codable {
  /// `connected`: the stream is open, and the session uses this model.
  case connected(model: String? = nil)
  /// `history`: past messages; those without an id are also in the pages of the history.
  case history([PaginatedMessage], hasMore: Bool, cursor: String? = nil)
  /// `session_event`: a session was created, updated or deleted.
  case sessionEvent(SessionEvent)
  /// `queued`: the user's message waits for its turn; the next one has the position 1.
  case queued(position: Int? = nil)
  /// `queue_cleared`: no message of the user waits any more.
  case queueCleared
  /// `reconnect_complete`: the messages after a given one, or after the beginning, have been sent again.
  case reconnectComplete(missedCount: Int, fromMessageID: String?)
  /// `cursor_evicted`: the stream no longer reaches back to this message; the history does.
  case cursorEvicted(lastMessageID: String?)
  /// `cursor_invalid`: the message is unknown, so all messages that the app has may be wrong.
  case cursorInvalid(lastMessageID: String?)
  /// `error`.
  case error(StreamFailure)
  /// `model_changed`.
  case modelChanged(to: String, from: String? = nil)
  /// `permission_mode_changed`: the mode is `default`, `acceptEdits` or `bypassPermissions`.
  case permissionModeChanged(to: String)
  /// `stopped`: the assistant has stopped, because of the user, its end, an error or a time-out.
  case stopped(reason: String)
  /// `ping`: the server checks whether the client responds.
  case ping
  /// `pong`: the server's response to a heartbeat, with its time in ISO 8601.
  case pong(serverTime: String?)
  /// `interrupted`: the user has interrupted the assistant.
  case interrupted
  /// An unknown type.
  case unknown(type: String)
}

/// A change of a session.
public struct SessionEvent: Sendable, Hashable, Codable {
  /// The kind of change: `created`, `updated` or `deleted`.
  public var action: String
  /// The session's id.
  public var sessionID: String
  /// The path of its project.
  public var projectPath: String
  /// The session after the change; missing for a deleted one.
  public var metadata: Metadata?

  /// Creates a change.
  public init(action: String, sessionID: String, projectPath: String, metadata: Metadata? = nil) {
    self.action = action
    self.sessionID = sessionID
    self.projectPath = projectPath
    self.metadata = metadata
  }

  /// The description of a session; times are in ISO 8601.
  public struct Metadata: Sendable, Hashable, Codable {
    /// The creator: `user`, `agent` or `helper`.
    public var source: String
    /// The number of messages.
    public var messageCount: Int
    /// The time of the last message.
    public var lastActivityAt: String
    /// The time of the creation.
    public var createdAt: String?
    /// The time at which the session was archived.
    public var archivedAt: String?
    /// The title.
    public var title: String?
    /// The title that the user gave, which replaces the other.
    public var customTitle: String?
    /// A summary.
    public var summary: String?
    /// The model that the session uses.
    public var model: String?
    /// The session from which this one was made.
    public var parentSessionID: String?

    /// Creates a description; the other values are optional.
    public init(source: String, messageCount: Int, lastActivityAt: String) {
      self.source = source
      self.messageCount = messageCount
      self.lastActivityAt = lastActivityAt
    }
  }
}

/// A failure at the server of a stream.
public struct StreamFailure: Sendable, Hashable, Codable {
  /// A code for programs.
  public var code: String
  /// A description for developers.
  public var message: String
  /// Whether the stream continues.
  public var isRecoverable: Bool
  /// The delay before another attempt that the server asks for, if one may succeed.
  public var retryAfter: Duration?

  /// Creates a failure.
  public init(code: String, message: String, isRecoverable: Bool, retryAfter: Duration? = nil) {
    self.code = code
    self.message = message
    self.isRecoverable = isRecoverable
    self.retryAfter = retryAfter
  }
}

extension AppError {
  /// Creates the app's error for a failure: the codes with a meaning for the user, or else a failure of the server.
  package init(_ failure: StreamFailure) {
    switch failure.code {
    case "RATE_LIMITED", "QUEUE_FULL": self = .network(.rateLimited(retryAfter: failure.retryAfter))
    case "TIMEOUT": self = .network(.timeout)
    case "UNAUTHORIZED": self = .network(.unauthorized)
    case "FORBIDDEN": self = .network(.forbidden)
    case "NO_AGENT", "AGENT_NOT_FOUND", "SESSION_NOT_FOUND", "INVALID_PERMISSION_ID", "INVALID_QUESTION_ID",
      "NO_FAILED_MESSAGE", "RETRY_EXPIRED":
      self = .network(.notFound)
    default: self = .network(.serverError)
    }
  }
}
