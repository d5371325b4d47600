import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageStreamService {
  @ContractBuilder<Subject> static var streamSessions: [Self] {
    Clause("stream.sessions.apart", "Two sessions that are followed at once keep their messages apart.") {
      trial in
      let (speaker, one) = try await trial.followed()
      let otherSpeaker = try await trial.given(.anotherSpeaker)
      let other = try await trial.following(otherSpeaker)
      trial.expect(try await other.next(1), equals: [.connected], "the first update of the other session")
      let said = (1...3).map { StreamContent.user("\($0)") }
      let others = (1...3).map { StreamContent.user("Other \($0)") }
      for (content, otherContent) in zip(said, others) {
        _ = speaker.say(content)
        _ = otherSpeaker.say(otherContent)
      }
      trial.expect(try await one.next(3), tells: said, of: speaker.messages())
      trial.expect(try await other.next(3), tells: others, of: otherSpeaker.messages())
    }

    Clause("stream.sessions.gap", "A lost connection of one session is not reported in another.") { trial in
      let (speaker, one) = try await trial.followed()
      let otherSpeaker = try await trial.given(.anotherSpeaker)
      let other = try await trial.following(otherSpeaker)
      _ = try await other.next(1)
      var missed = ""
      try await trial.during(.connectionIsLost) { missed = speaker.say(.user("1")) }
      trial.expect(try await one.untilConnected().wholeMessages, equals: [missed], "what was missed")
      let id = otherSpeaker.say(.user("Other"))
      let told = try await other.next(1).compactMap { $0 }
      trial.expect(told.wholeMessages, equals: [id], "the messages of the other")
      trial.expect(!told.contains(.reconnecting), "Expected no lost connection in the other session.")
    }

    Clause(
      "stream.sessions.position",
      "After a message of another session, an unknown one or an empty id, all messages are delivered again."
    ) { trial in
      let speaker = try await trial.given(.speaker)
      let otherSpeaker = try await trial.given(.anotherSpeaker)
      for number in 1...3 { _ = speaker.say(.user("\(number)")) }
      // Followed until the end, so that a recording has no end of a connection.
      var sessions: [FollowedSession] = []
      for position in [otherSpeaker.say(.user("Other")), trial.uuid().uuidString, ""] {
        let session = try await trial.following(speaker, after: position)
        sessions.append(session)
        trial.expect(
          try await session.untilConnected(), equals: [.reset(speaker.messages())], "the updates")
      }
      withExtendedLifetime(sessions) {}
    }

    Clause(
      "stream.sessions.history",
      "A new client also receives what the stream has discarded, behind its position or from the beginning."
    ) { trial in
      let speaker = try await trial.given(.speaker)
      let ids = (1...130).map { speaker.say(.user("\($0)")) }
      try await trial.given(.streamForgets)
      var sessions: [FollowedSession] = []
      for (place, position) in [(2, ids[1]), (0, nil)] {
        let session = try await trial.following(speaker, after: position)
        sessions.append(session)
        let told = try await session.untilConnected()
        trial.expect(
          told == [.missed(Array(speaker.messages()[place...]))],
          "Expected \(130 - place) messages of the history, found \(told.wholeMessages.count).")
      }
      withExtendedLifetime(sessions) {}
    }
  }

  @ContractBuilder<Subject> static var streamLosses: [Self] {
    Clause(
      "stream.loss.twice", "Two losses in quick succession lose no message and repeat none."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      _ = speaker.say(.user("first"))
      var told = try await session.next(1).compactMap { $0 }
      for number in 1...2 {
        try await trial.during(.connectionIsLost) { _ = speaker.say(.user("\(number)")) }
      }
      let last = speaker.say(.user("last"))
      while !told.wholeMessages.contains(last), let update = try await session.next(1)[0] {
        told.append(update)
      }
      trial.expect(told.wholeMessages, equals: speaker.messages().map(\.id), "the messages")
      trial.expect(told.contains(.reconnecting), "Expected a new connection.")
    }

    Clause(
      "stream.loss.answers",
      "Of several answers in pieces, each that will not be completed is reported as abandoned, and only once."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let ids = (1...3).map { _ in speaker.begin() }
      for id in ids { speaker.write("Hel", id) }
      _ = try await session.next(3)
      try await trial.during(.connectionIsLost) {
        speaker.write("lo", ids[0])
        speaker.finish(ids[0])
        try await trial.given(.answersAreAbandoned)
      }
      var told = try await session.untilConnected()
      trial.expect(told.wholeMessages, equals: [ids[0]], "the completed answers")
      try await trial.during(.connectionIsLost) { _ = speaker.say(.user("1")) }
      told += try await session.untilConnected()
      let abandoned = told.compactMap { update in
        if case .abandoned(let id) = update { id } else { nil }
      }
      trial.expect(abandoned.sorted(), equals: ids[1...].sorted(), "the abandoned answers")
    }

    Clause(
      "stream.loss.abandoned", "An answer is also abandoned where the missed messages come from the history."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) {
        _ = speaker.say(.user("1"))
        try await trial.given(.answersAreAbandoned)
        try await trial.given(.streamForgets)
      }
      trial.expect(
        try await session.untilConnected(),
        equals: [.reconnecting, .missed(speaker.messages()), .abandoned(id)], "the updates")
    }

    Clause("stream.loss.reset", "An answer is also abandoned where all messages are delivered again.") {
      trial in
      let (speaker, session) = try await trial.followed()
      _ = speaker.say(.user("1"))
      let id = speaker.begin()
      speaker.write("Hel", id)
      _ = try await session.next(2)
      try await trial.during(.connectionIsLost) {
        try await trial.given(.answersAreAbandoned)
        try await trial.given(.messagesAreRenumbered)
      }
      trial.expect(
        try await session.untilConnected(),
        equals: [.reconnecting, .reset(speaker.messages()), .abandoned(id)], "the updates")
    }

    Clause(
      "stream.loss.nothing", "An empty piece is not delivered, and begins no answer that could be abandoned."
    ) {
      trial in
      let (speaker, session) = try await trial.followed()
      speaker.write("", speaker.begin())
      try await trial.during(.connectionIsLost) { try await trial.given(.answersAreAbandoned) }
      trial.expect(try await session.untilConnected(), equals: [.reconnecting], "the updates")
    }

    Clause("stream.loss.empty", "An empty session whose messages were all delivered again has no position.") {
      trial in
      let speaker = try await trial.given(.speaker)
      let session = try await trial.following(speaker, after: "unknown")
      trial.expect(try await session.untilConnected(), equals: [.reset([])], "the first updates")
      try await trial.during(.connectionIsLost) {}
      trial.expect(try await session.untilConnected(), equals: [.reconnecting], "the updates")
    }

    Clause(
      "stream.loss.expired",
      "All messages are delivered again where the history does not know the position either."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      _ = speaker.say(.user("1"))
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) {
        try await trial.given(.cursorsExpire)
        _ = speaker.say(.user("2"))
        try await trial.given(.streamForgets)
      }
      trial.expect(
        try await session.untilConnected(), equals: [.reconnecting, .reset(speaker.messages())], "the updates"
      )
    }

    Clause(
      "stream.loss.continued", "An answer goes on where it was, also where messages come from the history."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      var told = try await session.next(1).compactMap { $0 }
      var missed = ""
      try await trial.during(.connectionIsLost) {
        speaker.write("lo", id)
        missed = speaker.say(.user("1"))
        try await trial.given(.streamForgets)
      }
      told += try await session.untilConnected()
      speaker.write("!", id)
      speaker.finish(id)
      told += try await session.next(2).compactMap { $0 }
      trial.expect(told.pieces(of: id), equals: "Hello!", "the pieces")
      trial.expect(told.wholeMessages, equals: [missed, id], "the messages")
    }

    Clause(
      "stream.loss.completed", "An answer that is completed and then discarded comes whole from the history."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) {
        speaker.write("lo", id)
        speaker.finish(id)
        try await trial.given(.streamForgets)
      }
      trial.expect(
        try await session.untilConnected(), equals: [.reconnecting, .missed(speaker.messages())],
        "the updates")
    }
  }
}
