import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

/// What the configuration and the preferences of PostgREST change.
@Suite struct ConfigurationTests {
  private static let tables = """
    CREATE TABLE events (id integer PRIMARY KEY, at timestamptz);
    INSERT INTO events VALUES (1, '2024-07-01 12:00+00');
    CREATE FUNCTION zone() RETURNS text LANGUAGE sql STABLE AS $$ SELECT current_setting('timezone') $$;
    """

  private func project(_ settings: String = "") throws -> RESTProject {
    try RESTProject(Self.tables + settings)
  }

  // MARK: In the database

  /// `Config/Database.hs`, `queryDbSettings`; `Config.hs`, `parseTxEnd`.
  @Test func theDatabaseOverridesTheConfiguration() throws {
    let settings = try project(
      """
      ALTER ROLE authenticator SET pgrst.db_schemas TO 'api, public';
      ALTER ROLE authenticator SET pgrst.db_extra_search_path = 'lib';
      ALTER ROLE authenticator IN DATABASE postgres SET pgrst.db_max_rows TO '7';
      ALTER ROLE authenticator SET pgrst.db_aggregates_enabled TO 'true';
      ALTER ROLE authenticator SET pgrst.db_plan_enabled TO 1;
      ALTER ROLE authenticator SET pgrst.db_tx_end TO 'rollback-allow-override';
      ALTER ROLE anon SET pgrst.db_max_rows TO '1';
      """
    ).endpoint.settings
    var expected = RESTSettings(schemas: ["api", "public"], extraSearchPath: ["lib"], maximumRows: 7)
    expected.allowsAggregates = true
    expected.allowsPlans = true
    expected.rollsBack = true
    expected.allowsTransactionOverride = true
    #expect(settings == expected)
  }

  @Test func aSettingOfTheDatabaseCanBeReset() throws {
    let set = "ALTER ROLE authenticator SET pgrst.db_max_rows TO '7'; ALTER ROLE authenticator SET a.b TO 1;"
    #expect(try project(set).endpoint.settings.maximumRows == 7)
    for reset in ["RESET pgrst.db_max_rows", "RESET ALL", "SET pgrst.db_max_rows TO DEFAULT"] {
      #expect(try project(set + "ALTER ROLE authenticator \(reset);").endpoint.settings == RESTSettings())
    }
    #expect(
      try project("ALTER ROLE authenticator SET pgrst.db_max_rows TO x;").endpoint.settings == RESTSettings())
  }

  /// `MainTx.hs`, `optionalRollback`; `Preferences.hs`, `fromHeaders`.
  @Test(arguments: [
    ("commit", "rollback", nil, 2), ("commit-allow-override", "rollback", "tx=rollback", 1),
    ("commit-allow-override", "commit", "tx=commit", 2), ("rollback", "commit", nil, 1),
    ("rollback-allow-override", "commit", "tx=commit", 2), ("rollback-allow-override", "none", nil, 1),
  ])
  func theEndOfATransaction(_ end: String, _ wish: String, _ applied: String?, _ rows: Int) async throws {
    let project = try project("ALTER ROLE authenticator SET pgrst.db_tx_end TO '\(end)';")
    let answer = try await project.send(.post, "/events", fields: ["Prefer": "tx=\(wish)"], #"{"id":2}"#)
    #expect((answer.status, answer.fields["Preference-Applied"]) == (201, applied))
    let all = try await project.send(.head, "/events", fields: ["Prefer": "count=exact"])
    #expect(all.fields["Content-Range"] == "0-\(rows - 1)/\(rows)")
  }

  /// Without a plan PostgREST responds as to any other type that it does not have (`Plan.hs`, `negotiateContent`).
  @Test func plansAreDisabledUnlessTheyAreAllowed() async throws {
    let fields: HTTP.Fields = ["Accept": "application/vnd.pgrst.plan+json"]
    let disabled = try await project().send(.get, "/events", fields: fields)
    #expect((disabled.status, disabled.code) == (406, "PGRST107"))
    let allowed = try project("ALTER ROLE authenticator SET pgrst.db_plan_enabled TO 'true';")
    let answer = try await allowed.send(.get, "/events", fields: fields)
    #expect((answer.status, answer.code) == (501, "UNDERSTUDY"))
    #expect(answer.message?.contains("EXPLAIN") == true)
  }

  // MARK: The time zone

  /// `Query/PreQuery.hs`, `txVarQuery`.
  @Test func timesAreInTheRequestedZone() async throws {
    let project = try project()
    let fields: HTTP.Fields = ["Prefer": "timezone=America/Los_Angeles"]
    let answer = try await project.send(.get, "/events?select=at", fields: fields)
    #expect(answer.text == #"[{"at":"2024-07-01T05:00:00-07:00"}]"#)
    #expect(answer.fields["Preference-Applied"] == "timezone=America/Los_Angeles")
    // A filter and a body without an offset are in the zone too.
    let found = try await project.send(.get, "/events?select=id&at=eq.2024-07-01T05:00", fields: fields)
    #expect(found.text == #"[{"id":1}]"#)
    _ = try await project.send(.post, "/events", fields: fields, #"{"id":2,"at":"2024-01-01T00:00"}"#)
    #expect(try await project.get("/events?select=at&id=eq.2") == #"[{"at":"2024-01-01T08:00:00+00:00"}]"#)
    #expect(try await project.get("/rpc/zone", fields: fields) == #""America/Los_Angeles""#)
    #expect(try await project.get("/rpc/zone") == #""UTC""#)
  }

  /// `Preferences.hs` compares the name with those of `pg_timezone_names`.
  @Test(arguments: ["Jupiter/Red_Spot", "america/los_angeles", "PST", "+3", ""])
  func anUnknownZoneIsIgnoredUnlessHandlingIsStrict(_ zone: String) async throws {
    let project = try project()
    let ignored = try await project.send(.get, "/rpc/zone", fields: ["Prefer": "timezone=\(zone)"])
    #expect((ignored.text, ignored.fields["Preference-Applied"]) == (#""UTC""#, nil))
    let strict = try await project.send(
      .get, "/rpc/zone", fields: ["Prefer": "handling=strict, timezone=\(zone)"])
    #expect((strict.status, strict.code) == (400, "PGRST122"))
    #expect(strict.details == "Invalid preferences: timezone=\(zone)")
  }

  /// A later setting in this order replaces an earlier one: database, role, request.
  @Test func theZoneOfADatabaseAndOfARole() async throws {
    let project = try project(
      """
      ALTER DATABASE postgres SET timezone TO 'Asia/Tokyo'; ALTER ROLE anon SET timezone TO 'Europe/Berlin';
      """)
    #expect(try await project.send(.get, "/rpc/zone").text == #""Asia/Tokyo""#)
    #expect(try await project.send(.get, "/rpc/zone", as: .anonymous).text == #""Europe/Berlin""#)
    let requested = try await project.send(
      .get, "/rpc/zone", as: .anonymous, fields: ["Prefer": "timezone=UTC"])
    #expect(requested.text == #""UTC""#)
  }

  // MARK: Privileges

  /// PostgreSQL refuses a statement that names a column without a privilege (`GRANT`); PostgREST responds with 401 to an
  /// anonymous client and with 403 to any other (`Error.hs`, `pgErrorStatus`).
  @Test(arguments: [
    ("/people?select=id,name", true), ("/people?select=id&name=eq.Ann", true), ("/people", false),
    ("/people?select=id&secret=eq.s", false), ("/people?select=id&order=secret", false),
    ("/people?select=id,secret", false), ("/pets?select=people(name)", true),
    ("/pets?select=people(*)", false), ("/pets?select=people(secret)", false),
    ("/pets?select=people!inner(id)&people.secret=eq.s", false),
  ])
  func onlyGrantedColumnsAreRead(_ path: String, isAllowed: Bool) async throws {
    let project = try RESTProject(
      """
      CREATE TABLE people (id integer PRIMARY KEY, name text, secret text);
      CREATE TABLE pets (id integer PRIMARY KEY, owner integer REFERENCES people);
      INSERT INTO people VALUES (1, 'Ann', 's'); INSERT INTO pets VALUES (1, 1);
      REVOKE ALL ON people FROM anon, authenticated;
      GRANT SELECT (id, name), INSERT, UPDATE, DELETE ON people TO anon, authenticated;
      """)
    let answer = try await project.send(.get, path, as: .anonymous)
    #expect((answer.status, answer.code) == (isAllowed ? (200, nil) : (401, "42501")), "\(answer.text)")
    if !isAllowed { #expect(answer.message == "permission denied for table people") }
    #expect(try await project.send(.get, path).status == 200)
  }

  @Test func aChangeReturnsOnlyGrantedColumns() async throws {
    let project = try RESTProject(
      """
      CREATE TABLE people (id integer PRIMARY KEY, name text, secret text);
      REVOKE ALL ON people FROM anon;
      GRANT SELECT (id, name), INSERT, UPDATE, DELETE ON people TO anon;
      """)
    let full: HTTP.Fields = ["Prefer": "return=representation"]
    func send(_ method: HTTP.Method, _ path: String, _ fields: HTTP.Fields, _ body: String?) async throws
      -> Int
    {
      try await project.send(method, path, as: .anonymous, fields: fields, body).status
    }
    #expect(try await send(.post, "/people", [:], #"{"id":1,"secret":"s"}"#) == 201)
    #expect(try await send(.post, "/people?select=id", full, #"{"id":2,"secret":"s"}"#) == 201)
    #expect(try await send(.post, "/people", full, #"{"id":3}"#) == 401)
    #expect(try await send(.patch, "/people?id=eq.1", [:], #"{"secret":"t"}"#) == 204)
    #expect(try await send(.patch, "/people?secret=eq.t", [:], #"{"name":"x"}"#) == 401)
    #expect(try await send(.delete, "/people?secret=eq.t", [:], nil) == 401)
    #expect(try await send(.delete, "/people?id=eq.1", [:], nil) == 204)
    #expect(try await project.get("/people?select=id") == #"[{"id":2}]"#)
  }
}
