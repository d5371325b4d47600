import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Users whom a seed inserts, and what policies read of the tokens of users.
@Suite(.stallLimit()) struct SeededUserTests {
  /// As the documentation of Supabase and the seeds of projects write it.
  private static let seed = """
    INSERT INTO auth.users (
      id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    VALUES
      ('0a000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'Ann@example.com',
        crypt('open sesame', gen_salt('bf', 4)), now(), '{"provider": "email", "plan": "pro"}', '{"name": "Ann"}'),
      ('0a000000-0000-4000-8000-000000000002', 'authenticated', 'authenticated', 'bob@example.com',
        crypt('open sesame', gen_salt('bf', 4)), NULL, '{}', '{}');
    CREATE TABLE plans (id integer PRIMARY KEY, plan text, member text);
    ALTER TABLE plans ENABLE ROW LEVEL SECURITY;
    CREATE POLICY by_claims ON plans FOR SELECT TO authenticated
      USING (plan = auth.jwt() -> 'app_metadata' ->> 'plan' AND member = auth.email());
    INSERT INTO plans VALUES (1, 'pro', 'ann@example.com'), (2, 'free', 'ann@example.com'), (3, 'pro', 'x');
    """

  let project: TodoProject

  init() throws {
    project = try TodoProject(additions: Self.seed)
  }

  private func signIn(_ email: String, _ password: String) async throws -> Answer {
    try await project.send(
      .post, "/auth/v1/token?grant_type=password",
      json: #"{"email":"\#(email)","password":"\#(password)"}"#)
  }

  @Test func aSeededUserSignsInWithTheHashedPassword() async throws {
    let answer = try await signIn("ann@example.com", "open sesame")
    #expect(answer.status == 200)
    #expect(answer.json?["user"]?["user_metadata"]?["name"] == .string("Ann"))
    #expect(answer.json?["user"]?["app_metadata"]?["plan"] == .string("pro"))
    for (email, password) in [("ann@example.com", "open sesame!"), ("bob@example.com", "open sesame")] {
      #expect(try await signIn(email, password).status == 400, "\(email)")
    }
  }

  @Test func aSeededUserChangesThePassword() async throws {
    let token = try #require(
      try await signIn("ann@example.com", "open sesame").json?["access_token"]?.stringValue)
    let same = try await project.send(
      .put, "/auth/v1/user", token: token, json: #"{"password":"open sesame"}"#)
    #expect(same.status == 422)
    #expect(same.code == "same_password")
    let changed = try await project.send(
      .put, "/auth/v1/user", token: token, json: #"{"password":"another one"}"#)
    #expect(changed.status == 200)
    #expect(try await signIn("ann@example.com", "another one").status == 200)
    #expect(try await signIn("ann@example.com", "open sesame").status == 400)
  }

  /// PostgREST passes the whole token on (`Auth.hs`).
  @Test func policiesReadAllClaimsOfTheToken() async throws {
    let token = try #require(
      try await signIn("ann@example.com", "open sesame").json?["access_token"]?.stringValue)
    #expect(try await project.send(.get, "/rest/v1/plans?select=id", token: token).text == #"[{"id":1}]"#)
    let other = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
    #expect(try await project.send(.get, "/rest/v1/plans?select=id", token: other).text == "[]")
  }

  /// A role that a test names has the claims of the user's row.
  @Test func policiesReadTheClaimsOfANamedUser() throws {
    struct Plan: Decodable { var id: Int }
    func plans(of id: UUID) throws -> [Int] {
      try project.database.rows(of: Plan.self, in: "plans", as: .user(id)).map(\.id)
    }
    let ann = try #require(UUID(uuidString: "0a000000-0000-4000-8000-000000000001"))
    // A token has the address in small letters, and the row has it as it was inserted.
    try project.database.update(
      "auth.users", set: ["email": "ann@example.com"], where: .equals("id", .uuid(ann)))
    #expect(try plans(of: ann) == [1])
    try project.database.update(
      "auth.users", set: ["raw_app_meta_data": .json(.object([.init("plan", .string("free"))]))],
      where: .equals("id", .uuid(ann)))
    #expect(try plans(of: ann) == [2])
    #expect(try plans(of: UUID()).isEmpty)
  }
}
