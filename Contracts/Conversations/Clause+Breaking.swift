import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var breaking: [Self] {
    Clause("conversations.break.drop", "What arrived before a connection breaks is delivered, then the loss.")
    { trial in
      let talk = try await trial.started()
      try await trial.expectAnAnswer(in: talk, toBreakWhile: .streamDrops, with: .network(.connectionLost))
      let other = Talk(
        child: talk.child, conversation: try await trial.subject.startConversation(childID: talk.child.id))
      try await trial.expectAnAnswer(
        in: other, toBreakWhile: .streamDropsAtOnce, with: .network(.connectionLost))
    }

    Clause("conversations.break.stall", "An answer that falls silent ends in a time-out.") {
      try await $0.expectAnAnswer(
        in: try await $0.started(), toBreakWhile: .streamStalls, with: .network(.timeout))
    }

    Clause("conversations.break.corrupt", "What cannot be read is an error after what could be read.") {
      try await $0.expectAnAnswer(
        in: try await $0.started(), toBreakWhile: .streamIsCorrupt, with: .network(.unreadableAnswer))
    }

    Clause("conversations.break.ends-early", "An answer that ends before it is done is lost, not a success.")
    {
      try await $0.expectAnAnswer(
        in: try await $0.started(), toBreakWhile: .streamEndsEarly, with: .network(.connectionLost))
    }

    Clause("conversations.break.over", "After its error a stream is over.") { trial in
      let talk = try await trial.started()
      _ = try await trial.given(.streamDrops)
      let stream = try await trial.send("Hello", in: talk)
      trial.expect(await Reading(of: stream).error != nil, "Expected an error.")
      let rest = await Reading(of: stream)
      trial.expect(rest.chunks, equals: [], "the chunks after the error")
      trial.expect(rest.error == nil, "Expected no second error, found \(rest.error as Any).")
    }

    Clause("conversations.break.recovery", "However an answer breaks off, the next one is whole.") { trial in
      let talk = try await trial.started()
      var said: [String] = []
      for condition in [
        Condition.streamDrops, .streamStalls, .streamIsCorrupt, .streamEndsEarly,
      ] {
        try await trial.during(condition) { _ in
          let reading = try await trial.answer(to: "While \(condition)", in: talk)
          trial.expect(reading.error != nil, "Expected an error while \(condition).")
        }
        let reading = try await trial.answer(to: "After \(condition)", in: talk)
        trial.expectComplete(reading)
        let history = try await trial.history(of: talk)
        said += ["While \(condition)", "After \(condition)"]
        trial.expect(
          history.filter { $0.role == .user }.map(\.content), equals: said, "what the user has said")
        trial.expect(history.last?.content, equals: reading.text, "the last that was said")
      }
    }

    Clause("conversations.break.apart", "An answer that breaks off leaves another one whole.") { trial in
      let one = try await trial.started()
      let other = Talk(
        child: one.child, conversation: try await trial.subject.startConversation(childID: one.child.id))
      let stream = try await trial.send("Whole", in: one)
      var chunks = stream.makeAsyncIterator()
      let first = try await chunks.next()
      try await trial.during(.streamDrops) { _ in
        trial.expect(try await trial.answer(to: "Broken", in: other).error != nil, "Expected an error.")
      }
      let rest = await Reading(of: stream)
      trial.expectComplete(rest)
      trial.expect(
        try await trial.history(of: one).last?.content, equals: (first?.text ?? "") + rest.text,
        "the stored answer")
    }
  }
}

extension Trial where Subject == any ConversationService {
  /// Expects an answer to be delivered up to the break, followed by the error, with no partial answer stored.
  ///
  /// The complete answer may be stored: the backend may have finished writing it before the connection broke.
  fileprivate func expectAnAnswer(
    in talk: Talk, toBreakWhile condition: Condition<BrokenStream>, with error: AppError,
    fileID: String = #fileID, line: Int = #line
  ) async throws {
    let reading = try await during(condition) { stream in
      let reading = try await answer(to: "Hello", in: talk)
      expect(reading, brokenAfter: stream.chunks, with: error, fileID: fileID, line: line)
      expect(
        stream.chunks == 0 || !reading.text.isEmpty, "Expected some text before the break.", fileID: fileID,
        line: line)
      return reading
    }
    let history = try await history(of: talk)
    expect(
      history.filter { $0.role == .user }.map(\.content), equals: ["Hello"], "what the user has said",
      fileID: fileID, line: line)
    let answers = history.filter { $0.role == .assistant }.map(\.content)
    expect(
      answers.isEmpty || answers.count == 1 && answers[0].count > reading.text.count,
      "Expected no part of the answer to be stored, found \(answers).", fileID: fileID, line: line)
  }
}
