import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

@Suite struct CallingTests {
  let project: RESTProject

  init() throws {
    project = try RESTProject(
      """
      CREATE TABLE authors (id integer PRIMARY KEY, name text);
      CREATE TABLE posts (id integer PRIMARY KEY, title text, author_id integer REFERENCES authors, score integer);
      INSERT INTO authors VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO posts VALUES (1, 'One', 1, 5), (2, 'Two', 1, NULL), (3, 'Three', 2, 9);
      CREATE FUNCTION add(a integer, b integer DEFAULT 10) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT a + b $$;
      CREATE FUNCTION evens(top integer) RETURNS SETOF integer LANGUAGE sql STABLE AS $$
        SELECT generate_series(2, top, 2) $$;
      CREATE FUNCTION by_author(author integer) RETURNS SETOF posts LANGUAGE sql STABLE AS $$
        SELECT * FROM posts WHERE author_id = author ORDER BY id $$;
      CREATE FUNCTION one_post(post integer) RETURNS posts LANGUAGE sql STABLE AS $$
        SELECT * FROM posts WHERE id = post $$;
      CREATE FUNCTION joined(separator text, VARIADIC parts integer[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT array_to_string(parts, separator) $$;
      CREATE FUNCTION totals() RETURNS TABLE (author text, count bigint) LANGUAGE sql STABLE AS $$
        SELECT a.name, count(*) FROM posts p JOIN authors a ON a.id = p.author_id GROUP BY a.name ORDER BY a.name $$;
      CREATE FUNCTION names() RETURNS TABLE (author text) LANGUAGE sql STABLE AS $$
        SELECT name FROM authors ORDER BY name $$;
      CREATE FUNCTION rename(author integer, "to" text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN UPDATE authors SET name = "to" WHERE id = author; END $$;
      CREATE FUNCTION echo(jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT $1 -> 'a' $$;
      CREATE FUNCTION measure(text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT length($1) $$;
      CREATE FUNCTION tagged(tags text[], info jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT tags[2] || (info ->> 'k') $$;
      CREATE FUNCTION pick(x integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'integer' $$;
      CREATE FUNCTION pick(x text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'text' $$;
      CREATE FUNCTION fail(code text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no way' USING ERRCODE = code, DETAIL = 'why', HINT = 'how'; END $$;
      CREATE FUNCTION respond() RETURNS json LANGUAGE plpgsql SET search_path = '' AS $$
        BEGIN
          PERFORM set_config('response.status', '418', true);
          PERFORM set_config('response.headers', '[{"X-Tea": "green"}, {"Cache-Control": "no-store"}]', true);
          RETURN json_build_object(
            'method', current_setting('request.method', true), 'path', current_setting('request.path', true),
            'agent', current_setting('request.headers', true)::json ->> 'user-agent',
            'cookie', current_setting('request.cookies', true)::json ->> 'a');
        END $$;
      CREATE FUNCTION custom() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          RAISE SQLSTATE 'PGRST' USING MESSAGE = '{"code":"123","message":"Payment needed","details":"d","hint":"h"}',
            DETAIL = '{"status":402,"headers":{"X-Powered-By":"Nerd Rage"}}';
        END $$;
      """)
  }

  @Test(arguments: [
    ("/rpc/add?a=1&b=2", "3"), ("/rpc/add?a=1", "11"), ("/rpc/evens?top=6", "[2, 4, 6]"),
    (
      "/rpc/by_author?author=1",
      #"[{"id":1,"title":"One","author_id":1,"score":5},{"id":2,"title":"Two","author_id":1,"score":null}]"#
    ),
    ("/rpc/by_author?author=1&select=title&order=id.desc", "42703"),
    (
      "/rpc/by_author?author=1&select=id,title&order=id.desc",
      #"[{"id":2,"title":"Two"},{"id":1,"title":"One"}]"#
    ),
    ("/rpc/by_author?author=1&select=title&score=gt.1", #"[{"title":"One"}]"#),
    ("/rpc/by_author?author=1&select=id&limit=1&offset=1", #"[{"id":2}]"#),
    ("/rpc/by_author?author=2&select=title,authors(name)", #"[{"title":"Three","authors":{"name": "Bob"}}]"#),
    ("/rpc/one_post?post=3", #"{"id":3,"title":"Three","author_id":2,"score":9}"#),
    ("/rpc/one_post?post=3&select=title", #"{"title":"Three"}"#),
    ("/rpc/one_post?post=9", #"{"id":null,"title":null,"author_id":null,"score":null}"#),
    ("/rpc/totals", #"[{"author":"Ann","count":2},{"author":"Bob","count":1}]"#),
    ("/rpc/joined?separator=-&parts=1&parts=2", #""1-2""#),
    ("/rpc/by_author?author=1&select=count", #"[{"count":2}]"#),
    ("/rpc/names", #"[{"author":"Ann"},{"author":"Bob"}]"#),
    ("/rpc/names?select=author&author=eq.Bob", #"[{"author":"Bob"}]"#),
    ("/rpc/totals?count=gt.1", #"[{"author":"Ann","count":2}]"#),
  ])
  func calls(_ path: String, _ expected: String) async throws {
    let answer = try await project.send(.get, path)
    #expect((answer.code ?? answer.text.replacing(", \n ", with: ",")) == expected, "\(path): \(answer.text)")
  }

  @Test func bodiesAreArguments() async throws {
    func post(_ path: String, _ body: String?, type: String? = nil) async throws -> String {
      var fields: HTTP.Fields = [:]
      fields["Content-Type"] = type
      let answer = try await project.send(.post, path, fields: fields, body)
      return answer.code ?? answer.text.replacing(", \n ", with: ",")
    }
    #expect(try await post("/rpc/add", #"{"a":1,"b":"2"}"#) == "3")
    #expect(try await post("/rpc/add", "a=4&b=5", type: "application/x-www-form-urlencoded") == "9")
    #expect(try await post("/rpc/totals?select=author", nil) == #"[{"author":"Ann"},{"author":"Bob"}]"#)
    #expect(try await post("/rpc/tagged", #"{"tags":["a","b"],"info":{"k":"c"}}"#) == #""bc""#)
    #expect(try await post("/rpc/echo", #"{"a":{"b":[1]}}"#) == #"{"b": [1]}"#)
    #expect(try await post("/rpc/measure", "héllo", type: "text/plain") == "5")
    #expect(try await post("/rpc/by_author?select=id&id=gt.1", #"{"author":1}"#) == #"[{"id":2}]"#)
    #expect(try await post("/rpc/joined", #"{"separator":"+","parts":[3,4,5]}"#) == #""3+4+5""#)
    #expect(try await post("/rpc/add", "{") == "PGRST102")
    #expect(try await post("/rpc/add", #"{"a":"x"}"#) == "22P02")
  }

  @Test func functionsThatWriteNeedPOST() async throws {
    let done = try await project.send(.post, "/rpc/rename", #"{"author":1,"to":"Eve"}"#)
    #expect((done.status, done.text) == (204, ""))
    #expect(try await project.get("/authors?id=eq.1&select=name") == #"[{"name":"Eve"}]"#)
    let refused = try await project.send(.get, "/rpc/rename?author=1&to=Zoe")
    #expect((refused.status, refused.code) == (405, "25006"))
    #expect(refused.message == "cannot execute UPDATE in a read-only transaction")
    let put = try await project.send(.put, "/rpc/rename", "{}")
    #expect((put.status, put.message) == (405, "Cannot use the PUT method on RPC"))
    let options = try await project.send(.options, "/rpc/totals")
    #expect(options.fields["Allow"] == "OPTIONS,GET,HEAD,POST")
  }

  @Test func theFunctionIsChosenByTheNamesOfArguments() async throws {
    let unknown = try await project.send(.post, "/rpc/add", #"{"c":1,"a":2}"#)
    #expect((unknown.status, unknown.code) == (404, "PGRST202"))
    #expect(unknown.message == "Could not find the function public.add(a, c) in the schema cache")
    #expect(
      unknown.details == "Searched for the function public.add with parameters a, c or with a single unnamed"
        + " json/jsonb parameter, but no matches were found in the schema cache.")
    #expect(unknown.hint == "Perhaps you meant to call the function public.add(a, b)")
    let missing = try await project.send(.get, "/rpc/total")
    #expect(
      missing.message == "Could not find the function public.total without parameters in the schema cache")
    #expect(missing.hint == "Perhaps you meant to call the function public.totals")
    let ambiguous = try await project.send(.get, "/rpc/pick?x=1")
    #expect((ambiguous.status, ambiguous.code) == (300, "PGRST203"))
    #expect(
      ambiguous.message == "Could not choose the best candidate function between: public.pick(x => integer),"
        + " public.pick(x => text)")
  }

  @Test func raisedErrorsSelectTheStatus() async throws {
    for (code, status) in [("P0001", 400), ("PT409", 409), ("42501", 403), ("23505", 409), ("XX000", 500)] {
      let answer = try await project.send(.post, "/rpc/fail", "{\"code\":\"\(code)\"}")
      #expect((answer.status, answer.code, answer.message) == (status, code, "no way"))
      #expect((answer.details, answer.hint) == ("why", "how"))
    }
    let custom = try await project.send(.post, "/rpc/custom")
    #expect((custom.status, custom.code, custom.message) == (402, "123", "Payment needed"))
    #expect(custom.fields["X-Powered-By"] == "Nerd Rage")
  }

  @Test func functionsReadTheRequestAndSetTheResponse() async throws {
    let answer = try await project.send(
      .get, "/rpc/respond", fields: ["User-Agent": "test", "Cookie": "a=1; b=2"])
    #expect(answer.status == 418)
    #expect((answer.fields["X-Tea"], answer.fields["Cache-Control"]) == ("green", "no-store"))
    #expect(answer.text == #"{"method" : "GET", "path" : "/rpc/respond", "agent" : "test", "cookie" : "1"}"#)
  }

  @Test func resultsAreCountedAndFormed() async throws {
    let object: HTTP.Fields = ["Accept": "application/vnd.pgrst.object+json"]
    let one = try await project.send(.get, "/rpc/by_author?author=2&select=title", fields: object)
    #expect((one.status, one.text) == (200, #"{"title":"Three"}"#))
    let two = try await project.send(.get, "/rpc/by_author?author=1", fields: object)
    #expect((two.status, two.code) == (406, "PGRST116"))
    let counted = try await project.send(
      .get, "/rpc/by_author?author=1&limit=1&select=id", fields: ["Prefer": "count=exact"])
    #expect((counted.status, counted.fields["Content-Range"]) == (206, "0-0/2"))
    let csv = try await project.send(.get, "/rpc/totals", fields: ["Accept": "text/csv"])
    #expect(csv.text == "author,count\nAnn,2\nBob,1")
    let head = try await project.send(.head, "/rpc/by_author?author=1")
    #expect((head.status, head.text, head.fields["Content-Range"]) == (200, "", "0-1/*"))
    let strict: HTTP.Fields = ["Prefer": "handling=strict, max-affected=1"]
    #expect(try await project.send(.get, "/rpc/add?a=1", fields: strict).code == "PGRST128")
    #expect(try await project.send(.get, "/rpc/by_author?author=1", fields: strict).code == "PGRST124")
  }
}
