import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var conversationEffects: [Self] {
    Clause(
      "conversations.effect.none", "A call that fails on its way or is cancelled stores nothing, even later."
    ) { trial in
      let talk = try await trial.started()
      let stored = try await trial.given(.conversationsAreStored)
      let calls = ServiceCall.all(in: talk)
      for (condition, error) in [
        (Condition.offline, AppError.network(.noConnection)), (.doesNotAnswer, .network(.timeout)),
        (.connectionBreaks, .network(.connectionLost)), (.serverFails, .network(.serverError)),
      ] {
        try await trial.during(condition) {
          for call in calls { await trial.expect(call, throws: error) }
        }
      }
      try await trial.during(.tooManyRequests) { delay in
        for call in calls { await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay))) }
      }
      await trial.expectCancelled(beforehand: calls)
      try await trial.expectCancelled(underWay: calls)
      trial.expect(try await trial.history(of: talk), equals: [], "the history")
      trial.expect(
        try await stored.all(), equals: [.init(conversation: talk.conversation, messages: [])],
        "what is stored")
    }

    Clause(
      "conversations.effect.once",
      "A call whose answer is lost, late or unreadable has its effect once at most."
    ) { trial in
      let talk = try await trial.started()
      let stored = try await trial.given(.conversationsAreStored)
      let losses = [
        (Condition.answerIsLost, AppError.network(.connectionLost)), (.answerIsLate, .network(.timeout)),
        (.answerIsUnreadable, .network(.unreadableAnswer)),
      ]
      for (condition, error) in losses {
        try await trial.during(condition) {
          await trial.expect(
            ServiceCall(name: "startConversation while \(condition)") {
              _ = try await $0.startConversation(childID: talk.child.id)
            }, throws: error)
          await trial.expect(
            ServiceCall(name: "sendMessageStream while \(condition)") {
              _ = try await $0.sendMessageStream(
                conversationID: talk.conversation.id, message: "While \(condition)",
                childContext: ChildContext(talk.child))
            }, throws: error)
        }
      }
      _ = try await trial.answer(to: "Later", in: talk)
      let said = try await stored.said()
      for (condition, _) in losses {
        let count = said.count { $0 == "While \(condition)" }
        trial.expect(count <= 1, "Expected one message at most while \(condition), found \(count).")
      }
      trial.expect(said.last, equals: "Later", "the last message")
      let count = try await stored.all().count - 1
      trial.expect(
        count <= losses.count, "Expected \(losses.count) more conversations at most, found \(count).")
    }

    Clause("conversations.effect.dates", "Dates are those of the server, to the microsecond.") { trial in
      let talk = try await trial.started()
      let passage = try await trial.given(.timePasses)
      let stored = try await trial.given(.conversationsAreStored)
      try await passage.pass(.microseconds(61_234_567))
      _ = try await trial.answer(to: "One", in: talk)
      try await passage.pass(.microseconds(1_000_001))
      _ = try await trial.answer(to: "Two", in: talk)
      let history = try await trial.history(of: talk)
      let entry = try trial.require(try await stored.all().first, "Expected a stored conversation.")
      trial.expect(
        talk.conversation.createdAt.microseconds, equals: entry.conversation.createdAt.microseconds,
        "the date of the conversation")
      trial.expect(
        history.map(\.createdAt.microseconds), equals: entry.messages.map(\.createdAt.microseconds),
        "the dates of the messages")
      let dates = [talk.conversation.createdAt.microseconds] + history.map(\.createdAt.microseconds)
      for (place, passed) in [(1, 61_234_567), (3, 1_000_001)] where dates.count == 5 {
        let found = dates[place] - dates[place - 1]
        // The server rounds to microseconds, and dates no two statements alike.
        trial.expect(
          (passed - 1...passed + 1_000).contains(Int(found)),
          "Expected \(passed) microseconds before the message \(place), found \(found).")
      }
      trial.expect(history, equals: entry.messages, "the messages")
    }

    Clause(
      "conversations.effect.heard", "The guide receives the message, its context and the history before it."
    ) { trial in
      let talk = try await trial.started()
      let heard = try await trial.given(.guideIsHeard)
      // Not the values of the stored child.
      let contexts = Temperament.allCases.enumerated().map { number, temperament in
        ChildContext(
          age: 16 - number, temperament: temperament, goals: ["Zoe\u{308} \(number)", ""],
          topics: number == 0 ? [] : ["\"a\" \\b", "王", "Cafe\u{301}"])
      }
      var expected: [HeardMessages.Entry] = []
      for (number, context) in contexts.enumerated() {
        expected.append(
          .init(message: "\(number)", context: context, history: try await trial.history(of: talk)))
        _ = await Reading(
          of: try await trial.subject.sendMessageStream(
            conversationID: talk.conversation.id, message: "\(number)", childContext: context))
      }
      let found = heard.all()
      trial.expect(found, equals: expected, "what the guide received")
      // String equality ignores the normalization form, so this compares Unicode scalars.
      func scalars(_ entries: [HeardMessages.Entry]) -> [[Unicode.Scalar]] {
        entries.flatMap { $0.context.goals + $0.context.topics }.map { Array($0.unicodeScalars) }
      }
      trial.expect(
        scalars(found), equals: scalars(expected), "the scalars of the goals and the topics")
    }

    Clause(
      "conversations.effect.memory",
      "The guide receives what is remembered about the child, as it is when the message arrives."
    ) { trial in
      let talk = try await trial.started()
      let heard = try await trial.given(.guideIsHeard)
      let memory = try await trial.given(.childIsRemembered)
      var expected: [HeardMessages.Entry] = []
      for (number, document) in [nil, #"{"likes":["trains","Zoë"]}"#, #"{"fears":{"dogs":true}}"#]
        .enumerated()
      {
        if let document { try await memory.remember(talk.child, document) }
        expected.append(
          .init(
            message: "\(number)", context: ChildContext(talk.child),
            history: try await trial.history(of: talk), memory: document))
        _ = try await trial.answer(to: "\(number)", in: talk)
      }
      trial.expect(heard.all(), equals: expected, "what the guide received")
    }

    Clause(
      "conversations.effect.long-history",
      "A history of more messages than a page is complete, with messages of every role."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let long = try await trial.given(.longConversation)
      let expected = try await long.history()
      let history = try await trial.subject.history(conversationID: long.conversation.id)
      trial.expect(history.count, equals: expected.count, "the number of messages")
      trial.expect(
        history == expected, "Expected the messages in their order, found \(history.count) others.")
    }

    Clause("conversations.effect.long-message", "A long message and its answer are stored whole.") { trial in
      let talk = try await trial.started()
      let message = String(repeating: "łß🧒", count: 10_000)
      let reading = try await trial.answer(to: message, in: talk)
      trial.expectComplete(reading)
      let history = try await trial.history(of: talk).map(\.content)
      trial.expect(
        history == [message, reading.text],
        "Expected \([message.count, reading.text.count]) characters, found \(history.map(\.count)).")
      trial.expect(
        reading.text.contains(message), "Expected an answer to it, found \(reading.text.count) characters.")
    }

    Clause(
      "conversations.effect.two-messages", "Two messages in quick succession are both stored and answered."
    ) { trial in
      let talk = try await trial.started()
      var streams = [
        try await trial.send("One of two", in: talk).makeAsyncIterator(),
        try await trial.send("Two of two", in: talk).makeAsyncIterator(),
      ]
      trial.expect(
        try await trial.history(of: talk).filter { $0.role == .user }.map(\.content),
        equals: ["One of two", "Two of two"], "the messages before the answers")
      var answers = ["", ""]
      for place in [0, 1] {
        var isDone = false
        while let chunk = try await streams[place].next() {
          answers[place] += chunk.text
          isDone = chunk.isDone
        }
        trial.expect(isDone, "Expected the answer \(place + 1) to be done.")
      }
      let history = try await trial.history(of: talk)
      trial.expect(
        history.filter { $0.role == .assistant }.map(\.content), equals: answers, "the stored answers")
      trial.expect(
        history.filter { $0.role == .user }.map(\.content), equals: ["One of two", "Two of two"],
        "the messages after the answers")
    }
  }
}

extension Date {
  /// The microseconds since 2001, which is what a server's date has at most.
  fileprivate var microseconds: Int64 { Int64((timeIntervalSinceReferenceDate * 1_000_000).rounded()) }
}
