public import Foundation

/// A page of a session's messages and its position among all of them.
public struct MessagePage: Sendable, Hashable, Codable {
  /// The messages, oldest first.
  public var messages: [PaginatedMessage]
  /// The position of the page.
  public var pagination: Pagination

  /// Creates a page.
  public init(messages: [PaginatedMessage], pagination: Pagination) {
    self.messages = messages
    self.pagination = pagination
  }

  /// The position of a page among all messages.
  public struct Pagination: Sendable, Hashable, Codable {
    /// The number of messages in the session.
    public var total: Int
    /// The number of messages that were requested.
    public var limit: Int
    /// The number of messages before the page.
    public var offset: Int
    /// Whether there are messages after the page.
    public var hasMore: Bool
    /// The cursor of the next page, if there is one.
    public var nextCursor: String?
    /// The cursor of the previous page; `nil` if that is the first page, which needs no cursor, or does not exist.
    public var prevCursor: String?

    /// Creates the position of a page.
    public init(
      total: Int, limit: Int, offset: Int, hasMore: Bool, nextCursor: String? = nil, prevCursor: String? = nil
    ) {
      self.total = total
      self.limit = limit
      self.offset = offset
      self.hasMore = hasMore
      self.nextCursor = nextCursor
      self.prevCursor = prevCursor
    }
  }
}

/// A message of a history page as it is stored, before validation (seed 000).
///
/// A ``MessageNormalizing`` turns it into a ``ValidatedMessage``.
public struct PaginatedMessage: Sendable, Hashable, Identifiable, Codable {
  /// The id that the service assigned; the same as in the stream.
  public var id: String
  /// The author, as the name of a ``ChatMessage/Role``.
  public var role: String
  /// The text.
  ///
  /// A value that the service stored in another form than text is wrapped in `AnyCodableValue(…)`.
  public var content: String
  /// The time of the message, in ISO 8601.
  public var timestamp: String
  /// The tool that is used, or that returned the result.
  public var toolName: String?
  /// The id of this tool use.
  public var toolUseId: String?
  /// The id of the tool use that this is the result of.
  public var toolResultId: String?
  /// A description of the tool's input.
  public var toolInputDescription: String?
  /// The tool's output.
  public var toolOutput: String?
  /// The number of tokens that the message used.
  public var tokenCount: Int?
  /// The tool's running time, in seconds.
  public var executionTime: TimeInterval?
  /// The path of the message's image.
  public var imagePath: String?
  /// The message's image.
  public var imageData: Data?
  /// What decoding did not find or left out; empty for a message that was decoded whole.
  public var warnings: [MessageWarning]

  /// Creates a message of a page; the values for tools and images are optional.
  public init(
    id: String, role: String, content: String, timestamp: String, toolName: String? = nil,
    toolUseId: String? = nil, toolResultId: String? = nil, toolInputDescription: String? = nil,
    toolOutput: String? = nil, tokenCount: Int? = nil, executionTime: TimeInterval? = nil,
    imagePath: String? = nil, imageData: Data? = nil, warnings: [MessageWarning] = []
  ) {
    self.id = id
    self.role = role
    self.content = content
    self.timestamp = timestamp
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

extension PaginatedMessage {
  /// Decodes a message in any of the server's forms, flat or in an envelope.
  public init(from decoder: any Decoder) throws {
    if let message = (try? FeedValue(from: decoder)).flatMap({ PaginatedMessage($0) }),
      !message.id.isEmpty,
      !message.role.isEmpty
    {
      self = message
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(String.self, forKey: .id), role: try values.decode(String.self, forKey: .role),
      content: try values.decode(String.self, forKey: .content),
      timestamp: try values.decode(String.self, forKey: .timestamp),
      toolName: try values.decodeIfPresent(String.self, forKey: .toolName),
      toolUseId: try values.decodeIfPresent(String.self, forKey: .toolUseId),
      toolResultId: try values.decodeIfPresent(String.self, forKey: .toolResultId),
      toolInputDescription: try values.decodeIfPresent(String.self, forKey: .toolInputDescription),
      toolOutput: try values.decodeIfPresent(String.self, forKey: .toolOutput),
      tokenCount: try values.decodeIfPresent(Int.self, forKey: .tokenCount),
      executionTime: try values.decodeIfPresent(TimeInterval.self, forKey: .executionTime),
      imagePath: try values.decodeIfPresent(String.self, forKey: .imagePath),
      imageData: try values.decodeIfPresent(Data.self, forKey: .imageData),
      warnings: try values.decodeIfPresent([MessageWarning].self, forKey: .warnings) ?? [])
  }
}

extension MessagePage {
  /// Decodes a page as the service for the history does, without the stored events that are not messages.
  ///
  /// An item without an id or a role stays a message, so that a ``MessageNormalizing`` refuses it and no other.
  public init(from decoder: any Decoder) throws {
    if let page = (try? FeedValue(from: decoder)).flatMap({ MessagePage($0) }) {
      self = page
      return
    }
    // No page, or a format that has more than the values of JSON, such as a property list.
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      messages: try values.decode([PaginatedMessage].self, forKey: .messages),
      pagination: try values.decode(Pagination.self, forKey: .pagination))
  }
}

extension PaginatedMessage {
  /// Creates the stored form of a streamed message; `nil` for a part of an answer and for an event without a message.
  package init?(_ message: StreamedMessage) {
    self.init(
      id: message.id, role: "", content: "", timestamp: message.timestamp, warnings: message.warnings)
    switch message.content {
    case .assistant(let text, isDelta: false): (role, content) = ("assistant", text)
    case .user(let text): (role, content) = ("user", text)
    case .system(let text, let subtype):
      (role, content) = (subtype == "result" ? "resultSuccess" : "system", text)
    case .thinking(let text): (role, content) = ("thinking", text)
    case .toolUse(let id, let name, let input, let description):
      (role, content) = ("toolUse", description ?? name)
      (toolName, toolUseId, toolInputDescription) = (name, id, description ?? input)
    case .toolResult(let id, let tool, let output, _):
      (role, content) = ("toolResult", output)
      (toolName, toolResultId, toolOutput) = (tool.isEmpty ? nil : tool, id, output)
    case .unknown(let type): role = type
    case .assistant(_, isDelta: true), .progress, .usage, .state, .permission, .question, .subagentStart,
      .subagentComplete:
      return nil
    }
  }
}

extension ChatMessage.Role {
  /// Whether a message of this role without text shows nothing, such as a heartbeat of the service.
  package var isNote: Bool { self == .system || self == .resultSuccess }

  /// Whether a message of this role is nothing but its content, so that without any there is nothing to show.
  var isContentAlone: Bool {
    switch self {
    case .user, .assistant, .error, .thinking, .localCommand: true
    case .system, .toolUse, .toolResult, .resultSuccess, .localCommandStdout: false
    }
  }
}
