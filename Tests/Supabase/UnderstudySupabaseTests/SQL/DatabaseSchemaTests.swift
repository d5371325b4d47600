import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudySupabase

/// Scripts that define a project; `PostgreSQL/` and the tests of the engine compare what they mean with PostgreSQL.
@Suite(.stallLimit()) struct DatabaseSchemaTests {
  private func database(_ sql: String) throws -> InMemoryDatabase {
    InMemoryDatabase(try DatabaseSchema(sql: sql), seed: 1)
  }

  @Test func columnsHaveTypesAndDefaults() throws {
    let database = try database(
      """
      CREATE TABLE public."My Table" (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner uuid DEFAULT auth.uid(), n int4 NOT NULL DEFAULT -3 + 1,
        x float8 DEFAULT 1.5, ok bool DEFAULT 'yes', day date DEFAULT '2024-1-5', at timestamptz NOT NULL DEFAULT now(),
        price numeric(6, 2) DEFAULT 1.005, code varchar(3) DEFAULT 'ab', tags text[] DEFAULT '{a,b}', doc jsonb DEFAULT '{}',
        "Note" text DEFAULT 'it''s', nothing text DEFAULT NULL, number bigint GENERATED ALWAYS AS IDENTITY
      );
      """)
    let user = UUID()
    let row = try database.insert([:], into: "My Table", as: .user(user))
    #expect(row["id"].uuidValue != nil)
    #expect(row["owner"] == .uuid(user))
    #expect(row["n"] == -2)
    #expect(row["x"] == 1.5)
    #expect(row["ok"] == true)
    #expect(row["day"] == CivilDate(year: 2024, month: 1, day: 5).map(ColumnValue.date))
    #expect(row["at"].timestampValue != nil)
    #expect(row["price"] == "1.01")
    #expect(row["code"] == "ab")
    #expect(row["tags"] == .textArray(["a", "b"]))
    #expect(row["doc"] == .json(.object([])))
    #expect(row["Note"] == "it's")
    #expect(row["nothing"].isNull)
    #expect(row["number"] == 1)
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(["code": "abcd"], into: "My Table")
    }
    #expect((error.code, error.message) == ("22001", "value too long for type character varying(3)"))
  }

  @Test func rowsAreInsertedByTheScript() throws {
    let database = try database(
      """
      CREATE TABLE moods (name text PRIMARY KEY, rank serial);
      INSERT INTO moods (name) VALUES ('happy'), ('sad');
      INSERT INTO moods (name) SELECT 'very ' || name FROM moods ON CONFLICT DO NOTHING;
      UPDATE moods SET rank = 10 WHERE name = 'sad';
      """)
    #expect(
      try database.select(from: "moods", orderedBy: [.ascending("name")]).map { $0["rank"] } == [1, 10, 3, 4])
    // Later rows go on with the numbers of the sequence.
    #expect(try database.insert(["name": "calm"], into: "moods")["rank"] == 5)
  }

  @Test func eachDatabaseHasItsOwnRows() throws {
    let schema = try DatabaseSchema(sql: "CREATE TABLE t (id integer PRIMARY KEY); INSERT INTO t VALUES (1)")
    let databases = [InMemoryDatabase(schema), InMemoryDatabase(schema)]
    try databases[0].delete(from: "t", where: .all)
    #expect(try databases.map { try $0.select(from: "t").count } == [0, 1])
  }

  @Test func rowLevelSecurityIsOnIfEnabled() throws {
    let table = """
      CREATE TABLE t (id uuid PRIMARY KEY); INSERT INTO t VALUES (gen_random_uuid());
      CREATE POLICY p ON t USING (id = auth.uid());
      """
    for (change, count) in [
      ("", 1), ("ALTER TABLE t ENABLE ROW LEVEL SECURITY;", 0),
      ("ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t DISABLE ROW LEVEL SECURITY;", 1),
    ] {
      let database = try database(table + change)
      #expect(try database.select(from: "t", as: .anonymous).count == count)
      #expect(try database.select(from: "t", as: .service).count == 1)
    }
  }

  @Test func policiesApplyToTheirRolesAndStatements() throws {
    let database = try database(
      """
      CREATE TABLE notes (id integer PRIMARY KEY, owner uuid NOT NULL DEFAULT auth.uid(), open boolean DEFAULT false);
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY reading ON notes FOR SELECT TO anon USING (open);
      CREATE POLICY own ON notes TO authenticated USING (owner = (SELECT auth.uid()));
      CREATE POLICY few ON notes AS RESTRICTIVE FOR INSERT TO public WITH CHECK (id < 10);
      """)
    let pat = DatabaseRole.user(UUID())
    try database.insert(["id": 1], into: "notes", as: pat)
    try database.insert(["id": 2, "open": true], into: "notes", as: pat)
    #expect(try database.select(from: "notes", as: .anonymous).map { $0["id"] } == [2])
    #expect(try database.select(from: "notes", as: pat).count == 2)
    #expect(try database.select(from: "notes", as: .user(UUID())).isEmpty)
    let refused = PostgRESTError(
      code: "42501", message: #"new row violates row-level security policy "few" for table "notes""#)
    #expect(throws: refused) {
      try database.insert(["id": 10], into: "notes", as: pat)
    }
    #expect(throws: PostgRESTError.refusedByPolicy(table: "notes")) {
      try database.insert(["id": 3, "owner": .uuid(UUID())], into: "notes", as: .anonymous)
    }
  }

  /// What a cascade removes is followed only after all keys of the first row, of which one has no action.
  @Test func aKeyWithoutActionComesBeforeASecondCascade() throws {
    let database = try database(
      """
      CREATE TABLE top (id integer PRIMARY KEY);
      CREATE TABLE middle (id integer PRIMARY KEY, top_id integer REFERENCES top ON DELETE CASCADE);
      CREATE TABLE low (id integer PRIMARY KEY, top_id integer, middle_id integer);
      ALTER TABLE low ADD FOREIGN KEY (middle_id) REFERENCES middle ON DELETE CASCADE;
      ALTER TABLE low ADD FOREIGN KEY (top_id) REFERENCES top;
      INSERT INTO top VALUES (1);
      INSERT INTO middle VALUES (1, 1);
      INSERT INTO low VALUES (1, 1, 1);
      """)
    let error = try refusal { () throws(PostgRESTError) in try database.delete(from: "top", where: .all) }
    #expect(error.code == "23503")
    #expect(error.message.contains(#""low_top_id_fkey""#))
    for table in ["top", "middle", "low"] { #expect(try database.select(from: table).count == 1) }
  }

  /// The profiles of Supabase's user management guide: a trigger adds one for each new user.
  @Test func aTriggerOnUsersAddsAProfile() throws {
    let database = try database(
      """
      CREATE TABLE profiles (
        id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE, name text, email text UNIQUE,
        since timestamptz DEFAULT now());
      CREATE FUNCTION public.handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ''
      AS $$
      BEGIN
        INSERT INTO public.profiles (id, name, email)
        VALUES (new.id, coalesce(new.raw_user_meta_data ->> 'name', split_part(new.email, '@', 1)), new.email);
        RETURN new;
      END;
      $$;
      CREATE TRIGGER on_auth_user_created AFTER INSERT ON auth.users
        FOR EACH ROW EXECUTE PROCEDURE public.handle_new_user();
      """)
    let auth = AuthServer(database: database)
    let id = try auth.addUser(email: "pat@example.com", password: "secret1")
    let profiles = try database.select(from: "profiles")
    #expect(profiles.map { $0["id"] } == [.uuid(id)])
    #expect(profiles.map { $0["name"] } == ["pat"])
    try auth.removeUser(id)
    #expect(try database.select(from: "profiles").isEmpty)
  }

  /// A new user is inserted with the metadata of the sign-up and confirmed by an update, as GoTrue does.
  @Test func triggersOnUsersSeeTheirMetadata() async throws {
    let database = try database(
      """
      CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE, name text, seen text);
      CREATE FUNCTION handle() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO public.profiles VALUES (new.id, new.raw_user_meta_data ->> 'name', 'new');
        ELSIF old.email_confirmed_at IS NULL AND new.email_confirmed_at IS NOT NULL THEN
          UPDATE public.profiles SET seen = seen || ' confirmed' WHERE id = new.id;
        END IF;
        RETURN new;
      END $$;
      CREATE TRIGGER h AFTER INSERT OR UPDATE ON auth.users FOR EACH ROW EXECUTE FUNCTION handle();
      """)
    let emulator = SupabaseEmulator(database: database, auth: AuthServer(database: database))
    let url = try #require(URL(string: "http://localhost/auth/v1/signup"))
    let body = #"{"email":"pat@example.com","password":"secret1","data":{"name":"Pat"}}"#
    let fields: HTTP.Fields = ["apikey": emulator.apiKey, "Content-Type": "application/json"]
    let request = HTTP.Request(.post, url, fields: fields, body: Data(body.utf8))
    #expect(try await emulator.respond(to: request).status == 200)
    let profiles = try database.select(from: "profiles")
    #expect(profiles.map { $0["name"] } == ["Pat"])
    #expect(profiles.map { $0["seen"] } == ["new confirmed"])
    let user = try #require(try database.select(from: "auth.users").first)
    #expect(user["role"] == "authenticated")
    #expect(!user["last_sign_in_at"].isNull)
  }

  @Test func aFunctionOfADomainTakesTheDomainAndItsBaseType() throws {
    let database = try database(
      """
      CREATE DOMAIN handle AS text CHECK (value <> '');
      CREATE FUNCTION kind(x handle) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'handle ' || x $$;
      CREATE FUNCTION kind(x integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'integer' $$;
      CREATE TABLE t (a handle, b text, kinds text GENERATED ALWAYS AS (kind(a) || ', ' || kind(b)) STORED);
      INSERT INTO t VALUES ('x', 'y');
      """)
    #expect(try database.select(from: "t").map { $0["kinds"] } == ["handle x, handle y"])
  }

  @Test func vectorsHaveTheDimensionsOfTheirColumn() throws {
    let database = try database("CREATE TABLE t (v vector(3))")
    try database.insert(["v": "[1,2,3]"], into: "t")
    let error = try refusal { () throws(PostgRESTError) in try database.insert(["v": "[1,2]"], into: "t") }
    #expect(error.message == "expected 3 dimensions, not 2")
  }

  @Test func numbersOfSequencesStayGivenWhenARequestFails() throws {
    let database = try database("CREATE TABLE t (id serial PRIMARY KEY, n integer CHECK (n > 0))")
    _ = try refusal { () throws(PostgRESTError) in try database.insert(["n": 0], into: "t") }
    #expect(try database.insert(["n": 1], into: "t")["id"] == 2)
  }

  /// `pg_dump` empties the search path for its own file.
  @Test func eachScriptHasTheSettingsOfASession() throws {
    let schema = try DatabaseSchema(scripts: [
      DatabaseSchema.Script(
        name: "1.sql",
        text: "SELECT pg_catalog.set_config('search_path', '', false); CREATE TABLE public.t (id integer);"),
      DatabaseSchema.Script(name: "2.sql", text: "CREATE TABLE u (id integer); INSERT INTO t VALUES (1);"),
    ])
    #expect(schema.tableNames == ["t", "u"])
  }

  @Test(arguments: [("use_variable", 11), ("use_column", 20), ("error", nil)])
  func aNameOfAVariableAndAColumnMeansWhatTheFunctionSays(_ option: String, _ sum: Int?) throws {
    let sql = """
      CREATE TABLE t (n integer);
      INSERT INTO t VALUES (10);
      CREATE FUNCTION sum_of(n integer) RETURNS TABLE (sum integer) LANGUAGE plpgsql AS $$
      #variable_conflict \(option)
      BEGIN RETURN QUERY SELECT t.n + n FROM t; END $$;
      CREATE TABLE sums AS SELECT * FROM sum_of(1);
      """
    if let sum {
      let found = try database(sql).select(from: "sums").map { $0["sum"] }
      #expect(found == [.integer(sum)])
    } else {
      let error = try #require(throws: SQLError.self) { try database(sql) }
      #expect(
        error.message.hasPrefix(#"column reference "n" is ambiguous (42702). It could refer to either"#))
    }
  }

  @Test func indexesOfPartitionsAreAttached() throws {
    _ = try database(
      """
      CREATE TABLE m (id integer, PRIMARY KEY (id)) PARTITION BY HASH (id);
      CREATE TABLE m_0 (id integer, PRIMARY KEY (id));
      ALTER TABLE ONLY m ATTACH PARTITION m_0 FOR VALUES WITH (modulus 1, remainder 0);
      ALTER INDEX public.m_pkey ATTACH PARTITION public.m_0_pkey;
      """)
  }

  @Test func enumerationsDomainsAndViewsAreDefined() throws {
    let database = try database(
      """
      CREATE TYPE state AS ENUM ('open', 'done');
      CREATE DOMAIN name AS text CHECK (value <> '');
      CREATE TABLE tasks (id integer PRIMARY KEY, state state NOT NULL DEFAULT 'open', name public.name);
      CREATE VIEW done AS SELECT id, upper(name) AS title FROM tasks WHERE state = 'done';
      """)
    try database.insert([["id": 1, "name": "a"], ["id": 2, "state": "done", "name": "b"]], into: "tasks")
    #expect(try database.select(from: "done").map { $0["title"] } == ["B"])
    let wrong = try refusal { () throws(PostgRESTError) in
      try database.insert(["id": 3, "state": "lost"], into: "tasks")
    }
    #expect((wrong.code, wrong.message) == ("22P02", #"invalid input value for enum state: "lost""#))
    let empty = try refusal { () throws(PostgRESTError) in
      try database.insert(["id": 3, "name": ""], into: "tasks")
    }
    #expect(
      (empty.code, empty.message)
        == ("23514", #"value for domain name violates check constraint "name_check""#))
  }

  @Test func whatHasNoEffectIsListedOnce() throws {
    let schema = try DatabaseSchema(
      sql: """
        CREATE TABLE t (id integer PRIMARY KEY);
        VACUUM t;
        VACUUM t;
        """)
    #expect(schema.ignored.count == 1)
  }

  // MARK: Invalid and unsupported SQL

  @Test(arguments: [
    ("CREATE TABLE t (id uuid, id text)", #"line 1: column "id" specified more than once (42701)."#),
    ("CREATE TABLE t (\n  n money_of_mine\n)", #"line 1: type "money_of_mine" does not exist (42704)."#),
    ("CREATE TABLE t (id uuid) x", #"line 1: syntax error at or near "x" (42601)."#),
    ("\n\nCREATE TABLE t (n integer CHECK (m > 1))", #"line 3: column "m" does not exist (42703)."#),
    (
      "CREATE TABLE t (n integer UNIQUE, UNIQUE (m))",
      #"line 1: column "m" named in key does not exist (42703)."#
    ),
    (
      "CREATE TABLE t (n integer CHECK (n))",
      "line 1: argument of CHECK must be type boolean, not type integer (42804)."
    ),
    (
      "CREATE TABLE t (n integer CHECK (n = 'x'))",
      #"line 1: invalid input syntax for type integer: "x" (22P02)."#
    ),
    (
      "CREATE TABLE t (n integer DEFAULT 'x')",
      #"line 1: invalid input syntax for type integer: "x" (22P02)."#
    ),
    ("CREATE TABLE t (n integer REFERENCES u)", #"line 1: relation "u" does not exist (42P01)."#),
    (
      "CREATE TABLE t (n integer REFERENCES auth.users)",
      #"line 1: foreign key constraint "t_n_fkey" cannot be implemented (42804). "#
        + #"Key columns "n" and "id" are of incompatible types: integer and uuid."#
    ),
    (
      "CREATE TABLE t (n text);\nCREATE POLICY p ON u USING (true)",
      #"line 2: relation "u" does not exist (42P01)."#
    ),
    (
      "CREATE TABLE t (n text);\nCREATE POLICY p ON t FOR INSERT USING (true)",
      "line 2: only WITH CHECK expression allowed for INSERT (42601)."
    ),
    (
      "CREATE TABLE t (n text);\nCREATE POLICY p ON t USING (m = auth.uid())",
      #"line 2: column "m" does not exist (42703)."#
    ),
    ("CREATE VIEW v AS SELECT * FROM t", #"line 1: relation "t" does not exist (42P01)."#),
    (
      "CREATE TABLE t (n integer NOT NULL);\nINSERT INTO t VALUES (NULL)",
      #"line 2: null value in column "n" of relation "t" violates not-null constraint (23502). "#
        + "Failing row contains (null)."
    ),
    ("SELECT 'x", #"line 1: unterminated quoted string at or near "'x" (42601)."#),
    ("SELECT 1;\n/* /* */", #"line 2: unterminated /* comment at or near "/* /* */" (42601)."#),
    (
      "SELECT 1;\nSELECT 2\n\n  CREATE TABLE t (n text)",
      #"line 4: syntax error at or near "CREATE" (42601). "#
        + "A semicolon may be missing before it: the statement starts in line 2."
    ),
    ("CREATE TABLE t (n text,)", #"line 1: syntax error at or near ")" (42601)."#),
    ("CREATE TABLE t (n text CHECK (n < 'a' < 'b'))", #"line 1: syntax error at or near "<" (42601)."#),
  ])
  func anErrorHasItsLineMessageAndCode(_ sql: String, _ description: String) throws {
    let error = try #require(throws: SQLError.self) { try DatabaseSchema(sql: sql) }
    #expect(error.description == description, "\(sql)")
  }

  @Test func anErrorNamesTheFile() throws {
    let error = try #require(throws: SQLError.self) {
      try DatabaseSchema(scripts: [
        DatabaseSchema.Script(name: "1_tables.sql", text: "CREATE TABLE t (id integer);"),
        DatabaseSchema.Script(name: "2_more.sql", text: "-- More.\nCREATE TABLE t (id integer);"),
      ])
    }
    #expect(error.description == #"2_more.sql, line 2: relation "t" already exists (42P07)."#)
    #expect(error.file == "2_more.sql" && error.line == 2 && error.code == "42P07" && error.cause != nil)
  }
}
