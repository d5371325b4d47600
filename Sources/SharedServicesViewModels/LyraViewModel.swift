public import Foundation
public import Observation
public import SharedServices

/// A conversation with the guide, whose answers are streamed (seed 001, example 2).
///
/// Three rules say what stays on the screen when something fails:
///
/// 1. What the user said is shown at once. It stays exactly if the service says that it took it, which is when the
///    call returns; if the call throws, it goes, and its text is back in the field, unless the user has begun
///    another. The service has it all the same where only its word was lost; ``loadHistory()`` tells.
/// 2. An answer gets a bubble with its first visible text or source, so an empty one never has one. If the stream
///    breaks, what has arrived stays, for it has been read, and counts as ``incompleteAnswers``. The service keeps
///    none of it, unless it was complete there and only the news of that was lost.
/// 3. An answer is complete when the service says so, and only then. A stream that ends without it is an error.
///
/// Whatever happens, ``isSending``, ``isStreaming`` and ``isLoading`` end up off. A cancelled send shows no error.
@MainActor
@Observable
public final class LyraViewModel {
  /// What was said, the oldest first.
  public private(set) var messages: [Message] = []

  /// What is written in the field.
  public var messageText: String = ""

  /// Whether a message is on its way, or its answer.
  public private(set) var isSending: Bool = false

  /// Whether an answer may still grow.
  public private(set) var isStreaming: Bool = false

  /// Whether what was said before is being loaded.
  public private(set) var isLoading: Bool = false

  /// What went wrong last, for the user.
  public private(set) var errorMessage: String?

  /// The answers that broke off, by their ids in ``messages``.
  public private(set) var incompleteAnswers: Set<UUID> = []

  /// The conversation, once there is one.
  public private(set) var conversationID: UUID?

  private let child: Child
  private let service: any ConversationService
  private let now: @MainActor () -> Date
  private let makeID: @MainActor () -> UUID

  /// A conversation about a child.
  ///
  /// - Parameters:
  ///   - child: The child, which the guide is told of.
  ///   - conversationID: The conversation to go on with; `nil` starts one with the first message.
  ///   - service: Where it is held.
  ///   - now: The date of a message until the service has answered; the device's unless said otherwise.
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

  /// Says what is written in the field, and shows the answer as it comes.
  ///
  /// While one message is under way a second call does nothing, and what is written stays in the field.
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

  /// Shows what was said before, in place of what is shown.
  ///
  /// Does nothing before there is a conversation, and while a message or another load is under way.
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

  /// The conversation, started if there is none yet.
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
      // The service throws when an answer breaks off, so only a cancelled task or a service that lies gets here.
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
  /// The same message in a conversation that was not there yet when it was said.
  fileprivate func moved(to conversation: UUID) -> Message {
    Message(
      id: id, conversationID: conversation, role: role, content: content, sources: sources,
      createdAt: createdAt)
  }
}
