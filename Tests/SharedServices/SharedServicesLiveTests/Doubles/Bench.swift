import Foundation
import SharedServices
import SharedServicesLive
import TestSupport
import Understudy
import UnderstudyHTTP

extension HTTP.Request {
  var query: String { url.query(percentEncoded: true) ?? "" }
  var isExchange: Bool { query == "grant_type=refresh_token" }
  var isSignIn: Bool { query == "grant_type=password" }
  var token: String { String((fields["Authorization"] ?? "").dropFirst("Bearer ".count)) }
  var text: String { String(decoding: body ?? Data(), as: UTF8.self) }
}

extension HTTP.Response {
  static func json(_ text: String, status: Int = 200, fields: HTTP.Fields = [:]) -> HTTP.Response {
    HTTP.Response(status: status, fields: fields, body: Data(text.utf8), contentType: "application/json")
  }

  /// What GoTrue answers with tokens that end in `suffix`.
  static func tokens(_ suffix: String, user: UUID = Sample.user, expiresIn: Int = 3600) -> HTTP.Response {
    .json(
      """
      {"access_token":"access-\(suffix)","token_type":"bearer","expires_in":\(expiresIn),"expires_at":1,\
      "refresh_token":"refresh-\(suffix)","user":{"id":"\(user.uuidString.lowercased())","email":"a@b.c"}}
      """)
  }
}

enum Sample {
  static let user = UUID(uuid: (0xA1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xAA))
  static let otherUser = UUID(uuid: (0xB2, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xBB))
  static let childID = UUID(uuid: (0xC3, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xCC))
  static let userText = "a1000000-0000-4000-8000-0000000000aa"
  static let childText = "c3000000-0000-4000-8000-0000000000cc"

  static func row(updatedAt: String = "2026-01-04T12:00:00+00:00") -> String {
    """
    {"id":"\(childText)","user_id":"\(userText)","name":"Emma","age":8,"birthday":"2016-01-15",\
    "goals":["sleep"],"topics":[],"temperament":"spirited","temperament_talkative":7,\
    "temperament_sensitivity":2,"temperament_accountability":5,\
    "created_at":"2026-01-03T12:00:00.123456+00:00","updated_at":"\(updatedAt)"}
    """
  }

  static func newChild() throws -> NewChild {
    NewChild(
      userID: user, name: "Emma", age: 8, birthday: try day("2016-01-15"), goals: ["sleep"],
      temperament: .spirited, talkativeness: 7, sensitivity: 2)
  }

  static func child() throws -> Child {
    Child(
      id: childID, userID: user, name: "Emma", age: 8, birthday: try day("2016-01-15"), goals: ["sleep"],
      topics: [], temperament: .spirited, talkativeness: 7, sensitivity: 2, accountability: 5,
      createdAt: Date(timeIntervalSinceReferenceDate: 789_134_400.123456),
      updatedAt: Date(timeIntervalSinceReferenceDate: 789_220_800))
  }

  private struct NoSuchDay: Error {}

  private static func day(_ text: String) throws -> CalendarDate {
    guard let day = CalendarDate(text) else { throw NoSuchDay() }
    return day
  }
}

/// A client over a script, with its services and a clock that stands still.
struct Bench {
  /// Answers a request, with its number from 0.
  typealias Script = @Sendable (HTTP.Request, Int) async throws -> HTTP.Response

  let transport: ScriptedTransport
  let clock = TestClock()
  let client: SupabaseClient
  let auth: SupabaseAuthService
  let children: SupabaseChildrenService
  let conversations: SupabaseConversationService

  /// A sign-in that the script does not see is answered with the tokens `access-1` and `refresh-1`.
  init(
    tokenLifetime: Int = 3600, answersSignIn: Bool = true, _ script: @escaping Script
  ) throws {
    transport = ScriptedTransport(numbering: { request, number in
      if answersSignIn && request.isSignIn { return .tokens("1", expiresIn: tokenLifetime) }
      return try await script(request, number)
    })
    guard let url = URL(string: "https://project.example/base") else { throw URLError(.badURL) }
    client = SupabaseClient(
      SupabaseConfiguration(projectURL: url, apiKey: "the-key"), over: transport, clock: clock.time.clock,
      now: clock.time.date)
    auth = SupabaseAuthService(client)
    children = SupabaseChildrenService(client)
    conversations = SupabaseConversationService(client)
  }

  /// A bench whose user is signed in.
  static func signedIn(
    tokenLifetime: Int = 3600, _ script: @escaping Script
  ) async throws -> Bench {
    let bench = try Bench(tokenLifetime: tokenLifetime, script)
    _ = try await bench.auth.signIn(email: "a@b.c", password: "secret")
    return bench
  }

  /// The requests after those of signing in.
  var calls: [HTTP.Request] { transport.requests.filter { !$0.isSignIn } }
}

/// What a call throws, if it throws.
func failure<Success>(_ call: () async throws(AppError) -> Success) async -> AppError? {
  do throws(AppError) {
    _ = try await call()
    return nil
  } catch {
    return error
  }
}
