import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy

/// A conversation service with one mistake.
struct WrongConversationService: ConversationService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case greets
    case tellsAllConversations
    case findsNoOtherHistories
    case repeatsMessages
    case sendsNoEmptyMessages
    case answersWithoutAConversation
    case waitsForTheWholeAnswer
    case skipsEmptyChunks
    case streamsBytesAsTheyCome
    case goesOnAfterDone
    case keepsItsConnection
    case mixesAnswers
    case readsAhead
    case forgetsWhatCame
    case failsAgain
    case staysBroken
    case givesUpOnAnExpiredToken
    case failsInTheStream
    case hidesTheDelay
    case hidesCancellation
    case remembersHistories
    case sendsLater
    case roundsDates
    case tellsOnePage
    case cutsLongMessages
    case endsEarlierAnswers
    case endsSessionAfterTimeouts
    case endsSessionWhenLimited
    case buffersForCancelledReaders
    case hidesSystemMessages
    case endsAnswersWithItsSession
    case repeatsUnansweredMessages
    case ignoresMessageIDs
    case refusesRepetitions
    case repeatsNoAnswers
    case storesOtherWordsUnderOtherIDs
    case ignoresNormalForms
    case startsUnderOtherIDs
  }

  typealias Chunks = AsyncThrowingStream<MessageChunk, any Error>

  /// The state that a mistake keeps between calls.
  struct Memory {
    var conversations: [UUID] = []
    var lastStream: Chunks?
    var isBroken = false
    var histories: [UUID: [Message]] = [:]
    var unsent: [(id: UUID, message: String, context: ChildContext)] = []
    var answers = 0
    var messageIDs: Set<UUID> = []
  }

  let base: any ConversationService
  let backend: InMemorySharedServices
  let mistake: Mistake
  let memory: Locked<Memory> = Locked(Memory())

  func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    do throws(AppError) {
      let conversation = try await perform { () async throws(AppError) in
        try await base.startConversation(childID: childID, id: id)
      }
      memory.withLock { $0.conversations.append(conversation.id) }
      return conversation
    } catch .network(.conflict) where mistake == .startsUnderOtherIDs {
      return try await base.startConversation(childID: childID, id: nil)
    }
  }

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    let known = memory.withLock { $0.conversations }
    let messages = try await perform { () async throws(AppError) in
      try await base.history(conversationID: conversationID)
    }
    switch mistake {
    case .greets where messages.isEmpty: return [.greeting(in: conversationID)]
    case .findsNoOtherHistories where !known.contains(conversationID): throw .network(.notFound)
    case .tellsAllConversations:
      var all: [Message] = []
      for id in known { all += try await base.history(conversationID: id) }
      return all
    case .remembersHistories:
      return memory.withLock { memory in
        if !messages.isEmpty { memory.histories[conversationID] = messages }
        return memory.histories[conversationID] ?? []
      }
    case .hidesSystemMessages: return messages.filter { $0.role != .system }
    case .tellsOnePage: return Array(messages.prefix(20))
    case .roundsDates: return messages.map(\.withMilliseconds)
    default: return messages
    }
  }

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Chunks {
    let message = mistake == .cutsLongMessages ? String(message.prefix(8_000)) : message
    let isRepeated = messageID.map { id in !memory.withLock { $0.messageIDs.insert(id).inserted } } ?? false
    if mistake == .refusesRepetitions, isRepeated { throw .network(.conflict) }
    let messageID = mistake == .ignoresMessageIDs ? nil : messageID
    func send() async throws(AppError) -> Chunks {
      try await perform { () async throws(AppError) in
        try await base.sendMessageStream(
          conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
      }
    }
    if mistake == .repeatsNoAnswers, isRepeated,
      try await base.history(conversationID: conversationID).count > 1
    {
      return AsyncThrowingStream { continuation in
        continuation.yield(MessageChunk(text: "", isDone: true))
        continuation.finish()
      }
    }
    if mistake == .sendsNoEmptyMessages, message.isEmpty { return AsyncThrowingStream { nil } }
    if mistake == .repeatsMessages { _ = try await send() }
    do throws(AppError) {
      let stream = await wrong(try await send())
      guard mistake == .repeatsUnansweredMessages else { return stream }
      let isAnswered = Locked(false)
      return AsyncThrowingStream { [base] in
        do {
          let chunk = try await stream.next()
          isAnswered.withLock { $0 = true }
          return chunk
        } catch AppError.network(.connectionLost) where !isAnswered.withLock({ $0 }) {
          _ = try await base.sendMessageStream(
            conversationID: conversationID, messageID: messageID, message: message, childContext: childContext
          )
          throw AppError.network(.connectionLost)
        }
      }
    } catch .network(.noConnection) where mistake == .sendsLater {
      memory.withLock { $0.unsent.append((conversationID, message, childContext)) }
      throw .network(.noConnection)
    } catch .network(.conflict) where mistake == .storesOtherWordsUnderOtherIDs {
      return try await base.sendMessageStream(
        conversationID: conversationID, message: message, childContext: childContext)
    } catch .network(.conflict) where mistake == .ignoresNormalForms {
      let history = try await base.history(conversationID: conversationID)
      guard let stored = history.first(where: { $0.id == messageID && $0.content == message }) else {
        throw .network(.conflict)
      }
      return try await base.sendMessageStream(
        conversationID: conversationID, messageID: messageID, message: stored.content,
        childContext: childContext)
    } catch .network(.notFound) where mistake == .answersWithoutAConversation {
      return AsyncThrowingStream { nil }
    } catch  where mistake == .failsInTheStream {
      return AsyncThrowingStream { throw error }
    }
  }

  /// Performs a call, with the mistakes that apply to every call.
  private func perform<Value>(
    _ call: () async throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    let exchanges = backend.exchangeCount
    let value: Value
    do throws(AppError) {
      value = try await call()
    } catch {
      switch (error, mistake) {
      case (.network(.timeout), .endsSessionAfterTimeouts), (.network(.rateLimited), .endsSessionWhenLimited):
        try? await backend.auth.signOut()
      default: break
      }
      throw mistake == .hidesTheDelay ? error.withoutDelay : error
    }
    for late in memory.withLock({ memory in
      defer { memory.unsent = [] }
      return memory.unsent
    }) {
      _ = try? await base.sendMessageStream(
        conversationID: late.id, message: late.message, childContext: late.context)
    }
    if mistake == .givesUpOnAnExpiredToken, backend.exchangeCount > exchanges {
      throw .network(.unauthorized)
    }
    return value
  }
}

extension Message {
  /// The same message with a date of whole milliseconds.
  fileprivate var withMilliseconds: Message {
    let milliseconds = (createdAt.timeIntervalSinceReferenceDate * 1_000).rounded(.down)
    return Message(
      id: id, conversationID: conversationID, role: role, content: content, sources: sources,
      createdAt: Date(timeIntervalSinceReferenceDate: milliseconds / 1_000))
  }

  fileprivate static func greeting(in conversationID: UUID) -> Message {
    Message(
      id: conversationID, conversationID: conversationID, role: .assistant, content: "Welcome!",
      createdAt: Date(timeIntervalSince1970: 0))
  }
}
