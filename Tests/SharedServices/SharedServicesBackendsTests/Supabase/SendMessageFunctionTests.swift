import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesDoubles
import SharedServicesLive
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import Testing
import UnderstudyTesting

/// What the contract cannot say: what the function says over HTTP.
@Suite(.stallLimit()) struct SendMessageFunctionTests {
  struct Talk {
    let services: SupabaseBackend
    let child: Child
    let conversation: Conversation
    let conversations: any ConversationService

    init(_ writer: ReplyWriter) async throws {
      services = SupabaseBackend(replyWriter: writer)
      let user = try services.addUser(email: "pat@example.com", password: "secret1")
      child = try await DatabaseChildrenService(services, as: user).createChild(
        NewChild(
          userID: user, name: "Mia", age: 8,
          birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4)),
          goals: ["sleep"], topics: ["school"], temperament: .cautious))
      let client = SupabaseClient(
        SupabaseConfiguration(
          projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: services.emulator.apiKey),
        over: InProcessTransport(to: services.emulator))
      _ = try await SupabaseAuthService(client).signIn(email: "pat@example.com", password: "secret1")
      conversations = SupabaseConversationService(client)
      conversation = try await conversations.startConversation(childID: child.id)
    }

    var history: [Message] {
      get async throws { try await conversations.history(conversationID: conversation.id) }
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
    let stream = try await talk.conversations.sendMessageStream(
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
    let services = SupabaseBackend(functions: ["send-message": { _, _ in HTTP.Response(status: 204) }])
    let response = try await services.emulator.respond(
      to: HTTP.Request(
        .post, try #require(URL(string: "http://emulator.invalid/functions/v1/send-message")),
        fields: ["apikey": services.emulator.apiKey]))
    #expect(response.status == 204)
  }
}
