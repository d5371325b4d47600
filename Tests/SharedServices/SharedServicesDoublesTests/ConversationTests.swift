import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import TestSupport
import Testing
import UnderstudyTesting

/// What the contract cannot say: the writer, and its answers that cannot be stored.
@Suite(.stallLimit()) struct ConversationTests {
  struct Talk {
    let services: InMemorySharedServices
    let child: Child
    let conversation: Conversation

    init(_ writer: ReplyWriter) async throws {
      services = InMemorySharedServices(replyWriter: writer)
      let user = try services.addUser(email: "pat@example.com", password: "secret1")
      _ = try await services.auth.signIn(email: "pat@example.com", password: "secret1")
      child = try await services.children.createChild(
        NewChild(
          userID: user, name: "Mia", age: 8,
          birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4)),
          goals: ["sleep"], topics: ["school"], temperament: .cautious))
      conversation = try await services.conversations.startConversation(childID: child.id)
    }

    func answer(to message: String) async throws -> [MessageChunk] {
      var chunks: [MessageChunk] = []
      let stream = try await services.conversations.sendMessageStream(
        conversationID: conversation.id, message: message, childContext: ChildContext(child))
      for try await chunk in stream { chunks.append(chunk) }
      return chunks
    }

    var history: [Message] {
      get async throws { try await services.conversations.history(conversationID: conversation.id) }
    }
  }

  @Test func theWriterReceivesTheChildAndTheHistory() async throws {
    let seen = Locked<[String]>([])
    let talk = try await Talk(
      ReplyWriter { child, history, message in
        seen.withLock {
          $0.append("\(child.age) \(child.temperament) \(child.goals) \(child.topics)")
          $0.append(history.map { "\($0.role): \($0.content)" }.joined(separator: ", ") + " | " + message)
        }
        return Reply([MessageChunk(text: "A\(history.count)", isDone: true)])
      })
    #expect(try await talk.answer(to: "One").map(\.text) == ["A0"])
    #expect(try await talk.answer(to: "Two").map(\.text) == ["A2"])
    _ = try await talk.answer(to: "Three")
    let child = #"8 cautious ["sleep"] ["school"]"#
    #expect(
      seen.withLock { $0 } == [
        child, " | One", child, "user: One, assistant: A0 | Two", child,
        "user: One, assistant: A0, user: Two, assistant: A2 | Three",
      ])
  }

  @Test func theStandardWriterRepeatsItself() async throws {
    let (one, other) = (try await Talk(.standard), try await Talk(.standard))
    let chunks = try await one.answer(to: "Why, 👧?")
    #expect(try await other.answer(to: "Why, 👧?") == chunks)
    #expect(
      chunks.map(\.text).joined().hasPrefix("(1) You said: “Why, 👧?”. With a child of 8 who is cautious,"))
    #expect(chunks.count >= 16)
    #expect(chunks.last == MessageChunk(text: "", isDone: true))
    #expect(chunks.compactMap(\.sources) == [ReplyWriter.sources])
    #expect(try await one.answer(to: "Why?").first?.text == "(2) ")
  }

  @Test(Effort.needsAll) func whoIsTooFarBehindLosesTheSubscriptionAndNotAChange() async throws {
    let talk = try await Talk(.standard)
    let changes = try await talk.services.realtime.childChanges()
    for _ in 0...10_000 { _ = try await talk.services.children.updateChild(talk.child) }
    var count = 0
    await #expect(throws: AppError.network(.connectionLost)) { for try await _ in changes { count += 1 } }
    #expect(count == 10_000)
  }

  /// A reader must not take the answer for complete.
  @Test func anAnswerThatCannotBeStoredIsNotDone() async throws {
    for isRemoved in [false, true] {
      let talk = try await Talk(.standard)
      let stream = try await talk.services.conversations.sendMessageStream(
        conversationID: talk.conversation.id, message: "Hello", childContext: ChildContext(talk.child))
      if isRemoved {
        try await talk.services.children.deleteChild(id: talk.child.id)
      } else {
        talk.services.backend.failCalls(true)
      }
      let isDone = Locked(false)
      await #expect(throws: AppError.network(.connectionLost)) {
        for try await chunk in stream where chunk.isDone { isDone.withLock { $0 = true } }
      }
      let wasDone = isDone.withLock(\.self)
      #expect(!wasDone)
      talk.services.backend.failCalls(false)
      #expect(try await talk.history.map(\.role) == (isRemoved ? [] : [.user]))
    }
  }
}
