import SharedServices

/// A history with one mistake.
struct WrongMessageHistoryService: MessageHistoryService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case newestFirst
    case saysThatThereIsAlwaysMore
    case repeatsTheCursor
    case pointsAtItsOwnBeginning
    case takesTheCountForTheLimit
    case repairsWhatIsStored
    case losesToolIDs
    case startsOverForAnUnknownCursor
    case startsOverForAnExpiredCursor
    case clampsTheLimit
    case isEmptyForAnUnknownSession
    case isEmptyWhenUnreadable
    case isEmptyWhenTheServerFails
    case isEmptyOffline
    case takesTimeoutsForFailures
    case takesLostConnectionsForNone
    case losesTheDelay
    case ignoresCancellation
  }

  let base: any MessageHistoryService
  let mistake: Mistake

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    do throws(AppError) {
      let limit = mistake == .clampsTheLimit ? min(max(1, limit), 100) : limit
      var page = try await base.page(of: sessionID, after: cursor, limit: limit)
      if mistake == .repeatsTheCursor, let cursor {
        let all = try await base.page(of: sessionID, after: nil, limit: 100)
        page.messages = Array((all.messages.filter { $0.id == cursor } + page.messages).prefix(limit))
      }
      return wrong(page)
    } catch .feed(.cursorNotFound) where mistake == .startsOverForAnUnknownCursor {
      return try await base.page(of: sessionID, after: nil, limit: limit)
    } catch .feed(.cursorExpired) where mistake == .startsOverForAnExpiredCursor {
      return try await base.page(of: sessionID, after: nil, limit: limit)
    } catch .network(.notFound) where mistake == .isEmptyForAnUnknownSession {
      return Self.empty
    } catch .network(.unreadableAnswer) where mistake == .isEmptyWhenUnreadable {
      return Self.empty
    } catch .network(.serverError) where mistake == .isEmptyWhenTheServerFails {
      return Self.empty
    } catch .network(.noConnection) where mistake == .isEmptyOffline {
      return Self.empty
    } catch .network(.connectionLost) where mistake == .takesLostConnectionsForNone {
      throw .network(.noConnection)
    } catch .network(.rateLimited) where mistake == .losesTheDelay {
      throw .network(.rateLimited(retryAfter: nil))
    } catch .network(.timeout) where mistake == .takesTimeoutsForFailures {
      throw .network(.serverError)
    } catch .cancelled where mistake == .ignoresCancellation {
      return Self.empty
    }
  }

  private static let empty = MessagePage(
    messages: [], pagination: .init(total: 0, limit: 5, offset: 0, hasMore: false))

  private func wrong(_ page: MessagePage) -> MessagePage {
    var page = page
    switch mistake {
    case .newestFirst: page.messages.reverse()
    case .saysThatThereIsAlwaysMore: page.pagination.hasMore = true
    case .pointsAtItsOwnBeginning where page.pagination.prevCursor != nil:
      page.pagination.prevCursor = page.messages.first?.id
    case .takesTheCountForTheLimit: page.pagination.limit = page.messages.count
    case .repairsWhatIsStored:
      for place in page.messages.indices {
        if let message = try? MessageNormalizer().normalize(page.messages[place]).get() {
          page.messages[place].content = message.content
        }
      }
    case .losesToolIDs: for place in page.messages.indices { page.messages[place].toolUseId = nil }
    default: break
    }
    return page
  }
}
