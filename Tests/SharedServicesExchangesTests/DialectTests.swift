import Foundation
import SharedServicesInMemory
import Testing
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyRecording
import UnderstudyTransport

/// The emulator answers each exchange as the document says.
struct DialectTests {
  static let user = UUID(uuidString: "a0000000-0000-4000-8000-000000000001") ?? UUID()
  static let other = UUID(uuidString: "b0000000-0000-4000-8000-000000000002") ?? UUID()
  static let child = UUID(uuidString: "c0000000-0000-4000-8000-000000000001") ?? UUID()

  @Test(arguments: try Documents.exchanges)
  func honours(_ exchange: Exchange) async throws {
    let time = ManualTime(.jumping)
    let services = InMemorySharedServices(seed: 1, time: time.time)
    var session: AuthSession?
    for condition in exchange.conditions {
      try Self.bringAbout(condition, in: services, &session)
    }
    let values = [
      "key": services.emulator.apiKey, "token": session?.accessToken ?? "",
      "refresh token": session?.refreshToken ?? "",
    ]
    let server = try #require(URL(string: "http://emulator.invalid"))
    let request = try exchange.request.request(to: server, filling: values)
    let (body, response) = try await InProcessTransport(to: services.emulator, time: time.time).data(
      for: request)
    #expect(exchange.response.differences(from: response, body: body) == [])
  }

  private static func bringAbout(
    _ condition: String, in services: InMemorySharedServices, _ session: inout AuthSession?
  ) throws {
    switch condition {
    case "there is an account":
      try services.addUser(id: user, email: "pat@example.com", password: "correct horse")
    case "signed in":
      try services.addUser(id: user, email: "pat@example.com", password: "correct horse")
      session = try services.authServer.signIn(email: "pat@example.com", password: "correct horse")
    case "there is another user":
      try services.addUser(id: other, email: "kim@example.com", password: "battery staple")
    case "the account is closed": services.authServer.setBanned(true, user: user)
    case "there were too many requests": services.authServer.limitRequests(1, retryAfter: .seconds(30))
    case "the session has ended": services.authServer.endSessions(of: user)
    case "the token has expired": services.authServer.expireAccessTokens(of: user)
    case "a child is stored":
      try services.database.insert(
        [
          "id": .uuid(child), "user_id": .uuid(user), "name": "Robin", "age": 8, "birthday": "2016-02-29",
          "goals": .textArray(["sleep"]), "topics": .textArray(["school"]), "temperament": "spirited",
          "temperament_talkative": 7, "temperament_sensitivity": 3, "temperament_accountability": 5,
        ], into: "children", as: .service)
    case "the database does not keep up": services.database.refuseStatements(with: .statementTimeout)
    case "the pool is exhausted": services.database.refuseStatements(with: .poolTimeout)
    default:
      Issue.record("Nobody knows how to bring about \"\(condition)\". Add it here, or correct the document.")
    }
  }
}
