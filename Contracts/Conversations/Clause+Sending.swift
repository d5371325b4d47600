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
