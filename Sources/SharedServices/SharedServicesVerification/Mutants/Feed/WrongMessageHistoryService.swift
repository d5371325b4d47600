import SharedServices
import Understudy

/// A history with one mistake.
struct WrongMessageHistoryService: MessageHistoryService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case repeatsTheCursor
    case pointsAtItsOwnBeginning
    case takesTheCountForTheLimit
    case repairsWhatIsStored
    case emptiesWhatIsMissing
    case clampsTheLimit
    case losesTheDelay
    case keepsPagesOfAnySession
    case keepsFullPages
    case answersForTheLastCall
    case knowsForeignCursors
    case returnsFiftyAtMost
    case checksTheFirstLimit
    case isEmptyWhenALaterPageFails
    case triesAgain
    case asksInVain
    case sharesCancellation
  }

  let base: any MessageHistoryService
  let mistake: Mistake
  private let kept = Locked<[[String?]: MessagePage]>([:])
  /// The session of the last call.
  private let last = Locked("")
  private let wasCancelled = Locked(false)

  init(base: any MessageHistoryService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    last.withLock { $0 = sessionID }
    let key = [mistake == .keepsPagesOfAnySession ? nil : sessionID, cursor, "\(limit)"]
    if let page = kept.withLock({ $0[key] }) { return page }
    if mistake == .asksInVain, Task.isCancelled { await ask(for: sessionID) }
    do throws(AppError) {
      var limit = limit
      switch mistake {
      case .clampsTheLimit: limit = min(max(1, limit), 100)
      case .checksTheFirstLimit where cursor != nil: limit = min(max(1, limit), 100)
      case .returnsFiftyAtMost: limit = min(limit, 50)
      default: break
      }
      var page = try await base.page(of: sessionID, after: cursor, limit: limit)
      if mistake == .sharesCancellation, wasCancelled.withLock({ $0 }) { throw .cancelled }
      if mistake == .answersForTheLastCall, last.withLock({ $0 }) != sessionID {
        return try await base.page(of: last.withLock { $0 }, after: cursor, limit: limit)
      }
      if mistake == .keepsPagesOfAnySession || mistake == .keepsFullPages && page.pagination.hasMore {
        kept.withLock { $0[key] = page }
      }
      if mistake == .repeatsTheCursor, let cursor {
        let all = try await base.page(of: sessionID, after: nil, limit: 100)
        page.messages = Array((all.messages.filter { $0.id == cursor } + page.messages).prefix(limit))
      }
      return wrong(page)
    } catch .cancelled where mistake == .sharesCancellation {
      wasCancelled.withLock { $0 = true }
      throw .cancelled
    } catch .network(.timeout) where mistake == .triesAgain {
      return try await base.page(of: sessionID, after: cursor, limit: limit)
    } catch .network(.serverError) where mistake == .isEmptyWhenALaterPageFails && cursor != nil {
      return Self.empty
    } catch .feed(.cursorNotFound) where mistake == .knowsForeignCursors && cursor?.count == 36 {
      return Self.empty
    } catch .network(.rateLimited) where mistake == .losesTheDelay {
      throw .network(.rateLimited(retryAfter: nil))
    }
  }

  /// Asks in a separate task, which the caller's cancellation does not reach.
  private func ask(for sessionID: String) async {
    _ = await Task { try? await base.page(of: sessionID, after: nil, limit: 1) }.value
  }

  private static let empty = MessagePage(
    messages: [], pagination: .init(total: 0, limit: 5, offset: 0, hasMore: false))

  private func wrong(_ page: MessagePage) -> MessagePage {
    var page = page
    switch mistake {
    case .pointsAtItsOwnBeginning where page.pagination.prevCursor != nil:
      page.pagination.prevCursor = page.messages.first?.id
    case .emptiesWhatIsMissing:
      for place in page.messages.indices { page.messages[place].warnings = [] }
    case .takesTheCountForTheLimit: page.pagination.limit = page.messages.count
    case .repairsWhatIsStored:
      for place in page.messages.indices {
        if let message = try? MessageNormalizer().normalize(page.messages[place]).get() {
          page.messages[place].content = message.content
        }
      }
    default: break
    }
    return page
  }
}
