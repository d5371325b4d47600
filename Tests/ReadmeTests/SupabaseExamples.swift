import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudySupabase
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of the article about Supabase.

private protocol NotesService: Sendable {
  func add(_ text: String) async throws(NotesError)
  func texts() async throws(NotesError) -> [String]
}

private enum NotesError: Error, Hashable {
  case duplicate, invalid, signedOut, unavailable
}

private let migration = """
  create table public.notes (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
    text text not null check (text <> ''),
    created_at timestamptz not null default now(),
    unique (user_id, text)
  );
  alter table public.notes enable row level security;
  create policy "Users have their own notes" on public.notes to authenticated
    using (auth.uid() = user_id) with check (auth.uid() = user_id);
  """

/// A project in memory with one account.
private struct NotesProject: HTTPHandler {
  let database: InMemoryDatabase
  let auth: AuthServer
  let user: UUID
  let errorStyle = HTTPErrorStyle.supabase

  init() throws {
    database = InMemoryDatabase(try DatabaseSchema(sql: migration))
    auth = AuthServer(database: database)
    user = try auth.addUser(email: "pat@example.com", password: "correct horse")
  }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    try await SupabaseEmulator(database: database, auth: auth).respond(to: request)
  }
}

/// The notes in a table of a project.
private struct SupabaseNotes: NotesService {
  let gateway: Gateway
  let token: String

  init(_ gateway: Gateway, email: String = "pat@example.com", password: String = "correct horse") async throws
  {
    self.gateway = gateway
    let credentials = ["email": email, "password": password]
    let (data, _) = try await gateway.call(.post, "auth/v1/token?grant_type=password", credentials)
    token = try JSONDecoder().decode(Session.self, from: data).accessToken
  }

  func add(_ text: String) async throws(NotesError) {
    _ = try await call(.post, "rest/v1/notes", ["text": text])
  }

  func texts() async throws(NotesError) -> [String] {
    let data = try await call(.get, "rest/v1/notes?select=text&order=created_at")
    guard let rows = try? JSONDecoder().decode([[String: String]].self, from: data) else {
      throw .unavailable
    }
    return rows.compactMap { $0["text"] }
  }

  private func call(
    _ method: HTTP.Method, _ path: String, _ body: [String: String]? = nil
  ) async throws(NotesError) -> Data {
    guard let (data, response) = try? await gateway.call(method, path, body, token: token) else {
      throw .unavailable
    }
    switch response.status {
    case 200..<300: return data
    case 400: throw .invalid
    case 401: throw .signedOut
    case 409: throw .duplicate
    default: throw .unavailable
    }
  }
}

private struct Session: Decodable {
  let accessToken: String

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
  }
}

/// A project behind a transport.
private struct Gateway {
  let transport: any HTTPTransport
  var url = URL(string: "http://project.invalid") ?? URL(filePath: "/")
  var key = "anon-key"

  func call(
    _ method: HTTP.Method, _ path: String, _ body: (any Encodable)? = nil, token: String? = nil
  ) async throws -> (Data, HTTP.Response) {
    guard let url = URL(string: path, relativeTo: url)?.absoluteURL else { throw URLError(.badURL) }
    let request = HTTP.Request(
      method, url,
      fields: [
        "apikey": key, "Authorization": "Bearer \(token ?? key)", "Content-Type": "application/json",
      ],
      body: try body.map { try JSONEncoder().encode($0) })
    return try await transport.data(for: request)
  }
}

/// An account to create, whose address needs no confirmation.
private struct NewAccount: Encodable {
  let email: String
  let password: String
  let email_confirm = true
}

/// An account of a running project for one trial.
private struct Account: Decodable {
  let id: String
  let email: String

  static func make(in project: Gateway, serviceKey: String) async throws -> Account {
    let body = NewAccount(email: "\(UUID().uuidString)@example.com", password: "correct horse")
    let (data, _) = try await project.call(.post, "auth/v1/admin/users", body, token: serviceKey)
    return try JSONDecoder().decode(Account.self, from: data)
  }

  func remove(from project: Gateway, serviceKey: String) async throws {
    _ = try await project.call(.delete, "auth/v1/admin/users/\(id.lowercased())", token: serviceKey)
  }
}

extension Condition where Fixture == Void {
  fileprivate static var sessionExpires: Self { Condition("the session expires") }
}

extension Contract where Subject == any NotesService {
  fileprivate static var notes: Self {
    Contract("notes") {
      Clause("notes.listed", "Notes are listed in the order in which they were added.") { trial in
        try await trial.subject.add("Milk")
        try await trial.subject.add("Bread")
        trial.expect(try await trial.subject.texts(), equals: ["Milk", "Bread"], "the notes")
      }
      Clause("notes.refused", "A second note of the same text is refused, and so is an empty one.") { trial in
        try await trial.subject.add("Milk")
        await trial.expect(throws: NotesError.duplicate) { try await trial.subject.add("Milk") }
        await trial.expect(throws: NotesError.invalid) { try await trial.subject.add("") }
        trial.expect(try await trial.subject.texts(), equals: ["Milk"], "the notes")
      }
      Clause("notes.expired", "With an expired session a call reports that the user is signed out.") {
        trial in
        try await trial.given(.sessionExpires)
        await trial.expect(throws: NotesError.signedOut) { try await trial.subject.texts() }
      }
    }
  }
}

extension Implementation where Subject == any NotesService {
  fileprivate static var emulated: Self {
    .live("emulator", over: try NotesProject()) { transport, project, trial in
      trial.on(.sessionExpires) { project.auth.expireAccessTokens(of: project.user) }
      return try await SupabaseNotes(Gateway(transport: transport))
    }
  }

  fileprivate static func server(at url: URL, keys: [String: String]) -> Self {
    Implementation("server") { trial in
      let transport = trial.intercept(URLSessionTransport().withErrorStyle(.supabase))
      trial.setUpFailures(of: transport)
      trial.on(.sessionExpires, failing: transport, with: .unauthorized)
      let project = Gateway(transport: transport, url: url, key: keys["api-key"] ?? "anon-key")
      let serviceKey = keys["service-key"] ?? "service-key"
      let account = try await Account.make(in: project, serviceKey: serviceKey)
      trial.atEnd { try await account.remove(from: project, serviceKey: serviceKey) }
      return try await SupabaseNotes(project, email: account.email)
    }
  }
}

@Suite(.stallLimit()) struct SupabaseExamples {
  @Test(arguments: Contract.notes.checks(of: .emulated))
  fileprivate func honours(_ check: ContractCheck<any NotesService>) async throws { try await check.run() }

  @Test func aRunningProjectHonoursTheContract() async throws {
    let project = try NotesProject()
    let server = try await MockServer(project)
    for check in Contract.notes.checks(of: .server(at: server.url, keys: [:])) { try await check.run() }
    await server.close()
    #expect(try project.database.rows(of: [String: String].self, in: "notes").isEmpty)
  }

  @Test func aMailConfirmsAnAddress() async throws {
    var settings = AuthSettings()
    settings.confirmsEmail = true
    settings.redirectURLs = ["app://**"]
    let database = InMemoryDatabase(try DatabaseSchema(sql: migration))
    let auth = AuthServer(database: database, settings: settings)
    let gateway = Gateway(
      transport: InProcessTransport(to: SupabaseEmulator(database: database, auth: auth)))
    let account = ["email": "robin@example.com", "password": "correct horse"]
    _ = try await gateway.call(.post, "auth/v1/signup?redirect_to=app://welcome", account)
    let mail = try #require(auth.lastMessage(to: "robin@example.com"))
    let credentials = ["type": "signup", "email": mail.recipient, "token": mail.code]
    let (data, _) = try await gateway.call(.post, "auth/v1/verify", credentials)
    #expect(try JSONDecoder().decode(Session.self, from: data).accessToken.isEmpty == false)
    #expect(mail.link?.absoluteString.hasSuffix("&redirect_to=app://welcome") == true)
  }

  @Test func rowsBelongToTheirUser() throws {
    let project = try NotesProject()
    let other = try project.auth.addUser(email: "kim@example.com", password: "correct horse")
    try project.database.insert(rows: [["text": "Milk"]], into: "notes", as: .user(project.user))
    #expect(try project.database.rows(of: [String: String].self, in: "notes", as: .user(other)).isEmpty)
    #expect(try project.database.rows(of: [String: String].self, in: "notes").count == 1)
  }

  @Test func aStatementThatIsNotSupportedIsAnError() {
    #expect(throws: SQLError.self) { try DatabaseSchema(sql: "create view recent as select * from notes;") }
  }
}
