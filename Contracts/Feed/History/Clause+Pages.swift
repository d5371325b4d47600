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
      var places: [MessagePage.Pagination] = []
      var cursor: String?
      repeat {
        let page = try await trial.subject.page(of: session.id, after: cursor, limit: 5)
        found += page.messages
        places.append(page.pagination)
        cursor = page.pagination.nextCursor
        trial.expect(
          page.pagination.hasMore == (cursor != nil),
          "Expected a cursor exactly where there is more, found \(page.pagination).")
      } while cursor != nil && places.count < 5
      trial.expect(found, equals: session.messages, "the messages of all pages")
      trial.expect(places.map(\.offset), equals: [0, 5, 10], "where the pages begin")
      trial.expect(places.map(\.limit), equals: [5, 5, 5], "how many messages were asked for")
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

    Clause("history.pages.long", "A page has up to a hundred messages; there and back, each comes once.") {
      trial in
      let session = try await trial.given(.longSession)
      var found: [PaginatedMessage] = []
      var places: [MessagePage.Pagination] = []
      var cursor: String?
      repeat {
        let page = try await trial.subject.page(of: session.id, after: cursor, limit: 100)
        found += page.messages
        places.append(page.pagination)
        cursor = page.pagination.nextCursor
      } while cursor != nil && places.count < 5
      trial.expect(found.map(\.id), equals: session.messages.map(\.id), "the ids of all pages")
      trial.expect(places.map(\.offset), equals: [0, 100, 200], "where the pages begin")
      trial.expect(places.map(\.total), equals: [250, 250, 250], "the number of all messages")
      trial.expect(places.map(\.hasMore), equals: [true, true, false], "which pages have more behind them")
      let back = try trial.require(places.last?.prevCursor, "Expected a page before the last one.")
      let middle = try await trial.subject.page(of: session.id, after: back, limit: 100)
      trial.expect(
        middle.messages.map(\.id), equals: session.messages[100..<200].map(\.id), "the ids on the way back")
    }

    Clause("history.pages.fields", "Every field of every message comes as it is stored, or is missing.") {
      trial in
      let session = try await trial.given(.longSession)
      for (start, cursor) in [(0, nil), (100, session.messages[99].id)] {
        let page = try await trial.subject.page(of: session.id, after: cursor, limit: 100)
        for (message, expected) in zip(page.messages, session.messages[start...]) {
          trial.expect(message, equals: expected, "the message")
        }
        trial.expect(page.messages.count, equals: 100, "the number of messages from \(start)")
      }
    }

    Clause(
      "history.pages.growing",
      "What is added is on the pages asked for later, and counted on all; an unfinished answer, once it is whole."
    ) { trial in
      let speaker = try await trial.given(.speaker)
      var ids = (1...6).map { speaker.say(.user("\($0)")) }
      let answer = speaker.begin()
      speaker.write("Hel", answer)
      for limit in [5, 100] {
        let page = try await trial.subject.page(of: speaker.sessionID, after: nil, limit: limit)
        trial.expect(page.messages.map(\.id), equals: Array(ids.prefix(limit)), "the ids before")
      }
      ids.append(speaker.say(.user("7")))
      speaker.write("lo", answer)
      speaker.finish(answer)
      ids.append(answer)
      let all = try await trial.subject.page(of: speaker.sessionID, after: nil, limit: 100)
      trial.expect(all.messages, equals: speaker.messages(), "the messages after")
      trial.expect(all.messages.last?.content, equals: "Hello", "the answer")
      let first = try await trial.subject.page(of: speaker.sessionID, after: nil, limit: 5)
      let next = try await trial.subject.page(of: speaker.sessionID, after: ids[4], limit: 5)
      trial.expect(next.messages.map(\.id), equals: Array(ids[5...]), "the ids of the next page")
      trial.expect(
        [all, first, next].map(\.pagination.total), equals: [8, 8, 8], "the number of messages")
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

    Clause(
      "history.pages.without-content",
      "A message that is stored without content says so, and the others are not affected."
    ) { trial in
      let session = try await trial.given(.sessionWithoutContent)
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 100)
      trial.expect(page.messages, equals: session.messages, "the messages")
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
      let unknown = trial.uuid().uuidString
      for (cursor, limit) in [(unknown, 5), ("", 5), ("a b&limit=1/é", 5), (unknown, 1), (unknown, 100)] {
        await trial.expect(throws: AppError.feed(.cursorNotFound)) {
          try await trial.subject.page(of: session.id, after: cursor, limit: limit)
        }
      }
    }

    Clause(
      "history.cursor.expired",
      "A cursor that has expired is refused, even one that was used; without one, the messages are there."
    ) { trial in
      let session = try await trial.given(.storedSession)
      let cursors = [0, 3, 11].map { session.messages[$0].id }
      _ = try await trial.subject.page(of: session.id, after: cursors[1], limit: 5)
      try await trial.given(.cursorsExpire)
      for cursor in cursors {
        await trial.expect(throws: AppError.feed(.cursorExpired)) {
          try await trial.subject.page(of: session.id, after: cursor, limit: 5)
        }
      }
      let page = try await trial.subject.page(of: session.id, after: nil, limit: 5)
      trial.expect(page.messages, equals: Array(session.messages.prefix(5)), "the messages")
    }

    Clause(
      "history.cursor.limit",
      "A page of no messages, or of more than a hundred, is refused, also a later one."
    ) { trial in
      let session = try await trial.given(.storedSession)
      for limit in [0, -1, 101, .max, .min] {
        for (name, cursor) in [("the first page", nil), ("a later page", session.messages[4].id)] {
          await trial.expect(
            "for \(name) of \(limit) to be refused",
            from: { try await trial.subject.page(of: session.id, after: cursor, limit: limit) }
          ) { ($0 as? AppError) == .feed(.invalidParameters) }
        }
      }
    }

    Clause("history.cursor.session", "A missing session is reported as not found, not as an empty page.") {
      trial in
      let stored = try await trial.given(.storedSession)
      for session in [trial.uuid().uuidString, "a/b", "é?x=1"] {
        for cursor in [nil, stored.messages[4].id] {
          await trial.expect(throws: AppError.network(.notFound)) {
            try await trial.subject.page(of: session, after: cursor, limit: 5)
          }
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

    Clause(
      "history.failure.passes", "A failure after a page is reported, and the next page is the one asked for."
    ) { trial in
      let session = try await trial.given(.storedSession)
      for start in [0, 5, 10] {
        let cursor = start == 0 ? nil : session.messages[start - 1].id
        for condition in [Condition.offline, .serverFails] {
          let page = try await trial.subject.page(of: session.id, after: cursor, limit: 5)
          trial.expect(
            page.messages, equals: Array(session.messages[start...].prefix(5)), "the messages from \(start)")
          try await trial.during(condition) {
            await trial.expect("to fail when \(condition)") {
              try await trial.subject.page(of: session.id, after: cursor, limit: 5)
            } throwing: {
              if case .network? = $0 as? AppError { true } else { false }
            }
          }
        }
      }
    }

    Clause("history.failure.rate", "Too many requests are reported with the delay that the server names.") {
      trial in
      let session = try await trial.given(.storedSession)
      try await trial.during(.tooManyRequests) { delay in
        for call in ServiceCall.pages(of: session) {
          await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
        }
      }
    }

    Clause("history.failure.once", "A call that fails is not repeated: it makes one request.") { trial in
      try await trial.expectOneRequest(
        of: ServiceCall.pages(of: try await trial.given(.storedSession)),
        under: [
          .serverFails, .doesNotAnswer, .offline, .connectionBreaks, .answerIsLost, .answerIsUnreadable,
        ])
    }
  }

  @ContractBuilder<Subject> static var historyCancellation: [Self] {
    Clause("history.cancellation.before", "A task that was cancelled before asks for nothing.") { trial in
      let session = try await trial.given(.storedSession)
      let requests = try await trial.given(.requestsAreCounted)
      await trial.expectCancelled(beforehand: ServiceCall.pages(of: session))
      trial.expectNoRequest(by: requests)
    }

    Clause("history.cancellation.under-way", "A call that is cancelled under way reports it.") { trial in
      let session = try await trial.given(.storedSession)
      try await trial.expectCancelled(underWay: ServiceCall.pages(of: session))
    }

    Clause("history.cancellation.others", "Cancelling one call leaves another that is under way alone.") {
      trial in
      let session = try await trial.given(.storedSession)
      try await trial.during(.callsAreHeld) { held in
        let cancelled = Task { try await trial.subject.page(of: session.id, after: nil, limit: 5) }
        await held.wait(forCalls: 1)
        let kept = Task { try await trial.subject.page(of: session.id, after: nil, limit: 12) }
        await held.wait(forCalls: 2)
        cancelled.cancel()
        await trial.expect(throws: AppError.cancelled) { try await cancelled.value }
        await held.release()
        let page = try await trial.require("that was not cancelled to succeed") { try await kept.value }
        trial.expect(page.messages, equals: session.messages, "its messages")
      }
    }
  }

  @ContractBuilder<Subject> static var historySessions: [Self] {
    Clause("history.sessions.apart", "Two sessions that are read in turn keep their pages apart.") { trial in
      let one = try await trial.given(.storedSession)
      let other = try await trial.given(.anotherStoredSession)
      for session in [one, other, one, other] {
        for (start, cursor) in [(0, nil), (5, session.messages[4].id), (10, session.messages[9].id)] {
          let page = try await trial.subject.page(of: session.id, after: cursor, limit: 5)
          trial.expect(
            page.messages, equals: Array(session.messages[start...].prefix(5)),
            "the messages from \(start) of \(session.id)")
          trial.expect(page.pagination.total, equals: 12, "the number of messages")
        }
      }
    }

    Clause("history.sessions.cursor", "A cursor of one session is unknown in another.") { trial in
      let one = try await trial.given(.storedSession)
      let other = try await trial.given(.anotherStoredSession)
      for (session, foreign) in [(one, other), (other, one)] {
        let page = try await trial.subject.page(of: foreign.id, after: foreign.messages[4].id, limit: 5)
        let cursors = [foreign.messages[4].id, page.messages.last?.id, page.pagination.nextCursor]
        for cursor in cursors.compactMap(\.self) {
          await trial.expect(throws: AppError.feed(.cursorNotFound)) {
            try await trial.subject.page(of: session.id, after: cursor, limit: 5)
          }
        }
      }
    }

    Clause("history.sessions.limits", "Each of many pages that are loaded at once has its own length.") {
      trial in
      let session = try await trial.given(.storedSession)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            let limit = 1 + number % 12
            let page = try await trial.subject.page(of: session.id, after: nil, limit: limit)
            trial.expect(page.messages, equals: Array(session.messages.prefix(limit)), "the messages")
            trial.expect(page.pagination.limit, equals: limit, "how many messages were asked for")
          }
        }
        try await group.waitForAll()
      }
    }

    Clause("history.sessions.concurrency", "Pages that are loaded at once are each of their session.") {
      trial in
      let one = try await trial.given(.storedSession)
      let other = try await trial.given(.anotherStoredSession)
      let tasks = try await trial.during(.callsAreHeld) { held in
        let first = Task { try await trial.subject.page(of: one.id, after: nil, limit: 12) }
        await held.wait(forCalls: 1)
        let second = Task { try await trial.subject.page(of: other.id, after: nil, limit: 12) }
        await held.wait(forCalls: 2)
        await held.release()
        return [first, second]
      }
      for (task, session) in zip(tasks, [one, other]) {
        trial.expect(try await task.value.messages, equals: session.messages, "the messages of \(session.id)")
      }
    }
  }
}

extension Trial where Subject == any MessageHistoryService {
  fileprivate func expectPages(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let session = try await given(.storedSession)
    try await during(condition) {
      for call in ServiceCall.pages(of: session) {
        await expect(call, throws: error, fileID: fileID, line: line)
      }
    }
    let page = try await subject.page(of: session.id, after: session.messages[4].id, limit: 5)
    expect(
      page.messages, equals: Array(session.messages[5..<10]), "the messages afterwards", fileID: fileID,
      line: line)
  }
}
