#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  /// Functions and triggers, compared with PostgreSQL.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct ProcedureAgreementTests {
    static let setup = """
      CREATE TABLE users (id integer PRIMARY KEY, email text, meta jsonb);
      CREATE TABLE profiles (
        id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE, name text, visits integer DEFAULT 0,
        updated_at timestamptz DEFAULT '2000-01-01');
      CREATE TABLE log (id serial, what text, old text, new text);
      CREATE FUNCTION handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
      BEGIN
        INSERT INTO profiles (id, name) VALUES (new.id, coalesce(new.meta ->> 'name', split_part(new.email, '@', 1)));
        RETURN new;
      END; $$;
      CREATE TRIGGER on_user AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION handle_new_user();
      CREATE FUNCTION touch() RETURNS trigger AS $$
      BEGIN
        NEW.updated_at := '2026-01-01';
        IF TG_OP = 'UPDATE' AND NEW.name IS DISTINCT FROM OLD.name THEN
          NEW.visits = OLD.visits + 1;
        END IF;
        RETURN NEW;
      END $$ LANGUAGE plpgsql;
      CREATE TRIGGER touch BEFORE UPDATE ON profiles FOR EACH ROW EXECUTE PROCEDURE touch();
      CREATE FUNCTION audit() RETURNS trigger AS $$
      BEGIN
        INSERT INTO log (what, old, new)
        VALUES (TG_TABLE_NAME || ' ' || TG_OP || ' ' || TG_ARGV[0],
          CASE WHEN TG_OP <> 'INSERT' THEN row_to_json(OLD)::text END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.name END);
        RETURN NULL;
      END $$ LANGUAGE plpgsql;
      CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION audit('x');
      CREATE TRIGGER only_name AFTER UPDATE OF name ON profiles FOR EACH ROW WHEN (old.name <> new.name)
        EXECUTE FUNCTION audit('name');
      CREATE FUNCTION factorial_of(n integer) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
      DECLARE result bigint := 1; i integer;
      BEGIN
        FOR i IN 1..n LOOP result := result * i; END LOOP;
        RETURN result;
      END $$;
      CREATE FUNCTION fib(n integer) RETURNS integer LANGUAGE plpgsql AS $$
      BEGIN IF n < 2 THEN RETURN n; END IF; RETURN fib(n - 1) + fib(n - 2); END $$;
      CREATE FUNCTION add(a integer, b integer DEFAULT 10) RETURNS integer LANGUAGE sql AS 'SELECT a + b';
      CREATE FUNCTION evens(upto integer) RETURNS SETOF integer LANGUAGE plpgsql AS $$
      BEGIN
        FOR i IN 1..upto LOOP
          CONTINUE WHEN i % 2 = 1;
          EXIT WHEN i > 8;
          RETURN NEXT i;
        END LOOP;
      END $$;
      CREATE FUNCTION people() RETURNS TABLE (n text, len integer) LANGUAGE plpgsql AS $$
      BEGIN RETURN QUERY SELECT p.name, length(p.name) FROM profiles p ORDER BY 1; END $$;
      CREATE FUNCTION whole() RETURNS SETOF profiles LANGUAGE sql STABLE AS $$ SELECT * FROM profiles ORDER BY id $$;
      CREATE FUNCTION safe_div(a integer, b integer) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        RETURN (a / b)::text;
      EXCEPTION WHEN division_by_zero THEN RETURN 'none: ' || SQLSTATE || ' ' || SQLERRM;
      END $$;
      CREATE FUNCTION checked(x integer) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE r record; total integer := 0; names text[] := '{}'; t text;
      BEGIN
        IF x < 0 THEN RAISE EXCEPTION 'negative: %', x USING ERRCODE = '22023', HINT = 'Use more.', DETAIL = 'd'; END IF;
        FOR r IN SELECT * FROM profiles ORDER BY id LOOP
          total := total + r.id;
          names := array_append(names, r.name);
        END LOOP;
        FOREACH t IN ARRAY names LOOP total := total + length(t); END LOOP;
        CASE x WHEN 0 THEN t := 'zero'; WHEN 1, 2 THEN t := 'few'; ELSE t := 'many'; END CASE;
        WHILE total > 100 LOOP total := total - 100; END LOOP;
        SELECT count(*) INTO x FROM log;
        IF NOT FOUND THEN RETURN 'none'; END IF;
        RETURN format('%s %s %s %L', t, total, x > 0, names);
      END $$;
      CREATE FUNCTION twofold(IN a integer, OUT b integer, OUT c text) LANGUAGE plpgsql AS $$
      BEGIN b := a * 2; c := 'c' || a; END $$;
      CREATE FUNCTION lengths() RETURNS TABLE (len integer) LANGUAGE plpgsql AS $$
      BEGIN RETURN QUERY SELECT length(p.name) FROM profiles p ORDER BY id; END $$;
      CREATE FUNCTION dyn(t text) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE n bigint;
      BEGIN EXECUTE format('SELECT count(*) FROM %I WHERE id > $1', t) INTO n USING 0; RETURN n; END $$;
      CREATE FUNCTION strict_one() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE p profiles%ROWTYPE;
      BEGIN SELECT * INTO STRICT p FROM profiles WHERE id = 999; RETURN p.name; END $$;
      """

    @Test func functionsAndTriggers() async throws {
      try await ScriptAgreement.check(
        [
          "INSERT INTO users VALUES (1, 'ann@x.org', '{\"name\": \"Ann\"}'), (2, 'bob@x.org', NULL)",
          "SELECT id, name, visits FROM profiles ORDER BY id", "SELECT what, old, new FROM log ORDER BY id",
          "UPDATE profiles SET name = 'Anna' WHERE id = 1 RETURNING *",
          "UPDATE profiles SET visits = 5 WHERE id = 2 RETURNING *",
          "DELETE FROM users WHERE id = 2", "SELECT what, old, new FROM log ORDER BY id",
          "SELECT factorial_of(10), fib(10), add(1), add(b => 2, a => 3)",
          "SELECT * FROM evens(20)", "SELECT evens(6)", "SELECT * FROM people()",
          "SELECT n FROM people() p WHERE len > 2",
          "SELECT l.len FROM lengths() AS l", "SELECT l FROM lengths() AS l",
          "SELECT row_to_json(x) FROM (SELECT * FROM lengths()) AS x",
          "SELECT x.value FROM json_array_elements('[1]') AS x", "SELECT g FROM generate_series(1, 2) AS g",
          "SELECT g.g FROM generate_series(1, 2) AS g", "SELECT x.x FROM json_array_elements('[1]') AS x",
          "SELECT * FROM whole()", "SELECT name FROM whole() WHERE id = 1", "SELECT whole()",
          "SELECT safe_div(6, 3), safe_div(1, 0)",
          "SELECT checked(0), checked(2), checked(7)", "SELECT checked(-1)", "SELECT * FROM twofold(4)",
          "SELECT twofold(4)", "SELECT (twofold(3)).c",
          "SELECT dyn('profiles'), dyn('log') > 0", "SELECT strict_one()", "SELECT add('x')", "SELECT add()",
          "SELECT add(1, 2, 3)", "SELECT fib(NULL)",
          "DO $$ BEGIN INSERT INTO log (what) VALUES ('do'); RAISE EXCEPTION 'undone'; END $$",
          "SELECT count(*) FROM log WHERE what = 'do'",
          "DO $$ BEGIN BEGIN INSERT INTO log (what) VALUES ('in'); RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN INSERT INTO log (what) VALUES ('caught ' || SQLERRM); END; END $$",
          "SELECT what FROM log WHERE what IN ('in', 'caught x')",
          "CREATE FUNCTION add(a integer, b integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
          "DROP FUNCTION nothing()",
          "DROP FUNCTION touch()", "DROP FUNCTION add", "SELECT add(1)",
          "CREATE FUNCTION noreturn() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN NULL; END $$",
          "SELECT noreturn()",
          "SELECT p.name, x.* FROM profiles p, LATERAL twofold(p.id) x",
          "SELECT array_agg(e) FROM evens(10) e",
        ], setup: Self.setup)
    }
  }
#endif
