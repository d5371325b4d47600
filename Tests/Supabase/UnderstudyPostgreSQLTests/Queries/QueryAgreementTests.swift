#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  /// Queries over small tables, compared with PostgreSQL.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct QueryAgreementTests {
    static let setup = """
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
      CREATE TABLE authors (id serial PRIMARY KEY, name text NOT NULL, mood mood DEFAULT 'ok');
      CREATE TABLE books (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, author_id integer REFERENCES authors ON DELETE CASCADE,
        title varchar(40) NOT NULL, price numeric(6, 2) CHECK (price >= 0), tags text[] DEFAULT '{}', info jsonb,
        printed date, created timestamptz DEFAULT '2026-01-01 12:00:00+00', UNIQUE (author_id, title));
      INSERT INTO authors (name, mood) VALUES ('Ann', 'happy'), ('Bob', DEFAULT), ('Cid', 'sad'), ('Dan', NULL);
      INSERT INTO books (author_id, title, price, tags, info, printed) VALUES
        (1, 'Alpha', 10.00, '{x,y}', '{"pages": 100, "by": {"x": 1}}', '2020-02-29'),
        (1, 'Beta', 20.50, '{y}', '{"pages": 50}', NULL),
        (2, 'Gamma', NULL, '{}', NULL, '2021-03-04'),
        (2, 'Delta', 5, NULL, '[1, 2, 3]', '1999-12-31'),
        (NULL, 'Orphan', 7.25, '{z,"a b"}', '{"pages": null}', '2022-01-01');
      """

    @Test func namedArguments() async throws {
      try await ScriptAgreement.check([
        "SELECT make_interval(days => 3)", "SELECT make_interval(1, 2, days => 3, secs => 1.5)",
        "SELECT make_interval(secs => 4, years => 1)", "SELECT make_interval(mins := 90)",
        "SELECT make_interval(days => '3')", "SELECT make_interval(days => NULL)",
        "SELECT make_date(year => 2026, month => 2, day => 3)",
        "SELECT make_date(day => 3, month => 2, year => 2026)",
        "SELECT make_date(2026, day => 3, month => 2)", "SELECT make_date(2026, day => 3, year => 2)",
        "SELECT make_date(2026, day => 3)", "SELECT make_date(year => 2026, month => 2, dia => 3)",
        "SELECT make_date(year => 'x'::text, month => 2, day => 3)", "SELECT make_interval(decades => 3)",
        "SELECT make_date(year => 1, year => 2, day => 3)", "SELECT make_date(year => 1, 2, 3)",
        "SELECT make_time(min => 5, hour => 1, sec => 2.5)",
        "SELECT make_timestamp(year => 2026, month => 1, mday => 2, hour => 3, min => 4, sec => 5.5)",
        "SELECT make_timestamptz(year => 2026, month => 1, mday => 2, hour => 3, min => 4, sec => 5)",
        "SELECT make_timestamptz(2026, 1, 2, 3, 4, 5, timezone => 'Asia/Tokyo')",
        "SELECT jsonb_set(jsonb_in => '{\"a\": 1}', path => '{b}', replacement => '2')",
        "SELECT jsonb_set(jsonb_in => '{\"a\": 1}', path => '{b}', replacement => '2', create_if_missing => false)",
        "SELECT jsonb_set('{\"a\": 1}', '{b}', create_if_missing => true, replacement => '2')",
        "SELECT jsonb_set(target => '{\"a\": 1}', path => '{b}', new_value => '2')",
        "SELECT jsonb_set_lax(jsonb_in => '{\"a\": 1}', path => '{a}', replacement => NULL, null_value_treatment => 'delete_key')",
        "SELECT jsonb_set_lax(jsonb_in => '{\"a\": 1}', path => '{a}', replacement => NULL)",
        "SELECT jsonb_insert(jsonb_in => '[1]', path => '{0}', replacement => '2', insert_after => true)",
        "SELECT jsonb_insert(jsonb_in => '[1]', path => '{0}', replacement => '2')",
        "SELECT * FROM jsonb_array_elements(from_json => '[1, 2]')",
        "SELECT * FROM json_each_text(from_json => '{\"a\": 1}')",
        "SELECT to_tsvector(config => 'english', document => 'a')", "SELECT lower(string => 'A')",
        "SELECT count(x => 1)", "SELECT to_tsvector('english', document => 'a')",
        "CREATE FUNCTION make_date(year integer, era text DEFAULT 'AD') RETURNS text LANGUAGE sql AS $$ SELECT era $$",
        "SELECT make_date(year => 3)", "SELECT make_date(3, era => 'BC')",
        "SELECT make_date(year => 3, month => 4, day => 5)",
      ])
    }

    /// Functions that return sets within expressions of a select list.
    @Test func setsInExpressions() async throws {
      let setup = """
        CREATE TABLE t (id int, tags text[], j jsonb);
        INSERT INTO t VALUES (1, '{a,b}', '[{"a":1},{"a":2},{"a":3}]'), (2, '{}', '[]'), (3, null, null), (4, '{c}', '[{"a":9}]');
        CREATE FUNCTION pairs(n integer) RETURNS SETOF integer LANGUAGE sql AS $$ SELECT x FROM generate_series(1, n) x $$;
        CREATE FUNCTION both_of(n integer) RETURNS TABLE (a integer, b text) LANGUAGE sql AS $$ SELECT x, 'b' || x FROM generate_series(1, n) x $$;
        """
      try await ScriptAgreement.check(
        [
          "SELECT id, unnest(tags) FROM t",
          "SELECT id, unnest(tags), jsonb_array_elements(j)->>'a' FROM t",
          "SELECT generate_series(1,3) * 2, generate_series(1,2)",
          "SELECT generate_series(1, generate_series(1,3))",
          "SELECT generate_series(1,3), generate_series(1, generate_series(1,2))",
          "SELECT CASE WHEN true THEN generate_series(1,3) END",
          "SELECT coalesce(generate_series(1,3), 0)",
          "SELECT id FROM t WHERE generate_series(1,2) > 1",
          "SELECT id, unnest(tags) u FROM t ORDER BY u",
          "SELECT id, unnest(tags) || id FROM t ORDER BY 2 DESC LIMIT 2",
          "SELECT count(*), generate_series(1,2) FROM t",
          "SELECT generate_series(1, count(*)) FROM t",
          "SELECT unnest(array_agg(id)) + 1 FROM t",
          "SELECT unnest(tags), count(*) FROM t GROUP BY 1 ORDER BY 1",
          "SELECT unnest(tags) || 'x', count(*) FROM t GROUP BY 1 ORDER BY 1",
          "SELECT DISTINCT generate_series(1,4) % 2 ORDER BY 1",
          "SELECT id, row_number() OVER (ORDER BY id), unnest(tags) FROM t",
          "SELECT sum(generate_series(1,3))",
          "SELECT ARRAY(SELECT generate_series(1,3) * 2)",
          "SELECT (jsonb_each('{\"a\":1,\"b\":2}')).*",
          "SELECT (jsonb_each('{\"a\":1,\"b\":2}')).key",
          "SELECT jsonb_each('{\"a\":1}')",
          "SELECT 1 WHERE 1 IN (SELECT generate_series(1,3) * 1)",
          "SELECT generate_series(1,2) IN (1)",
          "SELECT id FROM t ORDER BY generate_series(1,2), id",
          "SELECT (SELECT unnest(tags) || 'x' LIMIT 1) FROM t",
          "SELECT lower(unnest(tags)), upper(unnest(tags)) FROM t",
          "SELECT unnest(ARRAY[1,2,3]) + unnest(ARRAY[10,20])",
          "SELECT generate_series(1,3) AS x, generate_series(1,3) * 2 AS y LIMIT 2 OFFSET 1",
          "INSERT INTO t (id) SELECT generate_series(10,11) + 1 RETURNING id",
          "INSERT INTO t (id) VALUES (generate_series(1,2)+1), (7) RETURNING id",
          "INSERT INTO t (id) VALUES (99) RETURNING generate_series(1,2)",
          "SELECT max(x) FROM (SELECT unnest(tags) || '!' AS x FROM t) y",
          "SELECT generate_series(1,2)::text || 'a'",
          "SELECT ROW(generate_series(1,2), 5)",
          "SELECT ARRAY[generate_series(1,2), 5]",
          "SELECT regexp_matches('ab12cd34', '[0-9]+', 'g'), (regexp_matches('ab12cd34', '[0-9]+', 'g'))[1]",
          "SELECT string_to_table('a,b', ',') || '!'",
          "SELECT x, generate_series(1, x) + x FROM generate_series(1,2) x",
          "SELECT generate_series(1,2) = 1 OR true",
          "SELECT not (generate_series(1,2) = 1)",
          "SELECT generate_series(1,2) IS NULL",
          "SELECT nullif(generate_series(1,2), 1)",
          "SELECT greatest(generate_series(1,2), 2)",
          "SELECT * FROM (SELECT id, unnest(tags) AS tag FROM t) x WHERE tag > 'a'",
          "SELECT id, unnest(tags) || '!' FROM t ORDER BY unnest(tags) || '!' DESC",
          "SELECT DISTINCT ON (unnest(tags)) unnest(tags), id FROM t ORDER BY 1",
          "SELECT unnest(tags) AS tag, sum(id) FROM t GROUP BY tag HAVING sum(id) > 1 ORDER BY tag",
          "SELECT count(*) FROM t HAVING generate_series(1,2) > 1",
          "SELECT lag(generate_series(1,2)) OVER ()",
          "SELECT pairs(2), pairs(1) + 1",
          "SELECT (both_of(2)).a, (both_of(2)).b",
          "SELECT pairs(pairs(2)) * 10",
          "SELECT id, (SELECT sum(x) FROM (SELECT unnest(ARRAY[1, id]) + 1 AS x) y) FROM t WHERE id < 5 ORDER BY 1",
          "SELECT generate_series(3, 1) + 1",
        ], setup: setup)
    }

    @Test func theLastValueOfASequence() async throws {
      try await ScriptAgreement.check([
        "SELECT lastval()", "CREATE SEQUENCE a", "CREATE TABLE t (id serial, n integer)",
        "SELECT nextval('a')", "SELECT lastval()",
        "INSERT INTO t (n) VALUES (1), (2)", "SELECT lastval()", "SELECT setval('a', 50)", "SELECT lastval()",
        "SELECT nextval('a')", "SELECT setval('a', 70)", "SELECT lastval()", "SELECT setval('a', 90, false)",
        "SELECT lastval()",
        "DROP SEQUENCE a", "SELECT lastval()",
      ])
    }

    @Test func fieldsOfIntervals() async throws {
      let fields = [
        "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "YEAR TO MONTH", "DAY TO HOUR", "DAY TO MINUTE",
        "DAY TO SECOND", "HOUR TO MINUTE", "HOUR TO SECOND", "MINUTE TO SECOND", "SECOND(1)",
        "DAY TO SECOND(2)",
      ]
      let texts = [
        "5", "-5", "1.5", "5:06", "5:06:07", "1 5", "1 5:06:07.89", "1-2",
        "1 year 2 months 3 days 4:05:06.789",
        "P1Y2M3DT4H5M6.7S", "-3 days -4:05", "3 h",
      ]
      try await ScriptAgreement.check(
        fields.flatMap { field in texts.map { "SELECT INTERVAL '\($0)' \(field)" } } + [
          "SELECT (interval '1 day 02:03:04.567')::interval hour to minute",
          "SELECT '5'::text::interval hour",
          "SELECT '{5,1 day}'::interval hour[]", "CREATE TABLE spans (span interval minute)",
          "INSERT INTO spans VALUES ('5'), (interval '01:02:03')", "SELECT span FROM spans",
        ])
    }

    @Test func selections() async throws {
      try await ScriptAgreement.check(
        [
          "SELECT 1", "SELECT 1 + 2 * 3 AS x, 'a' || 'b', NULL", "SELECT * FROM authors ORDER BY id",
          "SELECT name FROM authors WHERE mood > 'sad' ORDER BY name DESC",
          "SELECT a.name, b.title FROM authors a JOIN books b ON b.author_id = a.id ORDER BY b.title",
          "SELECT a.name, b.title FROM authors a LEFT JOIN books b ON b.author_id = a.id ORDER BY a.name, b.title",
          "SELECT a.name, b.title FROM authors a RIGHT JOIN books b ON b.author_id = a.id ORDER BY b.title",
          "SELECT a.name, b.title FROM authors a FULL JOIN books b ON b.author_id = a.id ORDER BY a.name, b.title",
          "SELECT count(*), count(price), sum(price), avg(price), min(title), max(printed) FROM books",
          "SELECT author_id, count(*), sum(price) FROM books GROUP BY author_id ORDER BY author_id NULLS FIRST",
          "SELECT a.name, count(b.id) FROM authors a LEFT JOIN books b ON b.author_id = a.id GROUP BY a.id ORDER BY 1",
          "SELECT author_id FROM books GROUP BY author_id HAVING count(*) > 1 ORDER BY 1",
          "SELECT title, info->>'pages', info->'by'->'x', tags[1], array_length(tags, 1) FROM books ORDER BY id",
          "SELECT title FROM books WHERE tags @> '{y}' ORDER BY id",
          "SELECT title FROM books WHERE info @> '{\"pages\": 50}'",
          "SELECT title FROM books WHERE author_id IN (SELECT id FROM authors WHERE name LIKE 'A%') ORDER BY 1",
          "SELECT name FROM authors a WHERE EXISTS (SELECT 1 FROM books WHERE author_id = a.id) ORDER BY 1",
          "SELECT name FROM authors a WHERE NOT EXISTS (SELECT 1 FROM books WHERE author_id = a.id) ORDER BY 1",
          "SELECT name, (SELECT max(price) FROM books WHERE author_id = a.id) FROM authors a ORDER BY id",
          "SELECT name, (SELECT title FROM books WHERE author_id = a.id) FROM authors a ORDER BY id",
          "SELECT DISTINCT author_id FROM books ORDER BY author_id",
          "SELECT DISTINCT ON (author_id) author_id, title FROM books ORDER BY author_id, title DESC",
          "SELECT title FROM books ORDER BY price DESC NULLS LAST LIMIT 2 OFFSET 1",
          "SELECT id FROM authors UNION SELECT author_id FROM books ORDER BY 1",
          "SELECT author_id FROM books EXCEPT ALL SELECT 1 ORDER BY 1",
          "SELECT author_id FROM books INTERSECT SELECT id FROM authors ORDER BY 1",
          "WITH rich AS (SELECT * FROM books WHERE price > 8) SELECT title FROM rich ORDER BY 1",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n",
          "SELECT title, row_number() OVER (PARTITION BY author_id ORDER BY title), rank() OVER (ORDER BY author_id) FROM books ORDER BY id",
          "SELECT title, sum(price) OVER (ORDER BY id), lag(title) OVER (ORDER BY id) FROM books ORDER BY id",
          "SELECT x, y FROM generate_series(1, 3) x, LATERAL (SELECT x * 10 AS y) z ORDER BY 1",
          "SELECT * FROM unnest(ARRAY['a', 'b'], ARRAY[1, 2, 3]) WITH ORDINALITY AS t(l, n, o)",
          "SELECT unnest(tags) FROM books WHERE id = 1",
          "SELECT id, unnest(tags) AS tag FROM books ORDER BY id, tag",
          "SELECT jsonb_array_elements(info) FROM books WHERE title = 'Delta'",
          "SELECT CASE WHEN price > 8 THEN 'dear' WHEN price IS NULL THEN NULL ELSE 'cheap' END FROM books ORDER BY id",
          "SELECT coalesce(price, 0), nullif(author_id, 1), greatest(price, 8), least(1, NULL, 3) FROM books ORDER BY id",
          "SELECT to_jsonb(a) FROM authors a ORDER BY id", "SELECT row_to_json(b) FROM books b ORDER BY id",
          "SELECT json_agg(a ORDER BY name DESC) FROM authors a", "SELECT a FROM authors a ORDER BY id",
          "SELECT string_agg(name, ',' ORDER BY name DESC) FILTER (WHERE id < 4) FROM authors",
          "SELECT array_agg(DISTINCT author_id) FROM books",
          "SELECT (1, 'a') = (1, 'a'), (1, 2) < (1, 3), ROW(1, NULL) IS NULL",
          "SELECT author_id, title, grouping(author_id, title) FROM books GROUP BY ROLLUP (author_id, title) ORDER BY 3, 1, 2",
          "SELECT * FROM books NATURAL JOIN (SELECT 1 AS author_id) x ORDER BY id",
          "SELECT name, title FROM authors JOIN books USING (id) ORDER BY 1",
          "SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN SYMMETRIC 10 AND 1, 1 IN (1, NULL), 2 IN (1, NULL), 2 NOT IN (1, NULL)",
          "SELECT NULL IS DISTINCT FROM NULL, 1 IS DISTINCT FROM NULL, true IS NOT TRUE",
          "SELECT 1 = ANY (ARRAY[1, 2]), 3 > ALL (ARRAY[1, 2]), 3 = ANY ('{1,2}'), 'a' = ANY ('{a,b}'::text[])",
          "SELECT extract(year FROM printed), date_trunc('month', created), created + interval '1 day' FROM books ORDER BY id LIMIT 1",
          "SELECT ARRAY[[1, 2], [3, 4]], (ARRAY[1, 2, 3])[2:3], (ARRAY[[1, 2], [3, 4]])[2][1]",
          "VALUES (1, 'a'), (2, 'b')",
          "SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS t(n, l) ORDER BY n DESC",
          "SELECT count(*) FROM authors a, books b", "SELECT DISTINCT mood FROM authors ORDER BY mood",
          "SELECT mood::text, 'happy'::mood > 'ok' FROM authors ORDER BY id",
        ], setup: Self.setup)
    }

    @Test func refusals() async throws {
      try await ScriptAgreement.check(
        [
          "SELECT nothing FROM authors", "SELECT * FROM nowhere", "SELECT a.x FROM authors a",
          "SELECT b.id FROM authors a",
          "SELECT id FROM authors a JOIN books b ON true", "SELECT name, count(*) FROM authors",
          "SELECT name FROM authors GROUP BY id, mood HAVING name", "SELECT nosuch(1)", "SELECT 'a' + 1",
          "SELECT 'x'::integer",
          "SELECT 1 WHERE 1", "SELECT count(*) FROM authors WHERE count(*) > 1",
          "SELECT sum(count(*)) FROM authors",
          "SELECT 1/0", "SELECT name FROM authors ORDER BY 3",
          "SELECT DISTINCT name FROM authors ORDER BY id",
          "SELECT 1 UNION SELECT 1, 2", "SELECT 1 UNION SELECT 'a'::text", "SELECT * FROM authors, authors",
          "SELECT (SELECT id, name FROM authors)", "SELECT 1 IN (SELECT id, name FROM authors)",
          "SELECT LIMIT -1",
          "SELECT 1 LIMIT -1", "SELECT DEFAULT", "SELECT 'nope'::mood", "SELECT lower(1)",
          "SELECT CASE WHEN 1 THEN 2 END",
          "SELECT CASE WHEN true THEN 1 ELSE 'a'::text END", "SELECT row_number() FROM authors",
          "SELECT true AND 1", "SELECT *",
          "SELECT 1 ORDER BY NULL", "SELECT 1 ORDER BY 'x'", "SELECT 1 ORDER BY 1.5", "SELECT 1 ORDER BY -1",
          "SELECT 1 GROUP BY -1.5", "SELECT count(*) FROM authors GROUP BY true",
          "SELECT DISTINCT ON (false) 1 FROM authors", "SELECT DISTINCT ON (name) id FROM authors ORDER BY 1",
          "SELECT DISTINCT ON (name || 'x') name || 'x', id FROM authors ORDER BY 1, 2",
          "SELECT 1 UNION SELECT 2 ORDER BY 'x'",
        ], setup: Self.setup)
    }

    @Test func changes() async throws {
      try await ScriptAgreement.check(
        [
          "INSERT INTO authors (name) VALUES ('Eve') RETURNING *", "INSERT INTO authors VALUES (1, 'Dup')",
          "INSERT INTO books (author_id, title) VALUES (99, 'None')",
          "INSERT INTO books (author_id, title) VALUES (1, 'Alpha')",
          "INSERT INTO books (author_id, title) VALUES (1, NULL)",
          "INSERT INTO books (title, price) VALUES ('X', -1)",
          "INSERT INTO books (title, price) VALUES ('X', 12345.678)",
          "INSERT INTO books (id, title) VALUES (1, 'X')",
          "INSERT INTO books (author_id, title, price) VALUES (1, 'Alpha', 3) ON CONFLICT (author_id, title) DO UPDATE SET price = excluded.price + books.price RETURNING title, price",
          "INSERT INTO books (author_id, title) VALUES (1, 'Alpha'), (3, 'New') ON CONFLICT DO NOTHING RETURNING title",
          "INSERT INTO books (author_id, title) VALUES (1, 'Alpha') ON CONFLICT (title) DO NOTHING",
          "UPDATE books SET price = price * 2, tags = array_append(tags, 'n') WHERE author_id = 1 AND title = 'Alpha' RETURNING id, price, tags",
          "UPDATE books SET price = 1 FROM authors a WHERE a.id = books.author_id AND a.name = 'Bob' RETURNING books.id, a.name",
          "UPDATE books SET (title, price) = ('T', 4) WHERE id = 1 RETURNING title, price",
          "UPDATE books SET id = 7 WHERE id = 1",
          "UPDATE books SET info['pages'] = '7' WHERE id = 1 RETURNING info",
          "UPDATE books SET tags[2] = 'q' WHERE id = 1 RETURNING tags",
          "UPDATE authors SET id = 50 WHERE id = 1", "DELETE FROM authors WHERE id = 2 RETURNING *",
          "SELECT id, author_id FROM books ORDER BY id",
          "WITH gone AS (DELETE FROM books WHERE author_id IS NULL RETURNING title) SELECT * FROM gone",
          "INSERT INTO authors (name) SELECT name || '2' FROM authors WHERE id = 1 RETURNING name, mood",
          "INSERT INTO authors (name, mood) SELECT 'Z', 'sad' RETURNING *",
          "INSERT INTO authors (name, mood) VALUES ('Z', 'glad')",
          "DELETE FROM books USING authors a WHERE a.id = books.author_id AND a.name = 'Ann'",
          "SELECT count(*) FROM books",
          "TRUNCATE authors", "TRUNCATE authors CASCADE", "SELECT count(*) FROM books",
          "INSERT INTO authors DEFAULT VALUES",
          "INSERT INTO authors (nope) VALUES (1)", "INSERT INTO authors (name, name) VALUES ('a', 'b')",
          "INSERT INTO authors (name) VALUES ('a', 'b')", "INSERT INTO authors (name, mood) VALUES ('a')",
          "INSERT INTO authors (id) VALUES ('x')",
          "INSERT INTO authors (id, name) VALUES (true, 'a')", "UPDATE authors SET name = 1",
          "UPDATE authors SET nope = 1",
        ], setup: Self.setup)
    }
  }

  /// Rows as values, functions that return them, and ranges beside their elements, compared with PostgreSQL.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct WholeRowAgreementTests {
    private static let setup = """
      CREATE TABLE pairs (id integer PRIMARY KEY, note text, span int4range);
      INSERT INTO pairs VALUES (1, NULL, '[1,5)'), (2, 'b', NULL);
      CREATE FUNCTION pair(integer) RETURNS pairs LANGUAGE sql STABLE AS 'SELECT * FROM pairs WHERE id = $1';
      CREATE FUNCTION nothing(integer) RETURNS text LANGUAGE sql STABLE AS 'SELECT note FROM pairs WHERE id = $1';
      CREATE FUNCTION several(text, VARIADIC integer[]) RETURNS text LANGUAGE sql IMMUTABLE AS
        'SELECT $1 || array_to_string($2, $1)';
      CREATE FUNCTION remember(text) RETURNS text LANGUAGE plpgsql SET search_path = 'pg_catalog' AS $$
        BEGIN RETURN set_config('own.value', $1, false); END $$;
      """

    @Test func rowsRangesAndFunctions() async throws {
      try await ScriptAgreement.check(
        [
          "SELECT json_agg(x) FROM (SELECT note FROM pairs ORDER BY id) x",
          "SELECT p.id, row_to_json(q) FROM pairs p LEFT JOIN (SELECT note FROM pairs WHERE id = 1) q ON p.id = 1 ORDER BY 1",
          "SELECT p.id, q IS DISTINCT FROM NULL FROM pairs p LEFT JOIN pairs q ON q.id = p.id + 1 ORDER BY 1",
          "SELECT count(x) FROM (SELECT note FROM pairs) x", "SELECT * FROM pair(1)", "SELECT * FROM pair(9)",
          "SELECT * FROM nothing(9)", "SELECT several('-', VARIADIC '{1,2}')", "SELECT several('-', 1, 2, 3)",
          "SELECT span @> 2, span @> '[2,3)', 4 <@ span, span * '[3,9)' FROM pairs WHERE id = 1",
          "SELECT span @> '2' FROM pairs WHERE id = 1",
          "SELECT lower(span) + 1, upper(span) FROM pairs WHERE id = 1",
          "SELECT numrange(1, 2) @> 1.5, range_merge(int4range(1, 2), '[7,8)')", "SELECT remember('x')",
          "SELECT current_setting('own.value')",
        ], setup: Self.setup)
    }
  }
#endif
