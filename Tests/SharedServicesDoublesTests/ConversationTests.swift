import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import TestSupport
import Testing
import UnderstudyTesting

/// What the contract cannot say: the writer, and what the function says over HTTP.
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

    /// Calls the function `send-message`.
    func call(
      _ method: HTTP.Method = .post, id: UUID? = nil, token: String? = nil, body: String? = nil
    ) async throws -> HTTP.Response {
      let token =
        try token ?? services.authServer.signIn(email: "pat@example.com", password: "secret1").accessToken
      let id = (id ?? conversation.id).uuidString
      let text =
        body
          ?? """
          {"conversationId":"\(id)","message":"Hello",\
          "childContext":{"age":8,"temperament":"cautious","goals":["sleep"],"topics":["school"]}}
          """
      return try await services.emulator.respond(
        to: HTTP.Request(
          method, try #require(URL(string: "http://emulator.invalid/functions/v1/send-message")),
          fields: ["apikey": services.emulator.apiKey, "Authorization": "Bearer \(token)"],
          body: Data(text.utf8)))
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
    _ = try await talk.call().body.collect()
    let child = #"8 cautious ["sleep"] ["school"]"#
    #expect(
      seen.withLock { $0 } == [
        child, " | One", child, "user: One, assistant: A0 | Two", child,
        "user: One, assistant: A0, user: Two, assistant: A2 | Hello",
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

  @Test func theFunctionStreamsAnEventForEachChunk() async throws {
    let talk = try await Talk(
      ReplyWriter { _, _, _ in
        Reply([
          MessageChunk(text: "a\nb"),
          MessageChunk(text: "", sources: [Citation(title: "T", url: URL(string: "https://a.example/b"))]),
          MessageChunk(text: "", isDone: true),
        ])
      })
    let response = try await talk.call()
    #expect(response.status == 200)
    #expect(response.fields["Content-Type"] == "text/event-stream")
    #expect(response.fields["Cache-Control"] == "no-cache")
    // Seed 001 sends it, but it is not part of an answer (RFC 9110 §7.6.1).
    #expect(response.fields["Connection"] == nil)
    var chunks: [String] = []
    for try await chunk in response.body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
    #expect(
      chunks == [
        "data: {\"isDone\":false,\"text\":\"a\\nb\"}\n\n",
        "data: {\"isDone\":false,\"sources\":[{\"title\":\"T\",\"url\":\"https://a.example/b\"}],\"text\":\"\"}\n\n",
        "data: {\"isDone\":true,\"text\":\"\"}\n\n",
      ])
    #expect(try await talk.history.map(\.content) == ["Hello", "a\nb"])
  }

  @Test func theFunctionRefuses() async throws {
    let talk = try await Talk(.standard)
    let anonymous = talk.services.emulator.apiKey
    for (response, status) in [
      (try await talk.call(.get), 405), (try await talk.call(body: "{"), 400),
      (try await talk.call(body: #"{"conversationId":"x"}"#), 400), (try await talk.call(id: UUID()), 404),
      (try await talk.call(token: anonymous), 404), (try await talk.call(token: "expired"), 401),
    ] {
      #expect(response.status == status)
      #expect(response.fields["Content-Type"] == "application/json")
    }
    talk.services.database.refuseStatements(with: .statementTimeout, kind: .insert, on: "messages")
    #expect(try await talk.call().status == 500)
    talk.services.database.acceptStatements()
    #expect(try await talk.history.isEmpty)
  }

  /// The head has been sent, so the stream breaks; its reader must not take the answer for complete.
  @Test func anAnswerThatCannotBeStoredIsNotDone() async throws {
    let talk = try await Talk(.standard)
    let stream = try await talk.services.conversations.sendMessageStream(
      conversationID: talk.conversation.id, message: "Hello", childContext: ChildContext(talk.child))
    let body = try await talk.call().body
    talk.services.database.refuseStatements(with: .statementTimeout, kind: .insert, on: "messages")
    await #expect(throws: AppError.network(.connectionLost)) { for try await _ in stream {} }
    do {
      _ = try await body.collect()
      Issue.record("The body ended well.")
    } catch {
      #expect(error.code == .connectionLost)
    }
    talk.services.database.acceptStatements()
    #expect(try await talk.history.map(\.role) == [.user, .user])
  }

  @Test func aFunctionOfOnesOwnTakesThePlaceOfTheStandardOne() async throws {
    let services = InMemorySharedServices(functions: ["send-message": { _, _ in HTTP.Response(status: 204) }])
    let response = try await services.emulator.respond(
      to: HTTP.Request(
        .post, try #require(URL(string: "http://emulator.invalid/functions/v1/send-message")),
        fields: ["apikey": services.emulator.apiKey]))
    #expect(response.status == 204)
  }

  @Test(Effort.needsAll) func whoIsTooFarBehindLosesTheSubscriptionAndNotAChange() async throws {
    let talk = try await Talk(.standard)
    let changes = try await talk.services.realtime.childChanges()
    for number in 0...10_000 {
      _ = try talk.services.database.update(
        "children", set: ["age": .integer(6 + number % 11)], where: .equals("id", .uuid(talk.child.id)))
    }
    var count = 0
    await #expect(throws: AppError.network(.connectionLost)) { for try await _ in changes { count += 1 } }
    #expect(count == 10_000)
  }
}
