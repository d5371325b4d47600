import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import SharedServicesForum
import SharedServicesLive
import Testing
import UnderstudyRecording

/// The live client sends each exchange's request, and reports of its answer what the document says.
struct LiveClientTests {
  @Test(arguments: try Documents.exchanges)
  func reads(_ exchange: Exchange) async throws {
    let time = ManualTime(.jumping).time
    let transport = DocumentedTransport(exchange: exchange, time: time)
    let client = SupabaseClient(
      SupabaseConfiguration(
        projectURL: try #require(URL(string: "http://documented.invalid")), apiKey: "key", backOff: .none),
      over: transport, time: time)
    let auth = SupabaseAuthService(client)
    if exchange.operation != "signIn" {
      _ = try await auth.signIn(email: "pat@example.com", password: "correct horse")
    }
    transport.begin()

    let outcome =
      switch exchange.id.prefix(while: { $0 != "." }) {
      case "conversations":
        await ConversationExchange(exchange).outcome(of: SupabaseConversationService(client))
      case "forum":
        await ForumExchange(exchange).outcome(
          of: HTMLForumsClient(
            at: try #require(URL(string: "http://documented.invalid")), over: transport, time: time))
      case "messages":
        await MessageExchange(exchange).outcome(
          of: HTTPMessageHistoryService(
            MessageFeedConfiguration(serverURL: try #require(URL(string: "http://documented.invalid"))),
            over: transport, time: time))
      default: await Self.call(exchange, auth, SupabaseChildrenService(client))
      }
    #expect(try outcome == Self.expectedOutcome(of: exchange))

    let sent = try #require(transport.sent.first, "The client sent nothing.")
    let values = [
      "key": "key", "token": DocumentedTransport.token, "refresh token": DocumentedTransport.refreshToken,
    ]
    let documented = try exchange.request.request(
      to: try #require(URL(string: "http://documented.invalid")), filling: values)
    #expect(sent.method == documented.method)
    #expect(sent.url.path() == documented.url.path())
    #expect(Self.query(of: sent) == Self.query(of: documented))
    for field in documented.fields {
      #expect(sent.fields[field.name] == field.value, "\(field.name)")
    }
    #expect(Self.content(sent.body) == Self.content(documented.body))
  }

  /// What a call gave, in words that can be compared.
  private static func call(
    _ exchange: Exchange, _ auth: some AuthService, _ children: some ChildrenService
  ) async -> String {
    do throws(AppError) {
      switch exchange.operation {
      case "signIn":
        let password = exchange.request.body?["password"]?.stringValue ?? ""
        return "user \(try await auth.signIn(email: "pat@example.com", password: password))"
      case "refresh": try await auth.refresh()
      case "signOut": try await auth.signOut()
      case "createChild": return describe(try await children.createChild(try newChild(exchange)))
      case "updateChild": return describe(try await children.updateChild(try child(exchange)))
      case "fetchChildren":
        return "[\(try await children.fetchChildren(userID: DocumentedProject.user).map(describe).joined())]"
      case "deleteChild": try await children.deleteChild(id: DocumentedProject.child)
      default: return "unknown operation \(exchange.operation)"
      }
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  /// Written from the document alone: the body's own members, and the names of errors.
  private static func expectedOutcome(of exchange: Exchange) throws -> String {
    switch exchange.meaning {
    case _ where exchange.id.hasPrefix("forum."): return ForumExchange(exchange).expectedOutcome
    case .result("child"): return describe(exchange.response.body)
    case .result("children"):
      guard case .array(let rows) = exchange.response.body else { return "no array" }
      return "[\(rows.map(describe).joined())]"
    case .result("user"):
      return "user \(exchange.response.body?["user"]?["id"]?.stringValue?.uppercased() ?? "missing")"
    case .result("conversation"), .result("messages"), .result("chunks"):
      return try ConversationExchange(exchange).expectedResult
    case .result("page"): return MessageExchange(exchange).expectedResult
    case .result(let result): return exchange.response.body == .array([]) ? "[]" : result
    case .error(let name, let field, let seconds, let count):
      let errors: [String: AppError] = [
        "network.conflict": .network(.conflict), "network.forbidden": .network(.forbidden),
        "network.notFound": .network(.notFound), "network.serverError": .network(.serverError),
        "network.unauthorized": .network(.unauthorized), "network.timeout": .network(.timeout),
        "network.connectionLost": .network(.connectionLost),
        "network.unreadableAnswer": .network(.unreadableAnswer),
        "network.rateLimited": .network(.rateLimited(retryAfter: seconds.map { .seconds($0) })),
        "validation.outOfRange": .validation(.outOfRange(field: field ?? "")),
        "authentication.invalidCredentials": .authentication(.invalidCredentials),
        "authentication.userBanned": .authentication(.userBanned),
        "feed.cursorNotFound": .feed(.cursorNotFound), "feed.cursorExpired": .feed(.cursorExpired),
        "feed.invalidParameters": .feed(.invalidParameters),
      ]
      let before = try count.map { try ConversationExchange(exchange).expectedChunks(upTo: $0) + ", then " }
      return errors[name].map { (before ?? "") + "\($0)" } ?? "unknown error \(name)"
    }
  }

  private static func describe(_ child: Child) -> String {
    "\(child.id.uuidString.lowercased()) \(child.name) \(child.age) \(child.birthday) \(child.goals)"
      + " \(child.topics) \(child.temperament) \(child.talkativeness) \(child.sensitivity)"
      + " \(child.accountability) \(child.userID.uuidString.lowercased())"
      + " \(Int(child.createdAt.timeIntervalSince1970))"
  }

  private static func describe(_ row: JSONValue?) -> String {
    func text(_ name: String) -> String { row?[name]?.stringValue ?? "" }
    func number(_ name: String) -> String { if case .number(let digits) = row?[name] { digits } else { "" } }
    func texts(_ name: String) -> [String] {
      if case .array(let values) = row?[name] { values.compactMap(\.stringValue) } else { [] }
    }
    let date = (try? Date(text("created_at").prefix(19) + "Z", strategy: .iso8601)) ?? .distantPast
    return "\(text("id")) \(text("name")) \(number("age")) \(text("birthday")) \(texts("goals"))"
      + " \(texts("topics")) \(text("temperament")) \(number("temperament_talkative"))"
      + " \(number("temperament_sensitivity")) \(number("temperament_accountability")) \(text("user_id"))"
      + " \(Int(date.timeIntervalSince1970))"
  }

  private static func newChild(_ exchange: Exchange) throws(AppError) -> NewChild {
    let row = exchange.request.body
    guard let birthday = CalendarDate(row?["birthday"]?.stringValue ?? ""),
      let user = UUID(uuidString: row?["user_id"]?.stringValue ?? DocumentedProject.user.uuidString)
    else { throw .validation(.malformed(field: nil)) }
    func number(_ name: String) -> Int {
      if case .number(let digits) = row?[name] { Int(digits) ?? 0 } else { 0 }
    }
    func texts(_ name: String) -> [String] {
      if case .array(let values) = row?[name] { values.compactMap(\.stringValue) } else { [] }
    }
    return NewChild(
      userID: user, name: row?["name"]?.stringValue ?? "", age: number("age"), birthday: birthday,
      goals: texts("goals"), topics: texts("topics"),
      temperament: Temperament(rawValue: row?["temperament"]?.stringValue ?? "") ?? .easygoing,
      talkativeness: number("temperament_talkative"), sensitivity: number("temperament_sensitivity"),
      accountability: number("temperament_accountability"))
  }

  private static func child(_ exchange: Exchange) throws(AppError) -> Child {
    let new = try newChild(exchange)
    return Child(
      id: DocumentedProject.child, userID: new.userID, name: new.name, age: new.age, birthday: new.birthday,
      goals: new.goals, topics: new.topics, temperament: new.temperament, talkativeness: new.talkativeness,
      sensitivity: new.sensitivity, accountability: new.accountability, createdAt: .distantPast,
      updatedAt: .distantPast)
  }

  private static func query(of request: HTTPRequest) -> Set<URLQueryItem> {
    Set(URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? [])
  }

  /// What a body says: its JSON, the members by name, or its text.
  private static func content(_ body: Data?) -> NSObject? {
    body.map {
      (try? JSONSerialization.jsonObject(with: $0) as? NSDictionary)
        ?? NSString(string: String(decoding: $0, as: UTF8.self))
    }
  }
}

/// Answers as a document says, and whatever comes before with new tokens.
private final class DocumentedTransport: HTTPTransport {
  static let token = "header.payload.signature"
  static let refreshToken = "first-refresh-token"

  private let exchange: Exchange
  private let time: Time
  private let requests = Locked<[HTTPRequest]?>(nil)

  init(exchange: Exchange, time: Time) {
    self.exchange = exchange
    self.time = time
  }

  /// From now on, requests are of the exchange.
  func begin() {
    requests.withLock { $0 = [] }
  }

  var sent: [HTTPRequest] { requests.withLock { $0 ?? [] } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let isDocumented = requests.withLock { requests in
      requests?.append(request)
      return requests != nil
    }
    let isRefreshAfterRefusal = exchange.response.status == 401 && request.url.path() == "/auth/v1/token"
    if isDocumented, !isRefreshAfterRefusal { return exchange.response.response(on: time) }
    let tokens = """
      {"access_token":"\(Self.token)","token_type":"bearer","expires_in":3600,"expires_at":4102444800,\
      "refresh_token":"\(Self.refreshToken)","user":{"id":"\(DocumentedProject.user)","email":"pat@example.com"}}
      """
    return HTTPResponse(status: 200, body: Data(tokens.utf8), contentType: "application/json")
  }
}
