import Testing

@testable import UnderstudySupabase

/// Extensions that act outside of the database.
@Suite struct ProjectExtensionTests {
  private static let sql = """
    CREATE EXTENSION IF NOT EXISTS pg_cron;
    CREATE EXTENSION pg_net WITH SCHEMA extensions;
    CREATE EXTENSION pg_net;
    CREATE EXTENSION hstore;
    CREATE TABLE notes (id integer PRIMARY KEY, body text);
    SELECT cron.schedule('clean', '0 * * * *', 'DELETE FROM notes');
    SELECT cron.schedule('clean', '5 * * * *', $$DELETE FROM notes$$);
    SELECT cron.schedule('* * * * *', 'SELECT 1');
    SELECT cron.unschedule(3);
    CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE request bigint;
    BEGIN
      SELECT net.http_post(
        url := 'https://example.com/hook', body := jsonb_build_object('id', NEW.id),
        headers := '{"X-Key": "1"}'::jsonb) INTO request;
      NEW.body := 'request ' || request;
      RETURN NEW;
    END $$;
    CREATE VIEW jobs AS SELECT jobname, schedule FROM cron.job;
    CREATE VIEW requests AS SELECT method, url FROM net.http_request_queue;
    CREATE TRIGGER announce BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION announce();
    """

  @Test func theirFunctionsDoNothingOutside() throws {
    let schema = try DatabaseSchema(sql: Self.sql)
    #expect(
      schema.ignored == [
        "CREATE EXTENSION pg_cron (jobs are not run)", "CREATE EXTENSION pg_net (requests are not sent)",
        "CREATE EXTENSION hstore",
      ])
    let database = InMemoryDatabase(schema)
    let jobs = try database.select(from: "jobs")
    #expect(jobs.map { [$0["jobname"].text, $0["schedule"].text] } == [["clean", "5 * * * *"]])
    let note = try database.insert(["id": 1], into: "notes", as: .service)
    #expect(note["body"] == "request 1")
    let requests = try database.select(from: "requests")
    #expect(requests.map { [$0["method"].text, $0["url"].text] } == [["POST", "https://example.com/hook"]])
  }

  @Test func theirFunctionsAreMissingWithoutThem() {
    #expect(throws: SQLError.self) {
      try DatabaseSchema(sql: "SELECT cron.schedule('clean', '0 * * * *', 'SELECT 1')")
    }
  }
}
