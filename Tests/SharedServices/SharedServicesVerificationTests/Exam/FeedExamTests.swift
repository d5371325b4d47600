import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Wrong services for the messages of a session.
@Suite(.stallLimit(), Effort.needsAll) struct FeedExamTests {
  @Test(arguments: histories)
  func aWrongHistoryFails(_ service: WrongService<any MessageHistoryService>) async {
    await service.expectFailure(of: .messageHistory)
  }

  @Test(arguments: streams) func aWrongStreamFails(_ service: WrongService<any MessageStreamService>) async {
    await service.expectFailure(of: .messageStream)
  }

  @Test(arguments: normalizers)
  func aWrongNormalizerFails(_ service: WrongService<any MessageNormalizing>) async {
    await service.expectFailure(of: .messageNormalizer)
  }

  private static let histories: [WrongService<any MessageHistoryService>] = [
    WrongService(
      "composed-content", "The content is in another Unicode form than the stored one.", around: .inMemory
    ) { ComposedContent(base: $0) },
    WrongService(
      "cached-pages", "A page that is followed by others is cached.", around: .inMemory
    ) { CachedPages(base: $0) },
    WrongService(
      "full-page", "A full page is followed by another page.", around: .inMemory
    ) { FullPage(base: $0) },
    WrongService(
      "empty-cursor", "An empty cursor is the beginning.", around: .inMemory
    ) { EmptyCursor(base: $0) },
    WrongService(
      "unknown-cursor", "A cursor that has expired is reported as unknown.", around: .inMemory
    ) { UnknownCursor(base: $0) },
    WrongService(
      "clamped-limit", "A limit above a hundred is a hundred.", around: .inMemory
    ) { ClampedLimit(base: $0) },
    WrongService(
      "known-roles", "Messages of unknown roles are not in the pages.", around: .inMemory
    ) { KnownRoles(base: $0) },
    WrongService(
      "first-previous", "The first page is the previous page of every page.", around: .inMemory
    ) { FirstPrevious(base: $0) },
  ]

  private static let streams: [WrongService<any MessageStreamService>] = [
    WrongService(
      "no-abandoned-answers", "An abandoned answer is not reported.", around: .inMemory
    ) { NoAbandonedAnswers(base: $0) },
    WrongService(
      "silent-failure", "A stream that gives up ends without an error.", around: .inMemory
    ) { SilentFailure(base: $0) },
    WrongService(
      "stops", "The stream ends when the assistant stops.", around: .inMemory
    ) { Stops(base: $0) },
    WrongService(
      "no-unknown-types", "Messages of an unknown type are not delivered.", around: .inMemory
    ) { NoUnknownTypes(base: $0) },
    WrongService(
      "repeats",
      "After a lost connection, the messages from the beginning of the stream are delivered again.",
      around: .inMemory
    ) { Repeats(base: $0) },
    WrongService(
      "missed-for-reset", "Messages that replace the delivered ones are reported as missed.",
      around: .inMemory
    ) { MissedForReset(base: $0) },
    WrongService(
      "connected-once", "Only the first connection is reported.", around: .inMemory
    ) { ConnectedOnce(base: $0) },
    WrongService(
      "once-per-id", "A message is not delivered after its parts.", around: .inMemory
    ) { OncePerID(base: $0) },
    WrongService(
      "empty-start", "An empty id is the beginning.", around: .inMemory
    ) { EmptyStart(base: $0) },
  ]

  private static let normalizers: [WrongService<any MessageNormalizing>] = [
    WrongService(
      "milliseconds", "A time is cut off after its milliseconds.", around: .standard
    ) { Milliseconds(base: $0) },
    WrongService(
      "first-warning", "Only the first warning is reported.", around: .standard
    ) { FirstWarning(base: $0) },
    WrongService(
      "trimmed-deltas", "White space around a part of an answer is lost.", around: .standard
    ) { TrimmedDeltas(base: $0) },
    WrongService(
      "any-case", "A role is accepted in any case.", around: .standard
    ) { AnyCase(base: $0) },
    WrongService(
      "no-zero", "A number of tokens or seconds of zero is missing.", around: .standard
    ) { NoZero(base: $0) },
    WrongService(
      "tool-content", "The content of a tool's result is its output, also on a page.", around: .standard
    ) { ToolContent(base: $0) },
    WrongService(
      "empty-is-missing", "An empty path or output is missing.", around: .standard
    ) { EmptyIsMissing(base: $0) },
    WrongService(
      "new-id", "A message without an id gets one.", around: .standard
    ) { NewID(base: $0) },
  ]
}

// MARK: - Histories

private struct ComposedContent: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    var page = try await base.page(of: sessionID, after: cursor, limit: limit)
    for place in page.messages.indices {
      page.messages[place].content = page.messages[place].content.precomposedStringWithCanonicalMapping
    }
    return page
  }
}

private struct CachedPages: MessageHistoryService {
  private struct Key: Hashable {
    let sessionID: String
    let cursor: String?
    let limit: Int
  }

  let base: any MessageHistoryService
  private let pages = Locked<[Key: MessagePage]>([:])

  init(base: any MessageHistoryService) { self.base = base }

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    if Task.isCancelled { throw .cancelled }
    let key = Key(sessionID: sessionID, cursor: cursor, limit: limit)
    if let page = pages.withLock({ $0[key] }) { return page }
    let page = try await base.page(of: sessionID, after: cursor, limit: limit)
    if page.pagination.hasMore { pages.withLock { $0[key] = page } }
    return page
  }
}

private struct FullPage: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    var page = try await base.page(of: sessionID, after: cursor, limit: limit)
    page.pagination.hasMore = page.messages.count == limit
    if page.pagination.hasMore, page.pagination.nextCursor == nil {
      page.pagination.nextCursor = page.messages.last?.id
    }
    return page
  }
}

private struct EmptyCursor: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    try await base.page(of: sessionID, after: cursor == "" ? nil : cursor, limit: limit)
  }
}

private struct UnknownCursor: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    do throws(AppError) {
      return try await base.page(of: sessionID, after: cursor, limit: limit)
    } catch {
      throw error == .feed(.cursorExpired) ? .feed(.cursorNotFound) : error
    }
  }
}

private struct ClampedLimit: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    try await base.page(of: sessionID, after: cursor, limit: min(limit, 100))
  }
}

private struct KnownRoles: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    var page = try await base.page(of: sessionID, after: cursor, limit: limit)
    page.messages.removeAll { ChatMessage.Role(rawValue: $0.role) == nil }
    return page
  }
}

private struct FirstPrevious: MessageHistoryService {
  let base: any MessageHistoryService

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    var page = try await base.page(of: sessionID, after: cursor, limit: limit)
    page.pagination.prevCursor = nil
    return page
  }
}

// MARK: - Streams

private typealias Updates = AsyncThrowingStream<FeedUpdate, any Error>

private struct NoAbandonedAnswers: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    try await base.updates(of: sessionID, after: messageID).compactMapped { update in
      if case .abandoned = update { nil } else { update }
    }
  }
}

private struct SilentFailure: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    let updates = try await base.updates(of: sessionID, after: messageID)
    return AsyncThrowingStream {
      var iterator = updates.makeAsyncIterator()
      do {
        return try await iterator.next()
      } catch {
        if error as? AppError == .cancelled { throw error }
        return nil
      }
    }
  }
}

private struct Stops: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    let updates = try await base.updates(of: sessionID, after: messageID)
    let hasStopped = Locked(false)
    return AsyncThrowingStream {
      if hasStopped.withLock({ $0 }) { return nil }
      var iterator = updates.makeAsyncIterator()
      let update = try await iterator.next()
      if case .event(.control(.stopped)) = update { hasStopped.withLock { $0 = true } }
      return update
    }
  }
}

private struct NoUnknownTypes: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    try await base.updates(of: sessionID, after: messageID).compactMapped { update in
      guard case .event(.message(let message)) = update, case .unknown = message.content else {
        return update
      }
      return nil
    }
  }
}

private struct Repeats: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    let current = Locked<Updates?>(try await base.updates(of: sessionID, after: messageID))
    return AsyncThrowingStream { [base] in
      var updates = current.withLock { $0 }
      if updates == nil {
        updates = try await base.updates(of: sessionID, after: messageID)
        current.withLock { [updates] in $0 = updates }
      }
      var iterator = updates?.makeAsyncIterator()
      let update = try await iterator?.next()
      if update == .reconnecting { current.withLock { $0 = nil } }
      return update
    }
  }
}

private struct MissedForReset: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    try await base.updates(of: sessionID, after: messageID).compactMapped { update in
      if case .reset(let messages) = update { .missed(messages) } else { update }
    }
  }
}

private struct ConnectedOnce: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    let isConnected = Locked(false)
    return try await base.updates(of: sessionID, after: messageID).compactMapped { update in
      guard update == .connected else { return update }
      return isConnected.withLock { isConnected in
        defer { isConnected = true }
        return isConnected ? nil : update
      }
    }
  }
}

private struct OncePerID: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    let begun = Locked<Set<String>>([])
    return try await base.updates(of: sessionID, after: messageID).compactMapped { update in
      guard case .event(.message(let message)) = update else { return update }
      return begun.withLock { begun in
        if case .assistant(_, isDelta: true) = message.content {
          begun.insert(message.id)
          return update
        }
        return begun.contains(message.id) ? nil : update
      }
    }
  }
}

private struct EmptyStart: MessageStreamService {
  let base: any MessageStreamService

  func updates(of sessionID: String, after messageID: String?) async throws(AppError) -> Updates {
    try await base.updates(of: sessionID, after: messageID == "" ? nil : messageID)
  }
}

// MARK: - Normalizers

private typealias Validation = Result<ValidatedMessage, MessageValidationError>

private protocol NormalizerWrapper: MessageNormalizing {
  var base: any MessageNormalizing { get }
  func change(_ message: ValidatedMessage) -> ValidatedMessage
}

extension NormalizerWrapper {
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError> {
    base.normalize(paginated).map(change)
  }
  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    base.normalize(streamEvent)?.map(change)
  }
  func change(_ message: ValidatedMessage) -> ValidatedMessage { message }
}

extension ValidatedMessage {
  fileprivate func with(
    content: String? = nil, timestamp: Date? = nil, warnings: [MessageWarning]? = nil, hasZeros: Bool = true
  ) -> ValidatedMessage {
    ValidatedMessage(
      id: id, role: role, content: content ?? self.content, timestamp: timestamp ?? self.timestamp,
      isStreaming: isStreaming, toolName: toolName, toolUseId: toolUseId, toolResultId: toolResultId,
      toolInputDescription: toolInputDescription, toolOutput: toolOutput,
      tokenCount: tokenCount == 0 && !hasZeros ? nil : tokenCount,
      executionTime: executionTime == 0 && !hasZeros ? nil : executionTime, imagePath: imagePath,
      imageData: imageData, warnings: warnings ?? self.warnings)
  }
}

/// Parses times with `ISO8601DateFormatter`, which has three digits.
private struct Milliseconds: NormalizerWrapper {
  let base: any MessageNormalizing

  func change(_ message: ValidatedMessage) -> ValidatedMessage {
    let microseconds = (message.timestamp.timeIntervalSinceReferenceDate * 1_000_000).rounded()
    if microseconds.truncatingRemainder(dividingBy: 1000) == 0 { return message }
    let milliseconds = (microseconds / 1000).rounded(.down)
    return message.with(timestamp: Date(timeIntervalSinceReferenceDate: milliseconds / 1000))
  }
}

private struct FirstWarning: NormalizerWrapper {
  let base: any MessageNormalizing

  func change(_ message: ValidatedMessage) -> ValidatedMessage {
    message.with(warnings: Array(message.warnings.prefix(1)))
  }
}

private struct TrimmedDeltas: NormalizerWrapper {
  let base: any MessageNormalizing

  func change(_ message: ValidatedMessage) -> ValidatedMessage {
    guard message.isStreaming else { return message }
    return message.with(content: message.content.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

private struct AnyCase: NormalizerWrapper {
  let base: any MessageNormalizing

  func normalize(_ paginated: PaginatedMessage) -> Validation {
    var paginated = paginated
    let known = ChatMessage.Role.allCases.first { $0.rawValue.lowercased() == paginated.role.lowercased() }
    if let known { paginated.role = known.rawValue }
    return base.normalize(paginated)
  }
}

private struct NoZero: NormalizerWrapper {
  let base: any MessageNormalizing

  func change(_ message: ValidatedMessage) -> ValidatedMessage { message.with(hasZeros: false) }
}

private struct ToolContent: NormalizerWrapper {
  let base: any MessageNormalizing

  func change(_ message: ValidatedMessage) -> ValidatedMessage {
    guard message.role == .toolResult, let output = message.toolOutput else { return message }
    return message.with(content: output)
  }
}

private struct EmptyIsMissing: NormalizerWrapper {
  let base: any MessageNormalizing

  func normalize(_ paginated: PaginatedMessage) -> Validation {
    var paginated = paginated
    if paginated.imagePath == "" { paginated.imagePath = nil }
    if paginated.toolOutput == "" { paginated.toolOutput = nil }
    return base.normalize(paginated)
  }
}

private struct NewID: NormalizerWrapper {
  let base: any MessageNormalizing

  func normalize(_ paginated: PaginatedMessage) -> Validation {
    var paginated = paginated
    if paginated.id.isEmpty { paginated.id = UUID().uuidString }
    return base.normalize(paginated)
  }
}
