import SharedServices
import Understudy

extension Clause where Subject == any MessageStreamService {
  @ContractBuilder<Subject> static var streamGaps: [Self] {
    Clause(
      "stream.gap.missed",
      "Messages that were missed while the connection was lost are delivered before new messages."
    ) {
      trial in
      let (speaker, session) = try await trial.followed()
      var ids = [speaker.say(.user("1"))]
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) { ids += (2...4).map { speaker.say(.user("\($0)")) } }
      trial.expect(try await session.next(1), equals: [.reconnecting], "the first update")
      trial.expect(
        try await session.untilConnected().wholeMessages, equals: Array(ids[1...]), "what was missed")
      ids.append(speaker.say(.user("5")))
      let told = try await session.next(1).compactMap { $0 }
      trial.expect(told.wholeMessages, equals: [ids[4]], "what comes then")
    }

    Clause(
      "stream.gap.unread",
      "Messages from before the loss of the connection come first, even for a slow reader."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let before = [speaker.say(.user("1")), speaker.say(.user("2"))]
      let early = try await session.next(2).compactMap { $0 }
      let behind = speaker.say(.user("3"))
      var missed = ""
      try await trial.during(.connectionIsLost) { missed = speaker.say(.user("4")) }
      let told = try await session.untilConnected()
      trial.expect((early + told).wholeMessages, equals: before + [behind, missed], "all the messages")
    }

    Clause(
      "stream.gap.pieces", "If the connection is lost during an answer, no piece of the answer is repeated."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      var told = try await session.next(1).compactMap { $0 }
      try await trial.during(.connectionIsLost) { speaker.write("lo 👩‍👧", id) }
      told += try await session.untilConnected()
      trial.expect(told.pieces(of: id), equals: "Hello 👩‍👧", "the pieces")
      speaker.write("!", id)
      speaker.finish(id)
      told += try await session.next(2).compactMap { $0 }
      trial.expect(told.pieces(of: id), equals: "Hello 👩‍👧!", "all the pieces")
      trial.expect(told.wholeMessages, equals: [id], "the whole")
    }

    Clause(
      "stream.gap.part",
      "A part of an unknown type is not a position to resume from, and completes no message."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      _ = speaker.say(.user("1"))
      let id = speaker.begin()
      speaker.write("Hel", id)
      let part = StreamEvent.sample(id, .unknown(type: "citation"))
      speaker.announce(part)
      trial.expect(try await session.next(3).last, equals: .event(part), "the part")
      try await trial.during(.connectionIsLost) { speaker.write("lo", id) }
      let told = try await session.untilConnected()
      trial.expect(told.pieces(of: id), equals: "lo", "the piece that was missed")
      trial.expect(told.count, equals: 2, "the number of updates, with the loss")
    }

    Clause(
      "stream.gap.finished",
      "An answer that is completed while the connection is lost is delivered whole, once."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) {
        speaker.write("lo", id)
        speaker.finish(id)
      }
      let told = try await session.untilConnected()
      trial.expect(told.wholeMessages, equals: [id], "the whole")
      trial.expect(!told.contains(.abandoned(id)), "Expected the answer not to be abandoned.")
    }

    Clause("stream.gap.abandoned", "An answer that will never be completed is reported as abandoned.") {
      trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      speaker.write("Hel", id)
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) { try await trial.given(.answersAreAbandoned) }
      let told = try await session.untilConnected()
      trial.expect(told, equals: [.reconnecting, .abandoned(id)], "the updates")
    }

    Clause(
      "stream.gap.evicted",
      "Messages that the stream has discarded come from the history, without a gap and in order."
    ) {
      trial in
      let (speaker, session) = try await trial.followed()
      _ = speaker.say(.user("1"))
      _ = try await session.next(1)
      try await trial.during(.connectionIsLost) {
        for number in 2...130 { _ = speaker.say(.user("\(number)")) }
        try await trial.given(.streamForgets)
      }
      let told = try await session.untilConnected()
      trial.expect(
        told == [.reconnecting, .missed(Array(speaker.messages()[1...]))],
        "Expected 129 messages of the history, found \(told.wholeMessages.count) in \(told.count) updates.")
      let next = speaker.say(.user("131"))
      trial.expect(
        try await session.next(1).compactMap { $0 }.wholeMessages, equals: [next], "what comes then")
    }

    Clause(
      "stream.gap.invalid",
      "If the session does not know the delivered messages, all messages are delivered again."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      for number in 1...3 { _ = speaker.say(.user("\(number)")) }
      _ = try await session.next(3)
      try await trial.during(.connectionIsLost) {
        try await trial.given(.messagesAreRenumbered)
        _ = speaker.say(.user("4"))
      }
      trial.expect(
        try await session.untilConnected(), equals: [.reconnecting, .reset(speaker.messages())],
        "the updates")
      let next = speaker.say(.user("5"))
      trial.expect(
        try await session.next(1).compactMap { $0 }.wholeMessages, equals: [next], "what comes then")
    }

    Clause(
      "stream.gap.told",
      "Each loss of the connection is reported once, and the state of the assistant is not repeated."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let state = StreamEvent.sample("1", .state("thinking"))
      speaker.announce(state)
      trial.expect(try await session.next(1), equals: [.event(state)], "the state")
      for number in 1...3 {
        var id = ""
        try await trial.during(.connectionIsLost) { id = speaker.say(.user("\(number)")) }
        let told = try await session.untilConnected()
        trial.expect(told.count { $0 == .reconnecting }, equals: 1, "the reports of loss \(number)")
        trial.expect(told.wholeMessages, equals: [id], "the messages of loss \(number)")
        trial.expect(told.count, equals: 2, "the updates of loss \(number)")
      }
    }

    Clause(
      "stream.gap.again", "However often the connection is lost, each message is delivered once and in order."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      var told: [FeedUpdate] = []
      for _ in 1...15 {
        for _ in 0..<trial.integer(in: 0...3) {
          _ = speaker.say(.user("live"))
          told += try await session.next(1).compactMap { $0 }
        }
        let missed = trial.integer(in: 0...3)
        let forgets = trial.integer(in: 0...2) == 0
        try await trial.during(.connectionIsLost) {
          for _ in 0..<missed { _ = speaker.say(.user("missed")) }
          if forgets { try await trial.given(.streamForgets) }
        }
        told += try await session.untilConnected()
      }
      trial.expect(told.wholeMessages, equals: speaker.messages().map(\.id), "the messages")
    }

    Clause("stream.gap.refused", "A server that refuses at first is asked again.") { trial in
      let (speaker, session) = try await trial.followed()
      var id = ""
      try await trial.during(.connectionIsLost) {
        id = speaker.say(.user("1"))
        try await trial.given(.twoConnectionsAreRefused)
      }
      let told = try await session.untilConnected()
      trial.expect(told.wholeMessages, equals: [id], "what was missed")
      trial.expect(told.count { $0 == .reconnecting }, equals: 1, "the number of reconnecting updates")
    }

    Clause(
      "stream.gap.gives-up",
      "After repeated refusals, the stream ends with the server's error."
    ) {
      trial in
      let (speaker, session) = try await trial.followed()
      try await trial.during(.connectionIsLost) { try await trial.given(.connectionsAreRefused) }
      let rest = await session.rest()
      trial.expect(rest.updates, equals: [.reconnecting], "the updates")
      trial.expect(
        (rest.error as? AppError) == .network(.serverError),
        "Expected the server's error, found \(rest.error as Any).")
      _ = speaker.say(.user("1"))
      let after = await session.rest()
      trial.expect(after.updates, equals: [], "the updates after the error")
      trial.expect(after.error == nil, "Expected no second error, found \(after.error as Any).")
    }
  }
}
