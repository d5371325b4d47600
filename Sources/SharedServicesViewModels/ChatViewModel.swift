public import Observation
public import SharedServices

/// The chat of a session: what was said, and what is said while it is shown (seed 000).
///
/// The history comes first, and then what happens. Three rules say what is shown:
///
/// 1. Each message is shown once, under its id, in the order in which the messages became whole. What comes again
///    takes the place of what is there.
/// 2. An answer that comes in pieces is joined under its id, behind all that is whole, until it is whole itself. Its whole
///    takes the place of its pieces; a piece that comes later is none of it.
/// 3. What cannot be validated is counted, logged and left out. It stops nothing else.
@MainActor
@Observable
public final class ChatViewModel {
  /// How the chat stands to its session.
  public enum State: Sendable, Hashable {
    /// Nobody has opened it, or it was left.
    case idle
    /// What was said is being loaded, or followed for the first time.
    case loading
    /// What happens is shown as it happens.
    case live
    /// The connection was lost, and another is being made; what is shown may not be all.
    case reconnecting
    /// It has come to an end; with the message for the user, who may ``ChatViewModel/open()`` it again.
    case failed(String)
  }

  /// How the chat stands to its session.
  public private(set) var state: State = .idle

  /// How many messages are left out because they could not be validated.
  ///
  /// However often a message comes, it counts once. One that nobody named counts each time, for it may be another.
  public var invalidMessageCount: Int { invalidIDs.count + invalidWithoutIDCount }

  /// What was said, the oldest first; what is still being written comes last.
  public var messages: [ChatMessage] { whole + streaming }

  private var whole: [ChatMessage] = []
  private var streaming: [ChatMessage] = []
  private var invalidIDs: Set<String> = []
  private var invalidWithoutIDCount = 0
  /// Where the messages are that are whole.
  @ObservationIgnored private var places: [String: Int] = [:]
  /// What follows the session.
  ///
  /// It is cancelled together with the caller's task and shows nothing from then on, but may take some time to end.
  @ObservationIgnored private var following: Task<State, Never>?

  private let sessionID: String
  private let history: any MessageHistoryService
  private let stream: any MessageStreamService
  private let normalizer: any MessageNormalizing
  private let log: @MainActor (String) -> Void

  /// The chat of a session.
  ///
  /// - Parameters:
  ///   - sessionID: The session.
  ///   - history: What was said.
  ///   - stream: What is said.
  ///   - normalizer: What validates it.
  ///   - log: Is told of every message that was left out or repaired, for developers.
  public init(
    sessionID: String, history: any MessageHistoryService, stream: any MessageStreamService,
    normalizer: any MessageNormalizing = MessageNormalizer(),
    log: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    self.sessionID = sessionID
    self.history = history
    self.stream = stream
    self.normalizer = normalizer
    self.log = log
  }

  /// Shows what was said and follows what is said, until the task is cancelled or something fails.
  ///
  /// After a failure, opening tries again from the beginning; what is shown stays until the history is there. While the
  /// chat is open a second call does nothing. Once its task is cancelled the chat is left: a call that comes before that
  /// task has ended takes over.
  public func open() async {
    if let following, !following.isCancelled { return }
    state = .loading
    let task = Task { await follow() }
    following = task
    let end = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    guard following == task else { return }
    following = nil
    state = task.isCancelled ? .idle : end
  }

  // MARK: - What comes

  /// Shows what comes until there is no more.
  ///
  /// - Returns: How the chat stands to its session then.
  private func follow() async -> State {
    do {
      let messages = try await loaded()
      if Task.isCancelled { return .idle }
      streaming = []
      replace(with: messages)
      // A message without an id is no place to go on from.
      let last = messages.last { !$0.id.isEmpty }?.id
      for try await update in try await stream.updates(of: sessionID, after: last) {
        if Task.isCancelled { return .idle }
        show(update)
      }
      // A stream ends by itself only in a task that was cancelled, unless the service lies.
      return .failed(AppError.network(.connectionLost).userFacingMessage)
    } catch let error as AppError {
      return error == .cancelled ? .idle : .failed(error.userFacingMessage)
    } catch {
      return error is CancellationError ? .idle : .failed(AppError.unknown(error).userFacingMessage)
    }
  }

  /// The history.
  private func loaded() async throws(AppError) -> [PaginatedMessage] {
    do throws(AppError) {
      return try await history.messages(of: sessionID, after: nil)
    } catch .feed(.cursorExpired), .feed(.cursorNotFound) {
      // A place in the middle was lost while the pages were read; the beginning needs none.
      return try await history.messages(of: sessionID, after: nil)
    }
  }

  private func show(_ update: FeedUpdate) {
    switch update {
    case .connected: state = .live
    case .reconnecting: state = .reconnecting
    case .abandoned(let id): streaming.removeAll { $0.id == id }
    case .missed(let messages): for message in messages { processMessage(message) }
    case .reset(let messages): replace(with: messages)
    case .event(let event): processEvent(event)
    }
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
    // A part that nobody knows says nothing about the other parts of its message.
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
      // Its pieces will not become whole.
      if isWhole { streaming.removeAll { $0.id == id } }
    }
  }

  private func show(_ message: ChatMessage) {
    if message.isStreaming {
      guard places[message.id] == nil else { return }
      if let place = streaming.firstIndex(where: { $0.id == message.id }) {
        streaming[place].content += message.content
      } else {
        streaming.append(message)
      }
      return
    }
    streaming.removeAll { $0.id == message.id }
    invalidIDs.remove(message.id)
    if let place = places[message.id] {
      whole[place] = message
    } else {
      places[message.id] = whole.count
      whole.append(message)
    }
  }
}
