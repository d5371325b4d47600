import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy

extension WrongConversationService {
  /// Returns an answer with the mistake.
  func wrong(_ stream: Chunks) async -> Chunks {
    switch mistake {
    case .waitsForTheWholeAnswer, .readsAhead, .forgetsWhatCame: return await collected(stream)
    case .endsEarlierAnswers:
      let number = memory.withLock { memory in
        memory.answers += 1
        return memory.answers
      }
      return AsyncThrowingStream { [memory] in
        if memory.withLock({ $0.answers }) > number { return nil }
        return try await stream.next()
      }
    case .endsAnswersWithItsSession:
      let user = backend.auth.userID
      return AsyncThrowingStream { [backend] in
        guard backend.auth.userID == user else { throw AppError.network(.unauthorized) }
        return try await stream.next()
      }
    case .buffersForCancelledReaders:
      let (buffered, buffer) = Chunks.makeStream()
      do {
        while let chunk = try await stream.next() { buffer.yield(chunk) }
        buffer.finish()
      } catch {
        buffer.finish(throwing: error)
      }
      return buffered
    case .goesOnAfterDone:
      let isOver = Locked(false)
      return AsyncThrowingStream {
        if let chunk = try await stream.next() { return chunk }
        return isOver.withLock { isOver in
          defer { isOver = true }
          return isOver ? nil : MessageChunk(text: " And another thing.")
        }
      }
    case .keepsItsConnection:
      memory.withLock { $0.lastStream = stream }
      let isOver = Locked(false)
      return AsyncThrowingStream {
        guard !isOver.withLock({ $0 }), let chunk = try await stream.next() else { return nil }
        guard chunk.text.trimmingCharacters(in: .whitespaces).hasSuffix(".") else { return chunk }
        isOver.withLock { $0 = true }
        return MessageChunk(text: chunk.text, sources: chunk.sources, isDone: true)
      }
    case .mixesAnswers:
      memory.withLock { $0.lastStream = stream }
      return AsyncThrowingStream { [memory] in try await memory.withLock { $0.lastStream }?.next() }
    case .staysBroken:
      return AsyncThrowingStream { [memory] in
        if memory.withLock({ $0.isBroken }) { throw AppError.network(.connectionLost) }
        do {
          return try await stream.next()
        } catch {
          memory.withLock { $0.isBroken = true }
          throw error
        }
      }
    case .failsAgain:
      let failure = Locked<(any Error)?>(nil)
      return AsyncThrowingStream {
        if let failure = failure.withLock({ $0 }) { throw failure }
        do {
          return try await stream.next()
        } catch {
          failure.withLock { $0 = error }
          throw error
        }
      }
    case .skipsEmptyChunks:
      return AsyncThrowingStream {
        while let chunk = try await stream.next() {
          if !chunk.text.isEmpty { return chunk }
        }
        return nil
      }
    default:
      return AsyncThrowingStream {
        do {
          return try await stream.next().map(changed)
        } catch AppError.cancelled where mistake == .hidesCancellation {
          return nil
        }
      }
    }
  }

  private func changed(_ chunk: MessageChunk) -> MessageChunk {
    guard mistake == .streamsBytesAsTheyCome else { return chunk }
    return MessageChunk(
      text: chunk.text.utf8.map { String(decoding: [$0], as: UTF8.self) }.joined(), sources: chunk.sources,
      isDone: chunk.isDone)
  }

  /// Reads the whole answer at once, before the consumer requests it.
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
  /// Returns the next element; the iterators of one stream share its state.
  func next() async throws -> Element? {
    var iterator = makeAsyncIterator()
    return try await iterator.next()
  }
}
