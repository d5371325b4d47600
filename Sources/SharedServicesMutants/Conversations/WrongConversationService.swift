import Foundation
import SharedServices
import UnderstudyPrimitives

/// A conversation service that is right but for one thing.
struct WrongConversationService: ConversationService {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case startsForAnyChild
    case tellsNewestFirst
    case repeatsMessages
    case waitsForTheWholeAnswer
    case losesSources
    case trimsText
    case streamsBytesAsTheyCome
    case goesOnAfterDone
    case readsAhead
    case takesLossForSuccess
    case forgetsWhatCame
    case takesSilenceForLoss
    case failsAgain
    case emptyWhenSignedOut
    case failsInTheStream
    case repeatsLostMessages
    case hidesCancellation
  }

  typealias Chunks = AsyncThrowingStream<MessageChunk, any Error>

  let base: any ConversationService
  let mistake: Mistake

  func startConversation(childID: UUID) async throws(AppError) -> Conversation {
    do throws(AppError) {
      return try await base.startConversation(childID: childID)
    } catch .network(.notFound) where mistake == .startsForAnyChild {
      return Conversation(id: UUID(), userID: UUID(), childID: childID, createdAt: Date())
    }
  }

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    do throws(AppError) {
      let messages = try await base.history(conversationID: conversationID)
      return mistake == .tellsNewestFirst ? messages.reversed() : messages
    } catch .authentication(.notSignedIn) where mistake == .emptyWhenSignedOut {
      return []
    }
  }

  func sendMessageStream(
    conversationID: UUID, message: String, childContext: ChildContext
  ) async throws(AppError) -> Chunks {
    func send() async throws(AppError) -> Chunks {
      try await base.sendMessageStream(
        conversationID: conversationID, message: message, childContext: childContext)
    }
    if mistake == .repeatsMessages { _ = try await send() }
    do throws(AppError) {
      return await wrong(try await send())
    } catch .network(.connectionLost) where mistake == .repeatsLostMessages {
      _ = try? await send()
      throw .network(.connectionLost)
    } catch  where mistake == .failsInTheStream {
      return AsyncThrowingStream { throw error }
    }
  }

  private func wrong(_ stream: Chunks) async -> Chunks {
    switch mistake {
    case .waitsForTheWholeAnswer, .readsAhead, .forgetsWhatCame, .failsAgain: return await collected(stream)
    case .goesOnAfterDone:
      let isOver = Locked(false)
      return AsyncThrowingStream {
        if let chunk = try await stream.next() { return chunk }
        return isOver.withLock { isOver in
          defer { isOver = true }
          return isOver ? nil : MessageChunk(text: " And another thing.")
        }
      }
    default:
      return AsyncThrowingStream {
        do {
          return try await stream.next().map(changed)
        } catch AppError.network(.connectionLost) where mistake == .takesLossForSuccess {
          return nil
        } catch AppError.network(.timeout) where mistake == .takesSilenceForLoss {
          throw AppError.network(.connectionLost)
        } catch AppError.cancelled where mistake == .hidesCancellation {
          return nil
        }
      }
    }
  }

  private func changed(_ chunk: MessageChunk) -> MessageChunk {
    switch mistake {
    case .losesSources: MessageChunk(text: chunk.text, isDone: chunk.isDone)
    case .trimsText:
      MessageChunk(
        text: chunk.text.trimmingCharacters(in: .whitespaces), sources: chunk.sources, isDone: chunk.isDone)
    case .streamsBytesAsTheyCome:
      MessageChunk(
        text: chunk.text.utf8.map { String(decoding: [$0], as: UTF8.self) }.joined(), sources: chunk.sources,
        isDone: chunk.isDone)
    default: chunk
    }
  }

  /// Everything is read at once, before anybody asks for it.
  private func collected(_ stream: Chunks) async -> Chunks {
    var (chunks, failure) = ([MessageChunk](), (any Error)?.none)
    do {
      for try await chunk in stream { chunks.append(chunk) }
    } catch {
      failure = error
    }
    if mistake == .forgetsWhatCame, failure != nil { chunks = [] }
    if mistake == .waitsForTheWholeAnswer {
      chunks = [
        MessageChunk(
          text: chunks.map(\.text).joined(), sources: chunks.flatMap { $0.sources ?? [] }, isDone: true)
      ]
    }
    let rest = Locked(chunks[...])
    return AsyncThrowingStream { [failure] in
      if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
      if let failure { throw failure }
      return nil
    }
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// The next element; the iterators of one stream share its state.
  func next() async throws -> Element? {
    var iterator = makeAsyncIterator()
    return try await iterator.next()
  }
}
