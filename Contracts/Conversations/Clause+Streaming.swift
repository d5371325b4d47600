import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var streaming: [Self] {
    Clause("conversations.stream.pieces", "An answer comes in pieces that join to what is stored of it.") {
      trial in
      let talk = try await trial.started()
      let reading = try await trial.answer(to: "Hello", in: talk)
      trial.expectComplete(reading)
      trial.expect(
        reading.chunks.count { !$0.text.isEmpty } > 1,
        "Expected several pieces, found \(reading.chunks.map(\.text)).")
      let stored = try await trial.history(of: talk).last
      trial.expect(stored?.role, equals: .assistant, "the role of the last message")
      trial.expect(stored?.content, equals: reading.text, "the stored answer")
    }

    Clause("conversations.stream.done", "The answer is stored by the time that a chunk says it is done.") {
      trial in
      let talk = try await trial.started()
      var chunks = try await trial.send("Hello", in: talk).makeAsyncIterator()
      while let chunk = try await chunks.next(), !chunk.isDone {}
      trial.expect(
        try await trial.history(of: talk).map(\.role), equals: [.user, .assistant], "the roles")
      trial.expect(try await chunks.next() == nil, "Expected the stream to end after the chunk that is done.")
    }

    Clause("conversations.stream.ends", "After the chunk that is done nothing comes, whatever is sent.") {
      trial in
      let talk = try await trial.started()
      _ = try await trial.given(.answerGoesOn)
      let reading = try await trial.answer(to: "Hello", in: talk)
      trial.expectComplete(reading)
      trial.expect(
        try await trial.history(of: talk).last?.content, equals: reading.text, "the stored answer")
    }

    Clause(
      "conversations.stream.empty-last", "A last chunk without text completes an answer, adding nothing."
    ) { trial in
      let talk = try await trial.started()
      _ = try await trial.given(.lastChunkIsEmpty)
      let reading = try await trial.answer(to: "Hello", in: talk)
      trial.expectComplete(reading)
      trial.expect(reading.chunks.last?.text, equals: "", "the text of the last chunk")
      trial.expect(
        try await trial.history(of: talk).last?.content, equals: reading.text, "the stored answer")
    }

    Clause(
      "conversations.stream.full-last", "A last chunk with text and sources is delivered and stored whole."
    ) { trial in
      let talk = try await trial.started()
      let sources = try await trial.given(.answerNamesSources)
      _ = try await trial.given(.lastChunkIsFull)
      let reading = try await trial.answer(to: "Hello", in: talk)
      trial.expectComplete(reading)
      trial.expect(reading.chunks.last?.text.isEmpty == false, "Expected text in the last chunk.")
      trial.expect(reading.chunks.last?.sources, equals: sources, "the sources of the last chunk")
      let stored = try await trial.history(of: talk).last
      trial.expect(stored?.content, equals: reading.text, "the stored answer")
      trial.expect(stored?.sources, equals: sources, "the stored sources")
    }

    Clause(
      "conversations.stream.sources",
      "The sources that an answer names are streamed and stored, in every conversation."
    ) { trial in
      let one = try await trial.started()
      let other = Talk(
        child: one.child, conversation: try await trial.subject.startConversation(childID: one.child.id))
      let sources = try await trial.given(.answerNamesSources)
      for (name, talk) in [("first", one), ("second", other)] {
        let reading = try await trial.answer(to: "Hello", in: talk)
        trial.expectComplete(reading)
        trial.expect(
          reading.chunks.flatMap { $0.sources ?? [] }, equals: sources,
          "the sources in the stream of the \(name) conversation")
        trial.expect(
          try await trial.history(of: talk).map(\.sources), equals: [[], sources],
          "the sources of the question and the answer in the \(name) conversation")
      }
    }

    Clause(
      "conversations.stream.smallest-pieces", "However an answer is split in transit, no character is lost."
    ) { trial in
      let talk = try await trial.started()
      _ = try await trial.given(.piecesAreSmallest)
      let message = "Zoë 王小明 👩‍👧‍👦"
      let reading = try await trial.answer(to: message, in: talk)
      trial.expectComplete(reading)
      let stored = try await trial.history(of: talk).last?.content ?? ""
      trial.expect(
        Array(reading.text.unicodeScalars), equals: Array(stored.unicodeScalars), "the scalars of the answer")
      trial.expect(
        !reading.text.unicodeScalars.contains("\u{FFFD}"), "Expected no replaced characters: \(reading.text)")
    }

    Clause("conversations.stream.two-at-once", "Two answers that are read by turns do not mix.") { trial in
      let one = try await trial.started()
      let other = Talk(
        child: one.child, conversation: try await trial.subject.startConversation(childID: one.child.id))
      var streams = [
        try await trial.send("First of two", in: one).makeAsyncIterator(),
        try await trial.send("Second of two", in: other).makeAsyncIterator(),
      ]
      var texts = ["", ""]
      var open: Set = [0, 1]
      while !open.isEmpty {
        for index in open.sorted() {
          guard let chunk = try await streams[index].next() else {
            open.remove(index)
            continue
          }
          texts[index] += chunk.text
        }
      }
      let stored = [try await trial.history(of: one), try await trial.history(of: other)]
      trial.expect(
        stored.map { $0.map(\.role) }, equals: [[.user, .assistant], [.user, .assistant]], "the roles")
      trial.expect(texts, equals: stored.map { $0.last?.content ?? "" }, "the answers")
      trial.expect(
        stored.map { $0.first?.content }, equals: ["First of two", "Second of two"], "the questions")
    }
  }
}
