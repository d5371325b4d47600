import Foundation
import SharedServices
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@testable import SharedServicesLive

/// What goes over the wire for each call, and what is made of each answer.
@Suite(.stallLimit()) struct SupabaseConversationServiceTests {
  static let conversationText = "d4000000-0000-4000-8000-0000000000dd"
  static let conversationID = UUID(uuid: (0xD4, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xDD))
  static let context = ChildContext(age: 8, temperament: .spirited, goals: ["sleep"], topics: [])

  /// An answer of server-sent events.
  static func stream(_ chunks: String..., contentType: String = "text/event-stream") -> HTTP.Response {
    HTTP.Response(
      status: 200, fields: ["Content-Type": contentType],
      body: HTTP.Body(chunks: chunks.map { Data($0.utf8) }))
  }

  private func send(_ bench: Bench) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await bench.conversations.sendMessageStream(
      conversationID: Self.conversationID, message: "Hello", childContext: Self.context)
  }

  /// What a stream gives, and the error that it ends with.
  private func read(_ answer: HTTP.Response) async throws -> ([MessageChunk], AppError?) {
    let bench = try await Bench.signedIn { _, _ in answer }
    var chunks: [MessageChunk] = []
    do {
      for try await chunk in try await send(bench) { chunks.append(chunk) }
    } catch {
      return (chunks, try #require(error as? AppError))
    }
    return (chunks, nil)
  }

  // MARK: - Requests

  @Test func start() async throws {
    let bench = try await Bench.signedIn { _, _ in
      .json(
        """
        {"id":"\(Self.conversationText)","user_id":"\(Sample.userText)","child_id":"\(Sample.childText)",\
        "created_at":"2026-01-03T12:00:00.5+00:00","updated_at":"2026-01-03T12:00:00.5+00:00"}
        """, status: 201)
    }
    let conversation = try await bench.conversations.startConversation(childID: Sample.childID)
    #expect(
      conversation
        == Conversation(
          id: Self.conversationID, userID: Sample.user, childID: Sample.childID,
          createdAt: Date(timeIntervalSinceReferenceDate: 789_134_400.5)))
    let request = try #require(bench.calls.first)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://project.example/base/rest/v1/conversations?select=*")
    #expect(request.fields["Accept"] == "application/vnd.pgrst.object+json")
    #expect(request.fields["Prefer"] == "return=representation")
    #expect(request.text == #"{"child_id":"\#(Sample.childText)","user_id":"\#(Sample.userText)"}"#)
  }

  @Test(arguments: [
    (PostgRESTError.refusedByPolicy(table: "conversations"), AppError.network(.notFound)),
    (.refusedByPolicy(table: "children"), .network(.forbidden)),
    (PostgRESTError(code: "23503", message: "insert or update on table …"), .network(.notFound)),
    (.statementTimeout, .network(.serverError)),
  ])
  func startIsRefused(with error: PostgRESTError, as expected: AppError) async throws {
    let bench = try await Bench.signedIn { _, _ in error.response(isAuthenticated: true) }
    #expect(
      await failure { () throws(AppError) in
        try await bench.conversations.startConversation(childID: Sample.childID)
      } == expected)
  }

  @Test func history() async throws {
    let bench = try await Bench.signedIn { _, _ in
      .json(
        """
        [{"id":"\(Sample.childText)","conversation_id":"\(Self.conversationText)","role":"user",\
        "content":"Hi","sources":null,"created_at":"2026-01-03T12:00:00+00:00"},\
        {"id":"\(Sample.userText)","conversation_id":"\(Self.conversationText)","role":"assistant",\
        "content":"Ho","sources":[{"title":"A","url":"https://a.example/b?c"},{"title":"B","url":null}],\
        "created_at":"2026-01-03T12:00:01+00:00"}]
        """)
    }
    let history = try await bench.conversations.history(conversationID: Self.conversationID)
    let date = Date(timeIntervalSinceReferenceDate: 789_134_400)
    #expect(
      history == [
        Message(
          id: Sample.childID, conversationID: Self.conversationID, role: .user, content: "Hi", createdAt: date
        ),
        Message(
          id: Sample.user, conversationID: Self.conversationID, role: .assistant, content: "Ho",
          sources: [
            Citation(title: "A", url: URL(string: "https://a.example/b?c")), Citation(title: "B"),
          ], createdAt: date.addingTimeInterval(1)),
      ])
    let request = try #require(bench.calls.first)
    #expect(
      request.url.absoluteString == """
        https://project.example/base/rest/v1/messages?select=*&conversation_id=eq.\(Self.conversationText)\
        &order=created_at.asc,id.asc
        """)
  }

  @Test func sendingAMessage() async throws {
    let bench = try await Bench.signedIn { _, _ in Self.stream() }
    _ = try await send(bench)
    let request = try #require(bench.calls.first)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://project.example/base/functions/v1/send-message")
    #expect(request.fields.values(of: "Accept") == ["text/event-stream"])
    #expect(request.fields.values(of: "Content-Type") == ["application/json"])
    #expect(request.fields.values(of: "Authorization") == ["Bearer access-1"])
    #expect(request.timeout == .seconds(30))
    #expect(
      request.text == """
        {"childContext":{"age":8,"goals":["sleep"],"temperament":"spirited","topics":[]},\
        "conversationId":"\(Self.conversationText)","message":"Hello"}
        """)
  }

  @Test func aMessageIsSentAgainOnlyWithNewTokens() async throws {
    let bench = try await Bench.signedIn { request, _ in
      if request.isExchange { return .tokens("2") }
      return request.token == "access-1" ? .json("{}", status: 401) : Self.stream()
    }
    _ = try await send(bench)
    #expect(bench.calls.map(\.token) == ["access-1", "the-key", "access-2"])
    #expect(bench.calls.first?.body == bench.calls.last?.body)

    for status in [408, 500, 502, 503, 504, 520, 546] {
      let bench = try await Bench.signedIn { _, _ in .json("{}", status: status) }
      #expect(
        await failure { () throws(AppError) in try await send(bench) }
          == (status == 408 ? .network(.timeout) : .network(.serverError)))
      #expect(bench.calls.count == 1, "The message may be stored, so it is not sent again after \(status).")
    }
    let broken = try await Bench.signedIn { _, _ in throw TransportError(.connectionLost, "cut") }
    #expect(await failure { () throws(AppError) in try await send(broken) } == .network(.connectionLost))
    #expect(broken.calls.count == 1)
  }

  // MARK: - Refusals

  @Test(arguments: [200, 401, 404, 500]) func theRelayIsLookedAtBeforeTheStatus(status: Int) async throws {
    let bench = try await Bench.signedIn { _, _ in
      HTTP.Response(
        status: status, fields: ["x-relay-error": "true", "Content-Type": "text/event-stream"],
        body: HTTP.Body(Data("data: {\"text\":\"\",\"isDone\":true}\n\n".utf8)))
    }
    #expect(await failure { () throws(AppError) in try await send(bench) } == .network(.serverError))
    #expect(bench.calls.count == 1, "Such a 401 is not about the token.")
  }

  @Test(arguments: [
    (404, "", #"{"code":"PGRST116","message":"…"}"#, AppError.network(.notFound)),
    (404, "NOT_FOUND", #"{"code":"NOT_FOUND"}"#, .network(.serverError)),
    (403, "", "", .network(.forbidden)),
    (429, "", "slow down", .network(.rateLimited(retryAfter: .seconds(7)))),
    (504, "IDLE_TIMEOUT", "", .network(.serverError)),
    (400, "", #"{"code":"22021","message":"invalid byte sequence"}"#, .validation(.malformed(field: nil))),
  ])
  func aRefusal(status: Int, code: String, body: String, expected: AppError) async throws {
    let bench = try await Bench.signedIn { _, _ in
      .json(
        body, status: status,
        fields: code.isEmpty ? ["Retry-After": "7"] : ["Retry-After": "7", "sb-error-code": code])
    }
    #expect(await failure { () throws(AppError) in try await send(bench) } == expected)
  }

  @Test(arguments: ["text/event-stream", "text/event-stream; charset=utf-8", "Text/Event-Stream ;x"])
  func aContentTypeThatIsRight(_ type: String) async throws {
    let (chunks, error) = try await read(
      Self.stream("data: {\"text\":\"a\",\"isDone\":true}\n\n", contentType: type))
    #expect(chunks == [MessageChunk(text: "a", isDone: true)])
    #expect(error == nil)
  }

  @Test(arguments: ["", "application/json", "text/event-streams", "text/plain; text/event-stream"])
  func aContentTypeThatIsWrong(_ type: String) async throws {
    let bench = try await Bench.signedIn { _, _ in
      Self.stream("data: {\"text\":\"a\",\"isDone\":true}\n\n", contentType: type)
    }
    #expect(await failure { () throws(AppError) in try await send(bench) } == .network(.unreadableAnswer))
  }

  @Test func aSuccessWithoutAStream() async throws {
    let bench = try await Bench.signedIn { _, _ in
      HTTP.Response(status: 204, fields: ["Content-Type": "text/event-stream"])
    }
    #expect(await failure { () throws(AppError) in try await send(bench) } == .network(.unreadableAnswer))
  }

  // MARK: - Streams

  @Test func chunksInAllTheirForms() async throws {
    let (chunks, error) = try await read(
      Self.stream(
        "\u{FEFF}: hello\n\ndata: {\"text\":\"a\",\"isDone\":false,\"new\":1}\r\n\r\nevent: ping\ndata: x\n\n",
        "id: 7\ndata: {\"text\":\"\",\"sources\":[{\"title\":\"A\"}],\ndata: \"isDone\":fal", "se}\n",
        "\ndata: {\"text\":\"\",\"sources\":null,\"isDone\":true}\n\ndata: {\"text\":\"more\",\"isDone\":false}\n\n"
      ))
    #expect(
      chunks == [
        MessageChunk(text: "a"), MessageChunk(text: "", sources: [Citation(title: "A")]),
        MessageChunk(text: "", isDone: true),
      ])
    #expect(error == nil)
  }

  @Test(arguments: [
    "{\"text\":7,\"isDone\":false}", "{\"text\":\"a\"}", "{\"isDone\":false}", "[]", "[DONE]", "",
    "{\"text\":\"a\",\"isDone\":\"false\"}", "{\"text\":\"a\",\"isDone\":false", "\u{FFFD}",
    "{\"text\":\"a\",\"isDone\":false,\"sources\":{}}",
  ])
  func anEventThatCannotBeRead(data: String) async throws {
    let (chunks, error) = try await read(
      Self.stream("data: {\"text\":\"a\",\"isDone\":false}\n\ndata: \(data)\n\n"))
    #expect(chunks == [MessageChunk(text: "a")])
    #expect(error == .network(.unreadableAnswer))
  }

  @Test(arguments: ["", "data: {\"text\":\"b\",\"isDone\":true}\n", "data: {\"text\":\"b\",\"isDone\":true}"])
  func anAnswerThatIsNotDone(rest: String) async throws {
    let (chunks, error) = try await read(
      Self.stream("data: {\"text\":\"a\",\"isDone\":false}\n\n\(rest)"))
    #expect(chunks == [MessageChunk(text: "a")])
    #expect(error == .network(.connectionLost), "An event without its blank line is incomplete.")
  }

  @Test(arguments: ["left", "done", "corrupt"]) func theBodyIsReleased(when route: String) async throws {
    let released = Locked(false)
    let bench = try await Bench.signedIn { _, _ in
      let token = Token { released.withLock { $0 = true } }
      return HTTP.Response(
        status: 200, fields: ["Content-Type": "text/event-stream"],
        body: HTTP.Body(unfolding: {
          token.touch()
          return Data(
            (route == "corrupt" ? "data: x\n\n" : "data: {\"text\":\"a\",\"isDone\":\(route == "done")}\n\n")
              .utf8
          )
        }))
    }
    if route == "left" {
      try await { for try await _ in try await send(bench) { break } }()
      #expect(released.withLock { $0 })
    } else {
      let stream = try await send(bench)
      var iterator = stream.makeAsyncIterator()
      _ = try? await iterator.next()
      #expect(released.withLock { $0 }, "At the end, although the stream is still there.")
      #expect(try await iterator.next() == nil)
    }
  }

  private final class Token: Sendable {
    let release: @Sendable () -> Void
    init(release: @escaping @Sendable () -> Void) { self.release = release }
    func touch() {}
    deinit { release() }
  }
}
