import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageStreamService {
  @ContractBuilder<Subject> static var streamBreaking: [Self] {
    Clause(
      "stream.break.drop", "A connection that breaks in the middle loses no message and repeats none."
    ) {
      try await $0.expectNothingIsLost(when: .nextConnectionDrops)
    }

    Clause("stream.break.closed", "After the server closes the connection, the client connects again.") {
      try await $0.expectNothingIsLost(when: .nextConnectionIsClosed)
    }

    Clause("stream.break.corrupt", "A message that was corrupted in transit is requested again.") {
      try await $0.expectNothingIsLost(when: .nextConnectionIsCorrupt)
    }
  }

  @ContractBuilder<Subject> static var streamRefusing: [Self] {
    Clause("stream.refuse.session", "A missing session is reported as not found.") { trial in
      for session in [trial.uuid().uuidString, "a/b"] {
        await trial.expect(throws: AppError.network(.notFound)) {
          try await trial.subject.updates(of: session, after: nil)
        }
      }
    }

    Clause("stream.refuse.server", "A server that refuses the first connection is reported at once.") {
      trial in
      let speaker = try await trial.given(.speaker)
      try await trial.given(.connectionsAreRefused)
      await trial.expect(throws: AppError.network(.serverError)) { try await trial.following(speaker) }
    }

    Clause("stream.refuse.once", "A first connection that is refused is not repeated.") { trial in
      let speaker = try await trial.given(.speaker)
      try await trial.given(.twoConnectionsAreRefused)
      for _ in 1...2 {
        await trial.expect(throws: AppError.network(.serverError)) { try await trial.following(speaker) }
      }
      let session = try await trial.following(speaker)
      trial.expect(try await session.next(1), equals: [.connected], "the first update of the third")
    }

    Clause(
      "stream.refuse.offline",
      "Without a network the first connection fails at once, and a later one does not."
    ) {
      trial in
      let speaker = try await trial.given(.speaker)
      try await trial.during(.offline) {
        await trial.expect(throws: AppError.network(.noConnection)) { try await trial.following(speaker) }
      }
      let session = try await trial.following(speaker)
      trial.expect(try await session.next(1), equals: [.connected], "the first update, later")
    }

    Clause("stream.refuse.no-answer", "A first connection that is not answered ends in a time-out.") {
      trial in
      let speaker = try await trial.given(.speaker)
      try await trial.during(.doesNotAnswer) {
        await trial.expect(throws: AppError.network(.timeout)) { try await trial.following(speaker) }
      }
    }

    Clause("stream.refuse.rate", "Too many connections are reported with the delay that the server names.") {
      trial in
      let speaker = try await trial.given(.speaker)
      try await trial.during(.tooManyRequests) { delay in
        await trial.expect("to be refused for a while") {
          try await trial.following(speaker)
        } throwing: { error in
          (error as? AppError) == .network(.rateLimited(retryAfter: delay))
        }
      }
    }

    Clause("stream.cancellation.before", "A task that was cancelled before does not follow.") { trial in
      let speaker = try await trial.given(.speaker)
      let followers = try await trial.given(.followersAreCounted)
      await trial.expectCancelled(beforehand: [
        ServiceCall(name: "updates") { _ = try await $0.updates(of: speaker.sessionID, after: nil) }
      ])
      trial.expect(await followers(0), equals: 0, "the number of followers")
    }

    Clause("stream.cancellation.under-way", "A connection that is cancelled while it is made is not made.") {
      trial in
      let speaker = try await trial.given(.speaker)
      let followers = try await trial.given(.followersAreCounted)
      try await trial.expectCancelled(underWay: [
        ServiceCall(name: "updates") { _ = try await $0.updates(of: speaker.sessionID, after: nil) }
      ])
      trial.expect(await followers(0), equals: 0, "the number of followers")
    }

    Clause("stream.cancellation.others", "Cancelling one reader leaves another of the session alone.") {
      trial in
      let (speaker, one) = try await trial.followed()
      let other = try await trial.following(speaker)
      _ = try await other.next(1)
      let task = Task { await one.rest() }
      task.cancel()
      _ = await task.value
      let id = speaker.say(.user("1"))
      trial.expect(
        try await other.next(1).compactMap { $0 }.wholeMessages, equals: [id], "the messages of the other")
    }

    Clause(
      "stream.cancellation.waiting",
      "A reader that is cancelled while it waits ends at once, and follows the session no longer."
    ) { trial in
      let (_, session) = try await trial.followed()
      let followers = try await trial.given(.followersAreCounted)
      let task = Task { await session.rest() }
      task.cancel()
      let rest = await task.value
      trial.expect(rest.updates, equals: [], "the updates")
      // A reader that is cancelled before it waits reads the end, as from every `AsyncThrowingStream`.
      trial.expect(
        rest.error == nil || (rest.error as? AppError) == .cancelled,
        "Expected a cancellation, found \(rest.error as Any).")
      trial.expect(await followers(0), equals: 0, "the number of followers")
    }
  }
}

extension Trial where Subject == any MessageStreamService {
  fileprivate func expectNothingIsLost(
    when condition: Condition<BrokenSubscription>, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let speaker = try await given(.speaker)
    let broken = try await given(condition)
    let session = try await following(speaker)
    var told = try await session.untilConnected()
    for number in 1...(broken.changes + 3) { _ = speaker.say(.user("\(number)")) }
    told += try await session.untilConnected()
    // Whatever was lost, this message is delivered.
    let last = speaker.say(.user("last"))
    while !told.wholeMessages.contains(last) {
      guard let update = try await session.next(1)[0] else { break }
      told.append(update)
    }
    expect(
      told.wholeMessages, equals: speaker.messages().map(\.id), "the messages", fileID: fileID, line: line)
    expect(told.contains(.reconnecting), "Expected a new connection.", fileID: fileID, line: line)
  }
}
