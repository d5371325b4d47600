public import SharedServices

/// What a session reports beside its messages: what the user must answer, and what is in progress.
///
/// These events are delivered only while the chat is connected, and are not repeated.
public struct ChatActivity: Sendable, Hashable {
  /// A task that another assistant performs for the session's assistant.
  public struct Subagent: Sendable, Hashable, Identifiable {
    /// The task's id.
    public let id: String
    /// The task.
    public let description: String
  }

  /// The tools that the user must allow or deny, oldest first.
  public private(set) var permissions: [PermissionRequest] = []
  /// The questions that the user must answer, oldest first.
  public private(set) var questions: [QuestionRequest] = []
  /// The position of the user's message among those that wait for their turn; the next one has the position 1.
  public private(set) var queuePosition: Int?
  /// The tasks in progress, oldest first.
  public private(set) var subagents: [Subagent] = []
  /// The model that the session uses, if known.
  public private(set) var model: String?
  /// Which tools the assistant may use without asking, if known: `default`, `acceptEdits` or `bypassPermissions`.
  public private(set) var permissionMode: String?

  /// Creates an activity without anything to answer or in progress.
  public init() {}

  mutating func update(with event: StreamEvent) {
    switch event {
    case .message(let message): update(with: message.content)
    case .control(let control): update(with: control)
    case .unreadable: break
    }
  }

  private mutating func update(with content: StreamContent) {
    switch content {
    case .permission(let request): permissions.replaceOrAppend(request)
    case .question(let request): questions.replaceOrAppend(request)
    case .subagentStart(let id, let description):
      subagents.replaceOrAppend(Subagent(id: id, description: description))
    case .subagentComplete(let id, _): subagents.removeAll { $0.id == id }
    case .user:
      queuePosition = nil
      moveOn()
    case .assistant, .thinking, .state("thinking", _): moveOn()
    case .state("idle", _):
      moveOn()
      loseConnection()
    case .toolResult(_, let tool, _, _):
      // Other tools, and other uses of this one, may still wait for an answer.
      if let place = permissions.firstIndex(where: { $0.tool == tool }) { permissions.remove(at: place) }
    case .system, .toolUse, .progress, .usage, .state, .unknown: break
    }
  }

  private mutating func update(with control: ControlMessage) {
    switch control {
    case .queued(let position): queuePosition = position ?? 1
    case .queueCleared: queuePosition = nil
    case .connected(let model?), .modelChanged(let model, _): self.model = model
    case .permissionModeChanged(let mode): permissionMode = mode
    case .stopped, .interrupted:
      moveOn()
      subagents = []
    default: break
    }
  }

  /// Takes note of a message of the history.
  mutating func update(with message: PaginatedMessage) {
    if ["user", "assistant", "thinking"].contains(message.role) { moveOn() }
  }

  /// Removes what the user no longer has to answer, because the assistant has gone on.
  mutating func moveOn() {
    (permissions, questions) = ([], [])
  }

  /// Removes what may end while the chat receives nothing.
  mutating func loseConnection() {
    (queuePosition, subagents) = (nil, [])
  }
}

extension Array where Element: Identifiable {
  fileprivate mutating func replaceOrAppend(_ element: Element) {
    if let place = firstIndex(where: { $0.id == element.id }) {
      self[place] = element
    } else {
      append(element)
    }
  }
}
