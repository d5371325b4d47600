public import Foundation
public import SharedServices
import Understudy

/// The conversations of the user who is signed in on a device, in memory, with a writer that replaces the guide.
///
/// Only the writer suspends: any other call in a cancelled task changes nothing, or runs to its end.
public struct InMemoryConversationService: ConversationService {
  private let auth: InMemoryAuthService
  private let writer: ReplyWriter
  /// The longest silence of the writer.
  private static let timeout: Duration = .seconds(30)

  package init(_ auth: InMemoryAuthService, writer: ReplyWriter) {
    (self.auth, self.writer) = (auth, writer)
  }

  /// Starts a conversation about a child of the user; see `ConversationService`.
  public func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    try auth.perform { (state, user, now) throws(AppError) in
      try state.startConversation(about: childID, by: user, under: id, now)
    }
  }

  /// Returns the messages of a conversation, oldest first; see `ConversationService`.
  public func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try auth.perform { (state, user, _) throws(AppError) in
      state.conversations[conversationID]?.userID == user ? state.messages[conversationID] ?? [] : []
    }
  }

  /// Stores the user's message and streams the writer's answer; see `ConversationService`.
  ///
  /// A consumer whose task is cancelled while it waits receives `.cancelled`. One that was cancelled before receives the
  /// end, as from every `AsyncThrowingStream`: look for `isDone`.
  public func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    let question = try auth.perform { (state, user, now) throws(AppError) in
      guard let conversation = state.conversations[conversationID], conversation.userID == user else {
        throw .network(.notFound)
      }
      return try state.ask(message, under: messageID, in: conversation, now)
    }
    let reply =
      question.answer.map { Reply(repeating: $0) }
      ?? writer.reply(
        to: message, after: question.history, about: childContext, remembering: question.memory)
    let answer = StoredAnswer(
      reply, in: question.answer == nil ? conversationID : nil, of: auth.backend)
    return AsyncThrowingStream { [time = auth.backend.time] in
      do {
        try Task.checkCancellation()
        let chunk = try await time.withTimeout(Self.timeout) { try await answer.next() }
        // The writer may have ignored the cancellation.
        try Task.checkCancellation()
        return chunk
      } catch {
        throw AppError(interrupting: error)
      }
    }
  }
}

extension InMemoryBackend.State {
  /// Stores a conversation on behalf of a user.
  mutating func startConversation(
    about child: UUID, by user: UUID, under id: UUID?, _ now: Date
  ) throws(AppError) -> Conversation {
    guard children[child]?.userID == user else { throw .network(.notFound) }
    if let id, let stored = conversations[id] {
      guard stored.userID == user, stored.childID == child else { throw .network(.conflict) }
      return stored
    }
    let conversation = Conversation(
      id: id ?? newID(), userID: user, childID: child, createdAt: newDate(now))
    conversations[conversation.id] = conversation
    return conversation
  }

  /// What the writer receives, or the answer that it has already written.
  fileprivate struct Question: Sendable {
    var answer: Message?
    var history: [Message]
    var memory: String?
  }

  /// Stores the user's message, unless it is stored under its id.
  fileprivate mutating func ask(
    _ text: String, under id: UUID?, in conversation: Conversation, _ now: Date
  ) throws(AppError) -> Question {
    var question = Question(
      history: messages[conversation.id] ?? [], memory: memories[conversation.childID])
    if let id, messageIDs.contains(id) {
      let place = question.history.firstIndex {
        $0.id == id && $0.role == .user && $0.content.exactly == text.exactly
      }
      guard let place else { throw .network(.conflict) }
      let rest = question.history[place...].dropFirst()
      question.answer = rest.first?.role == .assistant ? rest.first : nil
      question.history.removeSubrange(place...)
      return question
    }
    // No column can hold it.
    guard !text.utf8.contains(0) else { throw .validation(.malformed(field: nil)) }
    store(text, by: .user, under: id, in: conversation.id, now)
    return question
  }

  mutating func store(
    _ text: String, by role: Message.Role, under id: UUID? = nil, sources: [Citation] = [],
    in conversation: UUID, _ now: Date
  ) {
    let message = Message(
      id: id ?? newID(), conversationID: conversation, role: role, content: text, sources: sources,
      createdAt: newDate(now))
    messageIDs.insert(message.id)
    messages[conversation, default: []].append(message)
  }
}

/// An answer in progress, which is stored when it is complete.
private final class StoredAnswer: Sendable {
  private struct State: Sendable {
    /// `nil` once the answer has ended, to release the writer's resources.
    var reply: Reply?
    var text = ""
    var sources: [Citation] = []
  }

  private let state: Locked<State>
  /// The conversation to store it in; `nil` for an answer that is already stored.
  private let conversation: UUID?
  private let backend: InMemoryBackend

  init(_ reply: Reply, in conversation: UUID?, of backend: InMemoryBackend) {
    state = Locked(State(reply: reply))
    (self.conversation, self.backend) = (conversation, backend)
  }

  /// Returns the next chunk; `nil` after the last one, and after an error.
  func next() async throws -> MessageChunk? {
    guard let reply = state.withLock({ $0.reply }) else { return nil }
    do {
      // An answer that ends before it is done was interrupted.
      guard let chunk = try await reply.next() else { throw AppError.network(.connectionLost) }
      let (text, sources) = state.withLock { state in
        state.text += chunk.text
        state.sources += chunk.sources ?? []
        return (state.text, state.sources)
      }
      if chunk.isDone {
        // Stored first, so that a client that receives the last chunk finds the message.
        try store(text, sources)
        state.withLock { $0.reply = nil }
      }
      return chunk
    } catch {
      state.withLock { $0.reply = nil }
      throw error
    }
  }

  private func store(_ text: String, _ sources: [Citation]) throws(AppError) {
    guard let conversation else { return }
    let now = backend.time.now
    try backend.state.withLock { (state) throws(AppError) in
      // The conversation may have been removed with its child.
      guard !state.isFailing, state.conversations[conversation] != nil, !text.utf8.contains(0) else {
        throw .network(.connectionLost)
      }
      state.store(text, by: .assistant, sources: sources, in: conversation, now)
    }
  }
}

extension AppError {
  /// The app's error for an answer that was interrupted.
  fileprivate init(interrupting error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case _ where Task.isCancelled: self = .cancelled
    case let error as AppError: self = error
    case is TimeoutError: self = .network(.timeout)
    default: self = .network(.connectionLost)
    }
  }
}
