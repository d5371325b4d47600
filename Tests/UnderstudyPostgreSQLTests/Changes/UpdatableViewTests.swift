#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct UpdatableViewTests {
    private static let setup = """
      CREATE TABLE item (id integer PRIMARY KEY, title text NOT NULL DEFAULT 'none', done boolean DEFAULT false, rank int);
      INSERT INTO item VALUES (1, 'one', false, 1), (2, 'two', true, 2), (3, 'three', false, 3);
      CREATE VIEW open_item AS SELECT id AS key, title, done, rank * 2 AS twice FROM item WHERE NOT done;
      CREATE VIEW low AS SELECT * FROM item WHERE rank < 3 WITH LOCAL CHECK OPTION;
      CREATE VIEW lower_open AS SELECT id, done, rank FROM low WHERE NOT done WITH CASCADED CHECK OPTION;
      CREATE VIEW total AS SELECT count(*) AS n FROM item;
      CREATE VIEW pairs AS SELECT a.id FROM item a JOIN item b USING (id);
      CREATE VIEW several AS SELECT id FROM item UNION SELECT 1;
      CREATE VIEW titles AS SELECT DISTINCT title FROM item;
      CREATE VIEW first_one AS SELECT * FROM item ORDER BY id LIMIT 1;
      CREATE VIEW grouped AS SELECT done FROM item GROUP BY done;
      """

    @Test func rowsChangeThroughAView() async throws {
      try await ScriptAgreement.check(
        [
          "INSERT INTO open_item (key, title) VALUES (4, 'four') RETURNING *",
          "INSERT INTO open_item (key) SELECT 5 RETURNING key, title, twice",
          "UPDATE open_item SET title = title || '!' WHERE key >= 3 RETURNING key, title",
          "UPDATE open_item AS o SET title = i.title FROM item i WHERE i.id = o.key - 1 RETURNING o.key, o.title",
          "UPDATE open_item SET done = true WHERE key = 4",
          "UPDATE open_item SET title = 'x' WHERE key = 2 RETURNING *",
          "DELETE FROM open_item WHERE key = 2 RETURNING *",
          "DELETE FROM open_item WHERE twice = 2 RETURNING key",
          "INSERT INTO open_item (key, title) VALUES (5, 'again') ON CONFLICT (key) DO UPDATE SET title = excluded.title RETURNING key, title",
          "INSERT INTO open_item (key, title) VALUES (5, 'never') ON CONFLICT DO NOTHING",
          "SELECT * FROM item ORDER BY id", "SELECT * FROM open_item ORDER BY key",
        ], setup: Self.setup)
    }

    @Test func aCheckOptionRefusesRowsOutsideTheView() async throws {
      try await ScriptAgreement.check(
        [
          "INSERT INTO low VALUES (4, 'four', false, 9)",
          "INSERT INTO low VALUES (4, 'four', false, 2) RETURNING id",
          "UPDATE low SET rank = 5 WHERE id = 1", "UPDATE low SET rank = 0 WHERE id = 1",
          "INSERT INTO lower_open VALUES (6, true, 1)", "INSERT INTO lower_open VALUES (6, false, 7)",
          "INSERT INTO lower_open VALUES (6, false, 1) RETURNING *", "UPDATE lower_open SET done = true",
          "SELECT * FROM item ORDER BY id",
        ], setup: Self.setup)
    }

    @Test func otherViewsAndColumnsAreRefused() async throws {
      try await ScriptAgreement.check(
        [
          "INSERT INTO total VALUES (1)", "UPDATE pairs SET id = 1", "DELETE FROM several",
          "DELETE FROM titles",
          "UPDATE first_one SET title = ''", "DELETE FROM grouped",
          "INSERT INTO open_item (key, twice) VALUES (7, 1)", "UPDATE open_item SET twice = 1",
          "UPDATE open_item SET rank = 1", "INSERT INTO open_item (id) VALUES (8)",
          "SELECT rank FROM open_item", "UPDATE open_item SET title = 'x' WHERE rank = 1",
        ], setup: Self.setup)
    }

    @Test func rightsAreThoseOfTheOwnerOrOfTheInvoker() async throws {
      let setup = """
        CREATE ROLE understudy_view_reader;
        CREATE TABLE note (id integer PRIMARY KEY, owner text, body text);
        INSERT INTO note VALUES (1, 'a', 'x'), (2, 'b', 'y');
        ALTER TABLE note ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON note USING (owner = 'a');
        CREATE VIEW owned AS SELECT * FROM note;
        CREATE VIEW invoked WITH (security_invoker = true) AS SELECT * FROM note;
        GRANT SELECT, INSERT, UPDATE, DELETE ON owned, invoked TO understudy_view_reader;
        """
      try await ScriptAgreement.check(
        [
          "SET ROLE understudy_view_reader", "UPDATE owned SET body = 'z' RETURNING id",
          "UPDATE invoked SET body = 'w'", "RESET ROLE",
          "GRANT SELECT, INSERT, UPDATE, DELETE ON note TO understudy_view_reader",
          "SET ROLE understudy_view_reader", "UPDATE invoked SET body = 'w' RETURNING id",
          "INSERT INTO invoked VALUES (3, 'b', '')", "INSERT INTO owned VALUES (3, 'b', '') RETURNING id",
          "DELETE FROM invoked RETURNING id", "RESET ROLE", "SELECT * FROM note ORDER BY id",
        ], setup: setup)
    }
  }
#endif
