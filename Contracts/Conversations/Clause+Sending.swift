import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var sending: [Self] {
    Clause("conversations.send.stored", "What the user says is stored once the call returns, and once only.")
    {
      trial in
      let talk = try await trial.started()
      let stream = try await trial.send("Hello", in: talk)
      // Whether the answer is stored before it is read is unspecified.
      let history = try await trial.history(of: talk)
      trial.expect(
        history.first?.role, equals: .user, "the role of the first message before the answer is read")
      trial.expect(
        history.filter { $0.role == .user }.map(\.content), equals: ["Hello"],
        "what was said before the answer is read")
      _ = await Reading(of: stream)
      let after = try await trial.history(of: talk)
      trial.expect(after.first, equals: history.first, "the first message after the answer")
      trial.expect(
        after.filter { $0.role == .user }.count, equals: 1, "how often it is stored after the answer")
    }

    Clause("conversations.send.same", "What is said twice is stored twice, and answered twice.") { trial in
      let talk = try await trial.started()
      for message in ["Hello", "Hello", String(repeating: "A long message. ", count: 40)] {
        trial.expectComplete(try await trial.answer(to: message, in: talk))
      }
      let history = try await trial.history(of: talk)
      trial.expect(
        history.filter { $0.role == .user }.map(\.content),
        equals: ["Hello", "Hello", String(repeating: "A long message. ", count: 40)], "what was said")
      trial.expect(history.count, equals: 6, "the number of messages")
    }

    Clause(
      "conversations.send.unicode", "Any message is stored scalar for scalar and answered, even an empty one."
    ) { trial in
      let talk = try await trial.started()
      for message in Self.messages {
        let reading = try await trial.answer(to: message, in: talk)
        trial.expectComplete(reading)
        let history = try await trial.history(of: talk)
        let stored = history.last { $0.role == .user }?.content ?? ""
        // String equality ignores the normalization form, so this compares Unicode scalars.
        trial.expect(
          Array(stored.unicodeScalars), equals: Array(message.unicodeScalars),
          "the scalars of \(message.debugDescription)")
        trial.expect(
          Array(reading.text.unicodeScalars), equals: Array((history.last?.content ?? "").unicodeScalars),
          "the scalars of the answer to \(message.debugDescription)")
      }
    }

    Clause(
      "conversations.send.again",
      "A message that is sent again under its id is not stored again, and its stored answer is repeated."
    ) { trial in
      let talk = try await trial.started()
      var (said, ids): ([String], [UUID]) = ([], [])
      for message in ["Hello", ""] {
        let id = trial.uuid()
        let first = await Reading(of: try await trial.send(message, under: id, in: talk))
        trial.expectComplete(first)
        said += [message, first.text]
        let history = try await trial.history(of: talk)
        trial.expect(history.map(\.content), equals: said, "what was said")
        trial.expect(history.last { $0.role == .user }?.id, equals: id, "the id of the message")
        let again = try await trial.require("to take the message again") {
          await Reading(of: try await trial.send(message, under: id, in: talk))
        }
        trial.expectComplete(again)
        trial.expect(again.text, equals: first.text, "the repeated answer")
        trial.expect(
          again.chunks.flatMap { $0.sources ?? [] }, equals: first.chunks.flatMap { $0.sources ?? [] },
          "the sources of the repeated answer")
        trial.expect(try await trial.history(of: talk), equals: history, "the history after it")
        ids.append(id)
      }
      let earlier = await Reading(of: try await trial.send("Hello", under: ids[0], in: talk))
      trial.expect(earlier.text, equals: said[1], "the repeated answer to the earlier message")
    }

    Clause(
      "conversations.send.again-unanswered",
      "A message that was stored without an answer is answered when it is sent again under its id."
    ) { trial in
      let talk = try await trial.started()
      var said: [String] = []
      for condition in [Condition.streamDropsAtOnce, .streamEndsEarly] {
        let (id, message) = (trial.uuid(), "While \(condition)")
        try await trial.during(condition) { broken in
          let reading = await Reading(of: try await trial.send(message, under: id, in: talk))
          trial.expect(reading, brokenAfter: broken.chunks, with: .network(.connectionLost))
        }
        let reading = try await trial.require("to take the message again") {
          await Reading(of: try await trial.send(message, under: id, in: talk))
        }
        trial.expectComplete(reading)
        said += [message, reading.text]
        let history = try await trial.history(of: talk)
        trial.expect(history.map(\.content), equals: said, "what was said")
        trial.expect(history.last { $0.role == .user }?.id, equals: id, "the id of the message")
      }
    }

    Clause(
      "conversations.send.lost", "A message whose answer was lost is stored once when it is sent again."
    ) { trial in
      let talk = try await trial.started()
      for (condition, error) in [
        (Condition.answerIsLost, AppError.network(.connectionLost)), (.answerIsLate, .network(.timeout)),
      ] {
        let (id, message) = (trial.uuid(), "While \(condition)")
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.send(message, under: id, in: talk) }
        }
        trial.expectComplete(await Reading(of: try await trial.send(message, under: id, in: talk)))
        let ids = try await trial.history(of: talk).filter { $0.content == message }.map(\.id)
        trial.expect(ids, equals: [id], "the ids under which it is stored")
      }
    }

    Clause(
      "conversations.send.again-otherwise",
      "The id of a stored message with other words, or in another conversation, is a conflict."
    ) { trial in
      let talk = try await trial.started()
      let other = Talk(
        child: talk.child, conversation: try await trial.subject.startConversation(childID: talk.child.id))
      let id = trial.uuid()
      _ = await Reading(of: try await trial.send("Hello", under: id, in: talk))
      let history = try await trial.history(of: talk)
      let answer = try trial.require(history.last, "Expected a stored answer.")
      for (words, id, talk) in [
        ("Hello!", id, talk), ("Hello", id, other), (answer.content, answer.id, talk),
      ] {
        await trial.expect(throws: AppError.network(.conflict)) {
          try await trial.send(words, under: id, in: talk)
        }
      }
      trial.expect(try await trial.history(of: talk), equals: history, "the history after it")
      trial.expect(try await trial.history(of: other), equals: [], "the history of the other conversation")
    }

    Clause(
      "conversations.send.again-scalars",
      "The id of a stored message with the same words in another normal form is a conflict."
    ) { trial in
      let talk = try await trial.started()
      let id = trial.uuid()
      _ = await Reading(of: try await trial.send("Zoë", under: id, in: talk))
      let history = try await trial.history(of: talk)
      await trial.expect(throws: AppError.network(.conflict)) {
        try await trial.send("Zoe\u{308}", under: id, in: talk)
      }
      trial.expect(try await trial.history(of: talk), equals: history, "the history after it")
    }

    Clause("conversations.send.absent", "A message to a missing conversation is refused.") { trial in
      let talk = try await trial.started()
      let id = trial.uuid()
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.sendMessageStream(
          conversationID: id, message: "Hello", childContext: ChildContext(talk.child))
      }
    }

    Clause("conversations.send.hidden", "A user cannot send a message to another user's conversation.") {
      trial in
      let talk = try await trial.started()
      let foreign = try await trial.given(.conversationOfAnotherUser)
      let before = try await foreign.history()
      trial.expect(!before.isEmpty, "Expected the other user's conversation to have messages.")
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.sendMessageStream(
          conversationID: foreign.conversation.id, message: "Hello", childContext: ChildContext(talk.child))
      }
      trial.expect(try await foreign.history(), equals: before, "what the other user sees after it")
    }
  }

  /// Messages that often break quoting, JSON, event framing or normalization.
  private static var messages: [String] {
    [
      "Zoe\u{308} 王小明 👩‍👧‍👦", #"a "b" \c"#, "one\ntwo\r\nthree\rfour", "data: {}\n\nevent: x",
      "\u{2028}\u{FEFF}\u{85}",
      " ", "100 %&=+#", "",
    ]
  }
}
