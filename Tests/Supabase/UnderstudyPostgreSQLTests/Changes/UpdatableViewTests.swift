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

    @Test func triggersChangeInsteadOfAView() async throws {
      let setup = """
        CREATE TABLE person (id integer PRIMARY KEY, name text); CREATE TABLE mail (person integer, address text);
        INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob'); INSERT INTO mail VALUES (1, 'a@x'), (1, 'a@y'), (2, 'b@x');
        CREATE TABLE log (entry text);
        CREATE VIEW contact AS SELECT p.id, p.name, m.address, upper(p.name) AS loud FROM person p JOIN mail m ON m.person = p.id;
        CREATE VIEW first_contact AS SELECT id, name FROM contact WHERE id < 3;
        CREATE FUNCTION change_contact() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO log VALUES (concat_ws(' ', TG_WHEN, TG_OP, TG_LEVEL, TG_TABLE_NAME, OLD.address, NEW.address));
          IF TG_OP = 'DELETE' THEN
            IF OLD.address = 'keep' THEN RETURN NULL; END IF;
            DELETE FROM mail WHERE person = OLD.id AND address = OLD.address;
            RETURN OLD;
          END IF;
          IF NEW.address = 'skip' THEN RETURN NULL; END IF;
          NEW.loud := upper(NEW.name);
          IF TG_OP = 'INSERT' THEN
            NEW.id := coalesce(NEW.id, 9);
            INSERT INTO person VALUES (NEW.id, NEW.name) ON CONFLICT DO NOTHING;
            INSERT INTO mail VALUES (NEW.id, NEW.address);
          ELSE
            UPDATE person SET name = NEW.name WHERE id = OLD.id;
            UPDATE mail SET address = NEW.address WHERE person = OLD.id AND address = OLD.address;
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER change INSTEAD OF INSERT OR UPDATE OR DELETE ON contact FOR EACH ROW EXECUTE FUNCTION change_contact();
        CREATE FUNCTION note_statement() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO log VALUES (concat_ws(' ', TG_WHEN, TG_OP, TG_LEVEL)); RETURN NULL; END $$;
        CREATE TRIGGER before_all BEFORE UPDATE ON contact EXECUTE FUNCTION note_statement();
        CREATE TRIGGER after_all AFTER UPDATE ON contact EXECUTE FUNCTION note_statement();
        """
      try await ScriptAgreement.check(
        [
          "INSERT INTO contact (id, name, address) VALUES (3, 'Cid', 'c@x') RETURNING *",
          "INSERT INTO contact (name, address) VALUES ('Dan', 'd@x'), ('Eve', 'skip') RETURNING id, loud",
          "INSERT INTO contact SELECT 4, 'Fay', 'keep'", "INSERT INTO contact (id) VALUES ('x')",
          "INSERT INTO contact (nothing) VALUES (1)",
          "UPDATE contact SET name = name || '!', address = replace(address, '@', '#') WHERE id = 1 RETURNING *",
          "UPDATE contact AS c SET address = 'z' FROM person p WHERE p.id = c.id AND p.name = 'Bob' RETURNING c.address, p.name",
          "UPDATE contact SET address = 'skip' RETURNING id",
          "UPDATE contact SET loud = 'x' WHERE id = 3 RETURNING loud",
          "UPDATE contact SET (name, address) = (SELECT 'Cy', 'cy') WHERE id = 3 RETURNING name",
          "DELETE FROM contact WHERE id IN (1, 4) RETURNING id, address",
          "DELETE FROM contact USING person p WHERE p.id = contact.id AND p.id = 2",
          "INSERT INTO first_contact VALUES (1, 'Ann') RETURNING *",
          "UPDATE first_contact SET name = 'Al' RETURNING *",
          "DELETE FROM first_contact WHERE id = 1",
          "INSERT INTO contact (id) VALUES (1) ON CONFLICT DO NOTHING",
          "INSERT INTO contact (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
          "WITH made AS (INSERT INTO contact (id, name, address) VALUES (7, 'Gil', 'g') RETURNING loud) SELECT * FROM made",
          "SELECT * FROM log", "SELECT * FROM person ORDER BY id", "SELECT * FROM mail ORDER BY 1, 2",
          "CREATE TRIGGER t INSTEAD OF INSERT ON person FOR EACH ROW EXECUTE FUNCTION change_contact()",
          "CREATE TRIGGER t BEFORE INSERT ON contact FOR EACH ROW EXECUTE FUNCTION change_contact()",
          "CREATE TRIGGER t INSTEAD OF INSERT ON contact EXECUTE FUNCTION change_contact()",
          "CREATE TRIGGER t INSTEAD OF INSERT ON contact FOR EACH ROW WHEN (NEW.id > 1) EXECUTE FUNCTION change_contact()",
          "CREATE TRIGGER t INSTEAD OF UPDATE OF name ON contact FOR EACH ROW EXECUTE FUNCTION change_contact()",
          "CREATE TRIGGER t BEFORE TRUNCATE ON contact EXECUTE FUNCTION note_statement()",
          "CREATE OR REPLACE VIEW contact AS SELECT p.id, p.name, m.address, lower(p.name) AS loud FROM person p JOIN mail m ON m.person = p.id",
          "DELETE FROM contact WHERE id = 3 RETURNING loud", "DROP TRIGGER change ON contact",
          "DELETE FROM contact",
        ], setup: setup)
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
