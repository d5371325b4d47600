import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Wrong services for conversations and for the changes of children.
@Suite(.stallLimit(), Effort.needsAll) struct ConversationExamTests {
  @Test(arguments: conversations)
  func aWrongConversationServiceFails(_ service: WrongService<any ConversationService>) async {
    await service.expectFailure(of: .conversationService)
  }

  @Test(arguments: realtime)
  func aWrongRealtimeServiceFails(_ service: WrongService<any RealtimeService>) async {
    await service.expectFailure(of: .realtimeService)
  }

  private static let conversations: [WrongService<any ConversationService>] = [
    WrongService(
      "trimmed-message", "White space around a message is not stored.", around: .inMemory
    ) { TrimmedMessage(base: $0) },
    WrongService(
      "eager-stream", "The answer is read from its source faster than its consumer reads it.",
      around: .inMemory
    ) { EagerStream(base: $0) },
    WrongService(
      "stale-history", "A history that was read while an answer was written stays without the answer.",
      around: .inMemory
    ) { StaleHistory(base: $0) },
    WrongService(
      "resent-message", "An answer that breaks before its first chunk is asked for again.", around: .inMemory
    ) { ResentMessage(base: $0) },
    WrongService(
      "one-conversation", "Every conversation about a child is the first one.", around: .inMemory
    ) { OneConversation(base: $0) },
    WrongService(
      "history-by-second",
      "Dates are decoded in whole seconds, and messages of one second sorted by their ids.", around: .inMemory
    ) { HistoryBySecond(base: $0) },
    WrongService(
      "silent-timeout", "A stream that stalls after its first chunk ends without an error.",
      around: .inMemory
    ) { SilentTimeout(base: $0) },
    WrongService(
      "titles-only", "The sources in the history have no addresses.", around: .inMemory
    ) { TitlesOnly(base: $0) },
    WrongService(
      "composed-message", "A message is stored in another Unicode form.", around: .inMemory
    ) { ComposedMessage(base: $0) },
    WrongService(
      "no-empty-message", "An empty message is not sent, and its answer is empty.", around: .inMemory
    ) { NoEmptyMessage(base: $0) },
  ]

  private static let realtime: [WrongService<any RealtimeService>] = [
    WrongService(
      "unchanged-updates", "An update that stores the same values is not delivered.", around: .inMemory
    ) { UnchangedUpdates(base: $0) },
    WrongService(
      "newest-changes", "A slow consumer receives the newest sixteen changes.", around: .inMemory
    ) { NewestChanges(base: $0) },
    WrongService(
      "late-subscription", "The subscription begins when the first change is read.", around: .inMemory
    ) { LateSubscription(base: $0) },
    WrongService(
      "unknown-deletions", "The deletion of a child that the stream has not delivered is not delivered.",
      around: .inMemory
    ) { UnknownDeletions(base: $0) },
    WrongService(
      "silent-sign-out", "The stream ends without an error when the session ends.", around: .inMemory
    ) { SilentSignOut(base: $0) },
    WrongService(
      "shared-subscription", "All callers share one stream.", around: .inMemory
    ) { SharedSubscription(base: $0) },
  ]
}

// MARK: - Conversations

private protocol ConversationWrapper: ConversationService {
  var base: any ConversationService { get }
}

extension ConversationWrapper {
  typealias Answer = AsyncThrowingStream<MessageChunk, any Error>

  func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    try await base.startConversation(childID: childID, id: id)
  }
  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try await base.history(conversationID: conversationID)
  }
  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
  }
}

private struct TrimmedMessage: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID,
      message: message.trimmingCharacters(in: .whitespacesAndNewlines),
      childContext: childContext)
  }
}

/// The usual bridge with a continuation, which has an unlimited buffer.
private struct EagerStream: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext
    ).buffered(.unbounded)
  }
}

/// Forgets a history when a message is sent, not when its answer is complete.
private struct StaleHistory: ConversationWrapper {
  let base: any ConversationService
  private let histories = Locked<[UUID: [Message]]>([:])

  init(base: any ConversationService) { self.base = base }

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    // Asked for its errors only.
    let current = try await base.history(conversationID: conversationID)
    return histories.withLock { histories in
      if let known = histories[conversationID] { return known }
      histories[conversationID] = current
      return current
    }
  }

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    let answer = try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
    histories.withLock { $0[conversationID] = nil }
    return answer
  }
}

private struct ResentMessage: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    let first = try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
    let state = Locked((answer: first, mayRetry: true))
    return AsyncThrowingStream { [base] in
      let (answer, mayRetry) = state.withLock { state in
        defer { state.mayRetry = false }
        return state
      }
      var iterator = answer.makeAsyncIterator()
      do {
        return try await iterator.next()
      } catch {
        guard mayRetry, error as? AppError == .network(.connectionLost) else { throw error }
        let second = try await base.sendMessageStream(
          conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
        state.withLock { $0.answer = second }
        iterator = second.makeAsyncIterator()
        return try await iterator.next()
      }
    }
  }
}

private struct OneConversation: ConversationWrapper {
  let base: any ConversationService
  private let conversations = Locked<[UUID: Conversation]>([:])

  init(base: any ConversationService) { self.base = base }

  func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    if let known = conversations.withLock({ $0[childID] }) { return known }
    let new = try await base.startConversation(childID: childID, id: id)
    conversations.withLock { $0[childID] = new }
    return new
  }
}

private struct HistoryBySecond: ConversationWrapper {
  let base: any ConversationService

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try await base.history(conversationID: conversationID).map { message in
      let seconds = message.createdAt.timeIntervalSinceReferenceDate.rounded(.down)
      return Message(
        id: message.id, conversationID: message.conversationID, role: message.role, content: message.content,
        sources: message.sources, createdAt: Date(timeIntervalSinceReferenceDate: seconds))
    }.sorted { ($0.createdAt, $0.id.uuidString) < ($1.createdAt, $1.id.uuidString) }
  }
}

private struct SilentTimeout: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    let answer = try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
    let hasBegun = Locked(false)
    return AsyncThrowingStream {
      var iterator = answer.makeAsyncIterator()
      do {
        let chunk = try await iterator.next()
        hasBegun.withLock { $0 = true }
        return chunk
      } catch {
        guard hasBegun.withLock({ $0 }), error as? AppError == .network(.timeout) else { throw error }
        return nil
      }
    }
  }
}

private struct TitlesOnly: ConversationWrapper {
  let base: any ConversationService

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try await base.history(conversationID: conversationID).map { message in
      var message = message
      message.sources = message.sources.map { Citation(title: $0.title) }
      return message
    }
  }
}

private struct ComposedMessage: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID,
      message: message.precomposedStringWithCanonicalMapping,
      childContext: childContext)
  }
}

private struct NoEmptyMessage: ConversationWrapper {
  let base: any ConversationService

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> Answer {
    if message.isEmpty { return Answer { $0.finish() } }
    return try await base.sendMessageStream(
      conversationID: conversationID, messageID: messageID, message: message, childContext: childContext)
  }
}

// MARK: - Changes

private typealias Changes = AsyncThrowingStream<ChildChange, any Error>

private struct UnchangedUpdates: RealtimeService {
  let base: any RealtimeService

  func childChanges() async throws(AppError) -> Changes {
    let known = Locked<[UUID: Child]>([:])
    return try await base.childChanges().compactMapped { change in
      switch change {
      case .inserted(let child):
        known.withLock { $0[child.id] = child }
        return change
      case .updated(let child):
        return known.withLock { known in
          let last = known.updateValue(child, forKey: child.id)
          return last.map { Self.values(of: $0) == Self.values(of: child) } == true ? nil : change
        }
      case .deleted: return change
      }
    }
  }

  private static func values(of child: Child) -> NewChild {
    NewChild(
      userID: child.userID, name: child.name, age: child.age, birthday: child.birthday, goals: child.goals,
      topics: child.topics, temperament: child.temperament, talkativeness: child.talkativeness,
      sensitivity: child.sensitivity, accountability: child.accountability)
  }
}

private struct NewestChanges: RealtimeService {
  let base: any RealtimeService

  func childChanges() async throws(AppError) -> Changes {
    try await base.childChanges().buffered(.bufferingNewest(16))
  }
}

private struct LateSubscription: RealtimeService {
  let base: any RealtimeService

  func childChanges() async throws(AppError) -> Changes {
    // Only for its errors.
    _ = try await base.childChanges()
    let changes = Locked<Changes?>(nil)
    return AsyncThrowingStream { [base] in
      var current = changes.withLock { $0 }
      if current == nil {
        current = try await base.childChanges()
        changes.withLock { [current] in $0 = current }
      }
      var iterator = current?.makeAsyncIterator()
      return try await iterator?.next()
    }
  }
}

private struct UnknownDeletions: RealtimeService {
  let base: any RealtimeService

  func childChanges() async throws(AppError) -> Changes {
    let known = Locked<Set<UUID>>([])
    return try await base.childChanges().compactMapped { change in
      switch change {
      case .inserted(let child), .updated(let child):
        known.withLock { _ = $0.insert(child.id) }
        return change
      case .deleted(let id): return known.withLock { $0.contains(id) } ? change : nil
      }
    }
  }
}

private struct SilentSignOut: RealtimeService {
  let base: any RealtimeService

  func childChanges() async throws(AppError) -> Changes {
    let changes = try await base.childChanges()
    return AsyncThrowingStream {
      var iterator = changes.makeAsyncIterator()
      do {
        return try await iterator.next()
      } catch {
        guard error as? AppError == .network(.unauthorized) else { throw error }
        return nil
      }
    }
  }
}

private struct SharedSubscription: RealtimeService {
  let base: any RealtimeService
  private let shared = Locked<Changes?>(nil)

  init(base: any RealtimeService) { self.base = base }

  func childChanges() async throws(AppError) -> Changes {
    if let changes = shared.withLock({ $0 }) { return changes }
    let changes = try await base.childChanges()
    shared.withLock { $0 = changes }
    return changes
  }
}
