public import Foundation
public import Observation
public import SharedServices

/// The view model of a conversation with the guide, whose answers are streamed (seed 001, example 2).
///
/// Three rules define what stays on the screen after an error:
///
/// 1. The user's message is shown at once. It stays if the service has accepted it, that is, if the call returns. If
///    the call throws, the message is removed and its text returns to the field, unless the user has begun another one.
///    If only the response was lost, the service may have stored it; ``loadHistory()`` shows whether it did.
/// 2. An answer appears with its first visible text or source, so there is no empty answer. If the stream breaks, the
///    received part stays, because the user has read it, and is listed in ``incompleteAnswers``. The service does not
///    store it, unless the answer was complete there and only the end was lost.
/// 3. An answer is complete only when the service marks it as done. A stream that ends before that is an error.
///
/// Every action ends with ``isSending``, ``isStreaming`` and ``isLoading`` set to `false`. A cancelled send shows no
/// error.
@MainActor
@Observable
public final class LyraViewModel {
  /// The messages, oldest first.
  public private(set) var messages: [Message] = []

  /// The text in the field.
  public var messageText: String = ""

  /// Whether a message is being sent, or its answer received.
  public private(set) var isSending: Bool = false

  /// Whether an answer is being received.
  public private(set) var isStreaming: Bool = false

  /// Whether the history is being loaded.
  public private(set) var isLoading: Bool = false

  /// The message of the last error, for the user.
  public private(set) var errorMessage: String?

  /// The ids in ``messages`` of the answers that were interrupted.
  public private(set) var incompleteAnswers: Set<UUID> = []

  /// The conversation's id, once it is started.
  public private(set) var conversationID: UUID?

  private let child: Child
  private let service: any ConversationService
  private let now: @MainActor () -> Date
  private let makeID: @MainActor () -> UUID

  /// Creates the view model of a conversation about a child.
  ///
  /// - Parameters:
  ///   - child: The child, whose context is sent to the guide.
  ///   - conversationID: The conversation to continue; `nil` starts one with the first message.
  ///   - service: The service for conversations.
  ///   - now: The date of a message until the service has answered (default: the device's).
  ///   - makeID: The id of a message until the service has answered.
  public init(
    child: Child, conversationID: UUID? = nil, service: any ConversationService,
    now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @MainActor () -> UUID = { UUID() }
  ) {
    self.child = child
    self.conversationID = conversationID
    self.service = service
    self.now = now
    self.makeID = makeID
  }

  /// Sends the text in the field and shows the answer as it is received.
  ///
  /// During the call a second call has no effect, and the text in the field stays.
  public func sendMessage() async {
    let text = messageText
    guard !isSending, !isLoading, !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
      return
    }
    isSending = true
    isStreaming = true
    errorMessage = nil
    messageText = ""
    defer {
      isSending = false
      isStreaming = false
    }

    let question = makeID()
    let answer: AsyncThrowingStream<MessageChunk, any Error>
    do throws(AppError) {
      answer = try await ask(text, as: question)
    } catch {
      messages.removeAll { $0.id == question }
      if messageText.isEmpty { messageText = text }
      if error != .cancelled { errorMessage = "Failed to send message" }
      return
    }
    await show(answer)
  }

  /// Loads the history, which replaces the shown messages.
  ///
  /// It has no effect before a conversation is started, and while a message is being sent or the history is being
  /// loaded.
  public func loadHistory() async {
    guard !isSending, !isLoading, let conversationID else { return }
    isLoading = true
    errorMessage = nil
    defer { isLoading = false }
    do throws(AppError) {
      messages = try await service.history(conversationID: conversationID)
      incompleteAnswers = []
    } catch .cancelled {
    } catch {
      errorMessage = "Failed to load messages"
    }
  }

  private func ask(
    _ text: String, as question: UUID
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    let message = Message(
      id: question, conversationID: conversationID ?? question, role: .user, content: text, createdAt: now())
    messages.append(message)
    let conversation = try await conversation()
    if let place = messages.firstIndex(of: message) {
      messages[place] = message.moved(to: conversation)
    }
    return try await service.sendMessageStream(
      conversationID: conversation, message: text, childContext: ChildContext(child))
  }

  /// Returns the conversation's id, and starts a conversation if necessary.
  private func conversation() async throws(AppError) -> UUID {
    if let conversationID { return conversationID }
    let started = try await service.startConversation(childID: child.id).id
    conversationID = started
    return started
  }

  private func show(_ chunks: AsyncThrowingStream<MessageChunk, any Error>) async {
    let answer = makeID()
    do {
      for try await chunk in chunks {
        append(chunk, to: answer)
        if chunk.isDone { return }
      }
      // The service throws when an answer is interrupted, so the task was cancelled or the service violates its
      // contract.
      breakOff(answer, isCancelled: Task.isCancelled)
    } catch {
      breakOff(answer, isCancelled: error as? AppError == .cancelled || error is CancellationError)
    }
  }

  private func append(_ chunk: MessageChunk, to answer: UUID) {
    if let place = messages.firstIndex(where: { $0.id == answer }) {
      messages[place].content += chunk.text
      messages[place].sources += chunk.sources ?? []
    } else if !chunk.text.isEmpty || chunk.sources?.isEmpty == false {
      messages.append(
        Message(
          id: answer, conversationID: conversationID ?? answer, role: .assistant, content: chunk.text,
          sources: chunk.sources ?? [], createdAt: now()))
    }
  }

  private func breakOff(_ answer: UUID, isCancelled: Bool) {
    if messages.contains(where: { $0.id == answer }) { incompleteAnswers.insert(answer) }
    if !isCancelled { errorMessage = "The answer was interrupted. Please try again." }
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
