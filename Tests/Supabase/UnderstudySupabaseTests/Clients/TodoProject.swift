import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// A project with two tables and two users; each test creates its own instance.
struct TodoProject {
  static let schema = """
    CREATE TABLE lists (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      owner uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
      title text NOT NULL CHECK (title ~ '[^[:space:]]'),
      size integer NOT NULL DEFAULT 3 CHECK (size BETWEEN 1 AND 9),
      weight double precision,
      done boolean NOT NULL DEFAULT false,
      due date CHECK (due <= current_date),
      tags text[] NOT NULL DEFAULT '{}',
      extra jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (owner, title)
    );
    CREATE FUNCTION set_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at = now();
      RETURN NEW;
    END $$;
    CREATE TRIGGER set_updated_at BEFORE UPDATE ON lists FOR EACH ROW EXECUTE FUNCTION set_updated_at();
    ALTER TABLE lists ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON lists USING (owner = auth.uid());

    -- A table without row-level security.
    CREATE TABLE items (
      id integer PRIMARY KEY,
      list_id uuid REFERENCES lists ON DELETE SET NULL,
      kept_in uuid REFERENCES lists,
      name text UNIQUE,
      rank integer CHECK (rank BETWEEN 0 AND 100)
    );
    ALTER PUBLICATION supabase_realtime ADD TABLE lists, items;
    """

  let clock = HandDrivenTime()
  let database: InMemoryDatabase
  let auth: AuthServer
  var emulator: SupabaseEmulator
  let pat: UUID
  let kim: UUID

  /// - Parameters:
  ///   - time: The time (default: that of ``clock``).
  ///   - additions: Statements after the schema.
  init(
    seed: UInt64 = 1, time: Time? = nil, additions: String = "", tokenLifetime: Duration = .seconds(3600),
    settings: AuthSettings = AuthSettings()
  ) throws {
    let time = time ?? clock.time
    database = InMemoryDatabase(try .running(Self.schema + additions), seed: seed, time: time)
    auth = AuthServer(
      database: database, seed: seed, time: time, tokenLifetime: tokenLifetime, settings: settings)
    emulator = SupabaseEmulator(database: database, auth: auth)
    pat = try auth.addUser(email: "pat@example.com", password: "secret1")
    kim = try auth.addUser(email: "kim@example.com", password: "secret2")
  }

  /// Sends a request with the project's key, and with the bearer token, if any.
  func send(
    _ method: HTTP.Method, _ path: String, token: String? = nil, fields: HTTP.Fields = [:],
    json: String? = nil
  ) async throws -> Answer {
    let url = try #require(URL(string: "http://localhost" + path), "\(path) is not a valid URL")
    var request = HTTP.Request(method, url, fields: fields, body: json.map { Data($0.utf8) })
    if request.fields["apikey"] == nil { request.fields["apikey"] = emulator.apiKey }
    if let token { request.fields["Authorization"] = "Bearer " + token }
    if json != nil, request.fields["Content-Type"] == nil {
      request.fields["Content-Type"] = "application/json"
    }
    let response = try await emulator.respond(to: request)
    return Answer(
      status: response.status, fields: response.fields,
      text: String(decoding: try await response.body.collect(), as: UTF8.self))
  }

  /// Sends a request with the service role, to which policies do not apply.
  func serve(
    _ method: HTTP.Method, _ path: String, fields: HTTP.Fields = [:], json: String? = nil
  ) async throws -> Answer {
    try await send(method, path, token: emulator.serviceKey, fields: fields, json: json)
  }
}

extension AuthSettings {
  /// The settings of a new project with changes.
  static func with(_ change: (inout AuthSettings) -> Void) -> AuthSettings {
    var settings = AuthSettings()
    change(&settings)
    return settings
  }
}

struct Answer {
  let status: Int
  let fields: HTTP.Fields
  let text: String

  var json: JSONValue? { try? JSONValue(parsing: Data(text.utf8)) }
  var code: String? { json?["code"]?.stringValue ?? json?["error_code"]?.stringValue }
  var message: String? { json?["message"]?.stringValue }
  var details: String? { json?["details"]?.stringValue }
}

/// The error of a refused statement.
func refusal(_ statement: () throws(PostgRESTError) -> some Any) throws -> PostgRESTError {
  do {
    _ = try statement()
  } catch {
    return error
  }
  throw NotRefused()
}

struct NotRefused: Error {}

extension DatabaseSchema {
  private static let known = Locked<[String: DatabaseSchema]>([:])

  /// The schema of a script, which the databases of all tests share, with the plans of their statements.
  static func running(_ sql: String) throws(SQLError) -> DatabaseSchema {
    if let schema = known.withLock({ $0[sql] }) { return schema }
    let schema = try DatabaseSchema(sql: sql)
    known.withLock { $0[sql] = schema }
    return schema
  }
}
