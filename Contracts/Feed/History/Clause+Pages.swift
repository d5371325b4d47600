import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageHistoryService {
  @ContractBuilder<Subject> static var historyPages: [Self] {
    Clause("history.pages.first", "The first page has the oldest messages, and says how many there are.") {
      trial in
      let session = try await trial.given(.storedSession)
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 5)
      trial.expect(page.messages, equals: Array(session.messages.prefix(5)), "the messages")
      trial.expect(
        page.pagination,
        equals: .init(total: 12, limit: 5, offset: 0, hasMore: true, nextCursor: page.pagination.nextCursor),
        "the place of the page")
    }

    Clause(
      "history.pages.next",
      "Page after page, each message comes once, in order; only the last has none behind it."
    ) {
      trial in
      let session = try await trial.given(.storedSession)
      var found: [PaginatedMessage] = []
      var offsets: [Int] = []
      var cursor: String?
      repeat {
        let page = try await trial.subject.page(of: session.id, after: cursor, limit: 5)
        found += page.messages
        offsets.append(page.pagination.offset)
        cursor = page.pagination.nextCursor
        trial.expect(
          page.pagination.hasMore == (cursor != nil),
          "Expected a cursor exactly where there is more, found \(page.pagination).")
      } while cursor != nil && offsets.count < 5
      trial.expect(found, equals: session.messages, "the messages of all pages")
      trial.expect(offsets, equals: [0, 5, 10], "where the pages begin")
    }

    Clause(
      "history.pages.previous", "A page knows the one before it, up to the first, which needs no cursor."
    ) { trial in
      let session = try await trial.given(.storedSession)
      let last = try await trial.subject.page(of: session.id, after: session.messages[9].id, limit: 5)
      trial.expect(last.messages, equals: Array(session.messages[10...]), "the last page")
      let previous = try trial.require(last.pagination.prevCursor, "Expected a page before the last one.")
      let middle = try await trial.subject.page(of: session.id, after: previous, limit: 5)
      trial.expect(middle.messages, equals: Array(session.messages[5..<10]), "the page before it")
      trial.expect(middle.pagination.prevCursor, equals: nil, "the cursor of the first page")
    }

    Clause("history.pages.exact", "A page that ends with the last message has nothing behind it.") { trial in
      let session = try await trial.given(.storedSession)
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 12)
      trial.expect(page.messages, equals: session.messages, "the messages")
      trial.expect(!page.pagination.hasMore, "Expected nothing behind the page.")
      let behind = try await trial.subject.page(of: session.id, after: session.messages[11].id, limit: 12)
      trial.expect(behind.messages, equals: [], "the messages behind the last one")
    }

    Clause("history.pages.empty", "A session in which nothing was said has one empty page.") { trial in
      let session = try await trial.given(.emptySession)
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 50)
      trial.expect(page.messages, equals: [], "the messages")
      trial.expect(
        page.pagination, equals: .init(total: 0, limit: 50, offset: 0, hasMore: false),
        "the place of the page")
    }

    Clause(
      "history.pages.as-stored",
      "Messages come as they are stored: nothing is repaired, and nothing left out."
    ) {
      trial in
      let session = try await trial.given(.storedSession)
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 100)
      trial.expect(
        page.messages.map { Array($0.content.utf8) }, equals: session.messages.map { Array($0.content.utf8) },
        "the contents, byte by byte")
      trial.expect(
        page.messages.map(\.toolUseId), equals: session.messages.map(\.toolUseId), "the uses of tools")
      trial.expect(page.messages.map(\.role), equals: session.messages.map(\.role), "the roles")
    }
  }

  @ContractBuilder<Subject> static var historyCursors: [Self] {
    Clause("history.cursor.message", "The id of any message is a cursor: the page begins behind it.") {
      trial in
      let session = try await trial.given(.storedSession)
      let place = trial.integer(in: 0...10)
      let page = try await trial.subject.page(of: session.id, after: session.messages[place].id, limit: 1)
      trial.expect(page.messages, equals: [session.messages[place + 1]], "the message behind it")
      trial.expect(page.pagination.offset, equals: place + 1, "where the page begins")
    }

    Clause("history.cursor.unknown", "An unknown cursor is refused, and not treated as the beginning.") {
      trial in
      let session = try await trial.given(.storedSession)
      for cursor in [trial.uuid().uuidString, "", "a b&limit=1/é"] {
        await trial.expect(throws: AppError.feed(.cursorNotFound)) {
          try await trial.subject.page(of: session.id, after: cursor, limit: 5)
        }
      }
    }

    Clause(
      "history.cursor.expired", "A cursor that has expired is refused; without one, the messages are there."
    ) { trial in
      let session = try await trial.given(.storedSession)
      try await trial.given(.cursorsExpire)
      await trial.expect(throws: AppError.feed(.cursorExpired)) {
        try await trial.subject.page(of: session.id, after: session.messages[3].id, limit: 5)
      }
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 5)
      trial.expect(page.messages, equals: Array(session.messages.prefix(5)), "the messages")
    }

    Clause("history.cursor.limit", "A page of no messages, or of more than a hundred, is refused.") { trial in
      let session = try await trial.given(.storedSession)
      for limit in [0, -1, 101, .max, .min] {
        await trial.expect(throws: AppError.feed(.invalidParameters)) {
          try await trial.subject.page(of: session.id, after: nil, limit: limit)
        }
      }
    }

    Clause("history.cursor.session", "A missing session is reported as not found, not as an empty page.") {
      trial in
      for session in [trial.uuid().uuidString, "a/b", "é?x=1"] {
        await trial.expect(throws: AppError.network(.notFound)) {
          try await trial.subject.page(of: session, after: nil, limit: 5)
        }
      }
    }
  }

  @ContractBuilder<Subject> static var historyFailures: [Self] {
    Clause("history.failure.server", "A failure of the server is reported, and the next call succeeds.") {
      try await $0.expectPages(toFailWhile: .serverFails, with: .network(.serverError))
    }

    Clause("history.failure.no-answer", "A call that is not answered ends in a time-out.") {
      try await $0.expectPages(toFailWhile: .doesNotAnswer, with: .network(.timeout))
    }

    Clause("history.failure.offline", "Without a network a call says so.") {
      try await $0.expectPages(toFailWhile: .offline, with: .network(.noConnection))
    }

    Clause("history.failure.connection", "A connection that breaks is reported.") {
      try await $0.expectPages(toFailWhile: .connectionBreaks, with: .network(.connectionLost))
    }

    Clause("history.failure.unreadable", "An answer that makes no sense is an error, never an empty page.") {
      try await $0.expectPages(toFailWhile: .answerIsUnreadable, with: .network(.unreadableAnswer))
    }

    Clause("history.failure.rate", "Too many requests are reported with the delay that the server names.") {
      trial in
      let session = try await trial.given(.storedSession)
      try await trial.during(.tooManyRequests) { delay in
        await trial.expect(.page(of: session), throws: .network(.rateLimited(retryAfter: delay)))
      }
    }

    Clause("history.cancellation.before", "A task that was cancelled before asks for nothing.") { trial in
      let session = try await trial.given(.storedSession)
      await trial.expectCancelled(beforehand: [.page(of: session)])
    }

    Clause("history.cancellation.under-way", "A call that is cancelled under way reports it.") { trial in
      let session = try await trial.given(.storedSession)
      try await trial.expectCancelled(underWay: [.page(of: session)])
    }
  }
}

extension Trial where Subject == any MessageHistoryService {
  fileprivate func expectPages(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let session = try await given(.storedSession)
    try await during(condition) {
      await expect(.page(of: session), throws: error, fileID: fileID, line: line)
    }
    let page = try await subject.page(of: session.id, after: nil, limit: 5)
    expect(page.messages.count, equals: 5, "the messages afterwards", fileID: fileID, line: line)
  }
}
