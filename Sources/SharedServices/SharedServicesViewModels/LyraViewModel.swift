public import Foundation
public import Observation
public import SharedServices

/// The view model of a conversation with the guide, whose answers are streamed (seed 001, example 2).
///
/// Four rules define what stays on the screen after an error:
///
/// 1. The user's message is shown at once. It stays if the service has accepted it, that is, if the call returns. If
///    the call throws, the message is removed and its text returns to the field, before what the user has written there
///    meanwhile.
///    If only the response was lost, the service may have stored it: sending the same text again does not store it
///    twice, and ``loadHistory()`` shows whether it is stored.
/// 2. An answer appears with its first visible text or source, so there is no empty answer. If the stream breaks, the
///    received part stays, because the user has read it, and is listed in ``incompleteAnswers``. The service does not
///    store it, unless the answer was complete there and only the end was lost.
/// 3. An answer is complete only when the service marks it as done. A stream that ends before that is an error.
/// 4. A question without a complete answer can be asked again with ``askAgain()``, which does not store it twice.
///
/// Every action ends with ``isSending``, ``isStreaming`` and ``isLoading`` set to `false`. A cancelled send shows no
/// error; what was received of its answer is incomplete.
@MainActor
@Observable
public final class LyraViewModel {
  /// The messages, oldest first.
  public var messages: [Message] { talk.content.messages }

  /// The text in the field.
  public var messageText: String {
    get { talk.content.text }
    set { talk.content.text = newValue }
  }

  /// Whether a message is being sent, or its answer received.
  public var isSending: Bool { actions.isRunning { $0 == .send } }

  /// Whether an answer is awaited or being received.
  public var isStreaming: Bool { isSending }

  /// Whether the history is being loaded.
  public var isLoading: Bool { actions.isRunning { $0 == .load } }

  /// The message of the last error, for the user.
  public var errorMessage: String? { actions.errorMessage }

  /// The ids in ``messages`` of the answers that were interrupted.
  public var incompleteAnswers: Set<UUID> { talk.content.incomplete }

  /// The conversation's id, once it is started.
  public var conversationID: UUID? { talk.content.conversationID }

  /// Whether the last question has no complete answer; see ``askAgain()``.
  public var canAskAgain: Bool { talk.content.unanswered != nil && !isSending && !isLoading }

  /// A user's conversation.
  private struct Talk {
    var messages: [Message] = []
    var text = ""
    var incomplete: Set<UUID> = []
    var conversationID: UUID?
    /// The id of the conversation to be started, once that was tried: the service may have started it.
    var newID: UUID?
    /// The last message whose sending failed: the service may have stored it.
    var unsent: Message?
    /// The stored question that has no complete answer.
    var unanswered: Message?

    /// The id of the message to send, if the service may have stored it, its text, and what then stays in the field.
    ///
    /// What the user has written after a message that was not sent is another message: sent together with the first,
    /// which the service may have stored, it would be stored twice.
    var next: (id: UUID?, text: String, rest: String) {
      guard let unsent, let rest = rest(after: unsent) else { return (nil, text, "") }
      return (unsent.id, unsent.content, rest)
    }

    /// Returns the text of a message that was not sent to the field, before what the user has written meanwhile.
    mutating func putBack(_ unsent: Message) {
      text = text.isEmpty ? unsent.content : "\(unsent.content)\n\(text)"
    }

    /// Removes the text of a stored message from the field.
    mutating func takeOut(_ stored: Message) {
      if let rest = rest(after: stored) { text = rest }
    }

    /// What the field has after the text of a message; `nil` if it does not begin with that.
    private func rest(after message: Message) -> String? {
      if text == message.content { return "" }
      // As one text, because a line break may join with the character before it.
      let before = "\(message.content)\n"
      return text.hasPrefix(before) ? String(text.dropFirst(before.count)) : nil
    }
  }

  /// A question in progress.
  @MainActor private final class Asking {
    let question: Message
    /// Whether the service has stored the question.
    var isStored: Bool
    /// The id of the answer.
    let answer: UUID

    init(_ question: Message, isStored: Bool, answer: UUID) {
      self.question = question
      self.isStored = isStored
      self.answer = answer
    }
  }

  private typealias Run = ScreenActions.Run

  private var talk: Owned<Talk>
  private let child: Child
  private let actions: ScreenActions
  private let service: any ConversationService
  private let now: @MainActor () -> Date
  private let makeID: @MainActor () -> UUID

  /// Creates the view model of a conversation about a child.
  ///
  /// - Parameters:
  ///   - child: The child, whose context is sent to the guide.
  ///   - conversationID: The conversation to continue; `nil` starts one with the first message.
  ///   - auth: The holder of the signed-in user.
  ///   - service: The service for conversations.
  ///   - now: The date of a message until the service has answered (default: the device's).
  ///   - makeID: The id of a new message or conversation.
  public init(
    child: Child, conversationID: UUID? = nil, auth: AuthViewModel, service: any ConversationService,
    now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @MainActor () -> UUID = { UUID() }
  ) {
    self.child = child
    self.service = service
    self.now = now
    self.makeID = makeID
    talk = Owned(Talk(conversationID: conversationID), empty: Talk(), auth: auth)
    actions = ScreenActions(auth: auth)
  }

  /// Sends the text in the field and shows the answer as it is received.
  ///
  /// During the call a second call has no effect, and the text in the field stays. After a message that was not sent,
  /// what has been written behind it stays too, for the next call.
  public func sendMessage() async {
    actions.abandonCancelled()
    let (unsent, text, rest) = talk.content.next
    // Seed 001 sends white space; a message in which nothing can be read has no answer.
    guard !Task.isCancelled, !isSending, !isLoading,
      !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty
    else { return }
    let id = unsent ?? makeID()
    let question = Message(
      id: id, conversationID: conversationID ?? talk.content.newID ?? id, role: .user, content: text,
      createdAt: now())
    guard let run = begin(Asking(question, isStored: false, answer: makeID())) else { return }
    var next = talk.content
    next.text = rest
    (next.unsent, next.unanswered) = (question, nil)
    next.messages.append(question)
    talk.content = next
    await actions.end(of: run)
  }

  /// Asks the last question again if it has no complete answer.
  ///
  /// The question is not stored twice: if only the end of its answer was lost, the stored answer is received.
  public func askAgain() async {
    actions.abandonCancelled()
    guard !Task.isCancelled, canAskAgain, let question = talk.content.unanswered else { return }
    await actions.end(of: begin(Asking(question, isStored: true, answer: makeID())))
  }

  /// Loads the history, which replaces the shown messages.
  ///
  /// It has no effect before a conversation is started, and while a message is being sent or the history is being
  /// loaded.
  public func loadHistory() async {
    actions.abandonCancelled()
    guard !isSending, !isLoading, let conversationID else { return }
    await actions.perform(.load) { [self] run throws(AppError) in
      _ = try await actions.user(of: run)
      let history = try await service.history(conversationID: conversationID)
      try run.check()
      var next = talk.content
      (next.messages, next.incomplete) = (history, [])
      // A question that was stored although its answer was lost must not be asked twice.
      if let unsent = next.unsent, history.contains(where: { $0.id == unsent.id }) {
        next.unsent = nil
        next.takeOut(unsent)
      }
      next.unanswered = history.last.flatMap { $0.role == .user ? $0 : nil }
      talk.content = next
    }
  }

  /// Removes the message, as the button of an alert does.
  public func dismissMessage() {
    actions.dismissMessages()
  }

  // MARK: - Asking

  private func begin(_ asking: Asking) -> Run? {
    actions.begin(.send, abandoned: { [self] in leave(asking, in: $0) }) { [self] run throws(AppError) in
      do throws(AppError) {
        _ = try await actions.user(of: run)
        let conversation = try await conversation(in: run)
        move(asking.question, to: conversation)
        let chunks = try await service.sendMessageStream(
          conversationID: conversation, messageID: asking.question.id, message: asking.question.content,
          childContext: ChildContext(child))
        try run.check()
        accept(asking)
        try await show(chunks, of: asking, in: run)
      } catch {
        if !run.isOver { leave(asking, in: run) }
        throw error
      }
    }
  }

  /// Returns the conversation's id, and starts a conversation if necessary.
  private func conversation(in run: Run) async throws(AppError) -> UUID {
    try run.check()
    if let conversationID { return conversationID }
    let id = talk.content.newID ?? makeID()
    talk.content.newID = id
    let started = try await service.startConversation(childID: child.id, id: id).id
    // A conversation that was started counts, even if the user no longer waits for it.
    guard actions.isCurrent(run.owner) else { throw .cancelled }
    talk.content.conversationID = started
    try run.check()
    return started
  }

  private func move(_ question: Message, to conversation: UUID) {
    guard question.conversationID != conversation,
      let place = talk.content.messages.firstIndex(where: { $0.id == question.id })
    else { return }
    talk.content.messages[place] = talk.content.messages[place].moved(to: conversation)
  }

  /// Notes that the service has stored the question and begins to answer.
  private func accept(_ asking: Asking) {
    asking.isStored = true
    var next = talk.content
    next.unsent = nil
    next.unanswered = asking.question
    // The new answer replaces what was received of an earlier one.
    if let place = next.messages.firstIndex(where: { $0.id == asking.question.id }) {
      for message in next.messages[(place + 1)...] { next.incomplete.remove(message.id) }
      next.messages.removeSubrange((place + 1)...)
    }
    talk.content = next
  }

  private func show(
    _ chunks: AsyncThrowingStream<MessageChunk, any Error>, of asking: Asking, in run: Run
  ) async throws(AppError) {
    do {
      for try await chunk in chunks {
        try run.check()
        append(chunk, to: asking.answer)
        // Seed 001 ignores this mark, so a dropped stream would count as a success.
        if chunk.isDone { return talk.content.unanswered = nil }
      }
      try run.check()
    } catch {
      throw error as? AppError ?? (error is CancellationError ? .cancelled : .unknown(error))
    }
    // The service throws when an answer is interrupted, so it violates its contract.
    throw .network(.connectionLost)
  }

  private func append(_ chunk: MessageChunk, to answer: UUID) {
    // Seed 001 keeps the sources of the first chunk only; a later one may name more.
    if let place = messages.firstIndex(where: { $0.id == answer }) {
      talk.content.messages[place].content += chunk.text
      talk.content.messages[place].sources += chunk.sources ?? []
    } else if !chunk.text.isEmpty || chunk.sources?.isEmpty == false {
      talk.content.messages.append(
        Message(
          id: answer, conversationID: conversationID ?? answer, role: .assistant, content: chunk.text,
          sources: chunk.sources ?? [], createdAt: now()))
    }
  }

  /// Ends a question that failed or was cancelled.
  ///
  /// The content is changed even if its user has been signed out, who may sign in again.
  private func leave(_ asking: Asking, in run: Run) {
    talk.update(of: run.owner) { talk in
      if asking.isStored {
        if talk.messages.contains(where: { $0.id == asking.answer }) { talk.incomplete.insert(asking.answer) }
      } else {
        talk.messages.removeAll { $0.id == asking.question.id }
        talk.putBack(asking.question)
      }
    }
  }
}

extension Message {
  /// The message in a conversation that was started after the message was shown.
  fileprivate func moved(to conversation: UUID) -> Message {
    Message(
      id: id, conversationID: conversation, role: role, content: content, sources: sources,
      createdAt: createdAt)
  }
}
