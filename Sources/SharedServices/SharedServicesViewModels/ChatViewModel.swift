public import Observation
public import SharedServices

/// The view model of a session's chat: its history and its current messages (seed 000).
///
/// The history is shown first, then the updates of the stream. Four rules apply:
///
/// 1. Each message is shown once, under its id, in the order in which the messages were completed. A repeated message
///    replaces the existing one.
/// 2. The parts of an answer are joined under its id, after all whole messages. The whole answer replaces its parts;
///    later parts are ignored.
/// 3. An invalid message is counted, logged and left out. The other messages are not affected. A message of the service
///    without text is left out too.
/// 4. An answer that is not continued ends as incomplete: when the assistant stops, and when the chat fails or is left.
@MainActor
@Observable
public final class ChatViewModel {
  // One state, not the flag of seed 001, which would have no value for a lost connection.
  /// The state of the chat.
  public enum State: Sendable, Hashable {
    /// The chat was not opened, or was left.
    case idle
    /// The history is being loaded, or the stream is being opened.
    case loading
    /// Updates are shown as they arrive.
    case live
    /// The connection was lost and is being reopened; messages may be missing.
    case reconnecting
    /// The chat has ended with a message for the user, who may ``ChatViewModel/open()`` it again.
    case failed(String)
  }

  /// The state of the chat.
  public private(set) var state: State = .idle
  /// What the user must answer, and what is in progress.
  public private(set) var activity = ChatActivity()
  /// The message of the failure that ended the chat, or that the service reported while it went on.
  public private(set) var errorMessage: String?

  /// The number of messages left out as invalid.
  ///
  /// A repeated message counts once. A message without an id counts each time, because it may be another one.
  public var invalidMessageCount: Int { invalidIDs.count + invalidWithoutIDCount }

  /// The messages, oldest first; unfinished answers come last.
  public var messages: [ChatMessage] { whole + unfinished }

  /// The session's id; another one leaves the chat, which shows nothing until it is opened again.
  public var sessionID: String {
    get { session }
    set {
      guard newValue != session else { return }
      following?.cancel()
      following = nil
      session = newValue
      (state, errorMessage) = (.idle, nil)
      clear()
    }
  }

  private var session: String
  private var whole: [ChatMessage] = []
  /// The answers that are streaming or incomplete.
  private var unfinished: [ChatMessage] = []
  private var invalidIDs: Set<String> = []
  private var invalidWithoutIDCount = 0
  /// The indices of the whole messages, by id.
  @ObservationIgnored private var places: [String: Int] = [:]
  /// Whether the chat has failed for a user who may open it again.
  @ObservationIgnored private var continuesAfterFailure = false
  /// The task that follows the session; its result is the error, or `nil` if the chat was left.
  ///
  /// It is cancelled together with the caller's task and shows nothing after that, but may take some time to end.
  @ObservationIgnored private var following: Task<AppError?, Never>?

  private let history: any MessageHistoryService
  private let stream: any MessageStreamService
  private let normalizer: any MessageNormalizing
  // Not a global logger as in seed 000, whose lines a test could not read.
  private let log: @MainActor (String) -> Void

  /// Creates the view model of a session's chat.
  ///
  /// - Parameters:
  ///   - sessionID: The session's id.
  ///   - history: The service for past messages.
  ///   - stream: The service for new messages.
  ///   - normalizer: The validation of messages.
  ///   - log: Receives, for developers, a line for every message that was left out or repaired.
  public init(
    sessionID: String, history: any MessageHistoryService, stream: any MessageStreamService,
    normalizer: any MessageNormalizing = MessageNormalizer(),
    log: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    session = sessionID
    self.history = history
    self.stream = stream
    self.normalizer = normalizer
    self.log = log
  }

  /// Shows the history and follows the session until the task is cancelled or an error occurs.
  ///
  /// After an error, opening starts from the beginning; the shown messages stay until the history is loaded. They do
  /// not stay where another user may open the chat: after it was left, and after the end of the user's session. While
  /// the chat is open, a second call has no effect. Cancelling the task leaves the chat: a call before that task has
  /// ended takes over.
  public func open() async {
    if let following, !following.isCancelled { return }
    if !continuesAfterFailure { clear() }
    continuesAfterFailure = false
    (state, errorMessage) = (.loading, nil)
    let (ended, end) = AsyncStream<Never>.makeStream()
    let task = Task {
      defer { end.finish() }
      return await follow(session)
    }
    following = task
    await withTaskCancellationHandler {
      for await _ in ended {}
    } onCancel: {
      task.cancel()
    }
    guard following == task else { return }
    // A chat that is left ends at once, whether its services react or not.
    let error = task.isCancelled ? nil : await task.value
    following = nil
    endAnswers()
    activity.loseConnection()
    if let error, !task.isCancelled {
      continuesAfterFailure = error != .network(.unauthorized)
      errorMessage = error.userFacingMessage
      state = .failed(error.userFacingMessage)
    } else {
      activity.moveOn()
      state = .idle
    }
  }

  /// Removes the error message, as the button of an alert does.
  public func dismissMessage() {
    errorMessage = nil
  }

  // MARK: - Following the session

  /// Shows updates until the stream ends.
  ///
  /// - Returns: The error that ended the chat; `nil` if it was left.
  private func follow(_ sessionID: String) async -> AppError? {
    do {
      let messages = try await loaded(sessionID)
      if Task.isCancelled { return nil }
      unfinished = []
      let known = places
      replace(with: messages)
      for message in messages where known[message.id] == nil { activity.update(with: message) }
      // The stream cannot resume from a message without an id.
      let last = messages.last { !$0.id.isEmpty }?.id
      for try await update in try await stream.updates(of: sessionID, after: last) {
        if Task.isCancelled { return nil }
        try show(update)
      }
      // A stream ends by itself only in a cancelled task, unless the service violates its contract.
      return .network(.connectionLost)
    } catch let error as AppError {
      return error == .cancelled ? nil : error
    } catch {
      return error is CancellationError ? nil : .unknown(error)
    }
  }

  /// Returns the history.
  private func loaded(_ sessionID: String) async throws(AppError) -> [PaginatedMessage] {
    do throws(AppError) {
      return try await history.messages(of: sessionID, after: nil)
    } catch .feed(.cursorExpired), .feed(.cursorNotFound) {
      // A cursor expired while the pages were read; the beginning needs no cursor.
      return try await history.messages(of: sessionID, after: nil)
    }
  }

  private func show(_ update: FeedUpdate) throws(AppError) {
    switch update {
    case .connected: state = .live
    case .reconnecting:
      state = .reconnecting
      activity.loseConnection()
    case .abandoned(let id): unfinished.removeAll { $0.id == id }
    case .missed(let messages):
      for message in messages {
        processMessage(message)
        activity.update(with: message)
      }
    case .reset(let messages):
      replace(with: messages)
      activity.moveOn()
    case .event(let event):
      processEvent(event)
      activity.update(with: event)
      if case .control(let control) = event { try show(control) }
    }
  }

  private func show(_ control: ControlMessage) throws(AppError) {
    switch control {
    case .stopped, .interrupted: endAnswers()
    // Messages without an id may be those of the loaded history.
    case .history(let messages, _, _):
      for message in messages where !message.id.isEmpty { processMessage(message) }
    case .error(let failure):
      log("The service reported \(failure.code): \(failure.message)")
      errorMessage = AppError(failure).userFacingMessage
    case .sessionEvent(let event) where event.action == "deleted" && event.sessionID == session:
      throw .network(.notFound)
    default: break
    }
  }

  /// Ends the answers that are not continued.
  private func endAnswers() {
    for place in unfinished.indices {
      (unfinished[place].isStreaming, unfinished[place].isIncomplete) = (false, true)
    }
  }

  private func clear() {
    unfinished = []
    activity = ChatActivity()
    replace(with: [])
  }

  private func replace(with messages: [PaginatedMessage]) {
    whole = []
    places = [:]
    (invalidIDs, invalidWithoutIDCount) = ([], 0)
    for message in messages { processMessage(message) }
  }

  private func processMessage(_ paginated: PaginatedMessage) {
    process(normalizer.normalize(paginated), of: paginated.id)
  }

  private func processEvent(_ event: StreamEvent) {
    guard let result = normalizer.normalize(event) else { return }
    guard case .message(let message) = event else { return process(result, of: "") }
    // A part of an unknown type does not affect the other parts of its message.
    if case .unknown = message.content {
      process(result, of: message.id, isWhole: false)
    } else {
      process(result, of: message.id)
    }
  }

  private func process(
    _ result: Result<ValidatedMessage, MessageValidationError>, of id: String, isWhole: Bool = true
  ) {
    switch result {
    case .success(let validated):
      if !validated.warnings.isEmpty {
        let warnings = validated.warnings.map(\.rawValue).joined(separator: ", ")
        log("Message \(validated.id) was repaired: \(warnings)")
      }
      show(validated.toChatMessage())
    case .failure(let error):
      log("Message validation failed: \(error)")
      if id.isEmpty {
        invalidWithoutIDCount += 1
      } else if places[id] == nil {
        invalidIDs.insert(id)
      }
      // The remaining parts will not arrive.
      if isWhole { unfinished.removeAll { $0.id == id } }
    }
  }

  private func show(_ message: ChatMessage) {
    if message.role.isNote && message.content.allSatisfy(\.isWhitespace) { return }
    if message.isStreaming {
      guard places[message.id] == nil else { return }
      if let place = unfinished.firstIndex(where: { $0.id == message.id }) {
        unfinished[place].content += message.content
        (unfinished[place].isStreaming, unfinished[place].isIncomplete) = (true, false)
      } else {
        unfinished.append(message)
      }
      return
    }
    unfinished.removeAll { $0.id == message.id }
    invalidIDs.remove(message.id)
    // Seed 000 appends every message; one that the history and the stream both have would be shown twice.
    if let place = places[message.id] {
      whole[place] = message
    } else {
      places[message.id] = whole.count
      whole.append(message)
    }
  }
}
