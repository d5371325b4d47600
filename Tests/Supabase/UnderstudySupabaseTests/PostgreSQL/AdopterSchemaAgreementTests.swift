#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import UnderstudyPostgreSQL
  import UnderstudyTesting

  @testable import UnderstudySupabase

  /// Schemas like those of adopters.
  @Suite(.stallLimit(), .enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
  struct AdopterSchemaAgreementTests {
    typealias Values = [String: ColumnValue]
    private let pat = SharedServicesAgreementTests.patID
    private let kim = SharedServicesAgreementTests.kimID
    private let lee = SharedServicesAgreementTests.id(3)

    private func id(_ number: UInt8) -> ColumnValue { .uuid(SharedServicesAgreementTests.id(number)) }

    private var users: [Statement] {
      zip([pat, kim, lee], ["pat", "kim", "lee"]).map { user, name in
        Statement(.service, .insert("auth.users", [["id": .uuid(user), "email": .text(name)]]))
      }
    }

    private var roles: [DatabaseRole] { [.user(pat), .user(kim), .user(lee), .anonymous, .service] }

    /// A policy for each command, forced row-level security, roles, restrictions, and every action on deletion.
    static let todos = """
      /* A list can be
         shared. /* Nested. */ */
      CREATE EXTENSION IF NOT EXISTS pgcrypto;
      CREATE TABLE IF NOT EXISTS public.lists (
        id uuid DEFAULT gen_random_uuid() NOT NULL,
        owner uuid DEFAULT auth.uid() NOT NULL,
        "Title" text NOT NULL,
        is_public boolean DEFAULT false,
        weight double precision DEFAULT 1.5 CHECK (weight > 0.25 AND weight < 1000 OR weight IS NULL),
        slug text GENERATED_SLUG,
        rank int DEFAULT -1,
        CONSTRAINT lists_pk PRIMARY KEY (id),
        CONSTRAINT "one title" UNIQUE (owner, "Title"),
        CHECK (char_length(trim("Title")) BETWEEN 1 AND 20),
        CHECK (rank >= -1 AND rank * 2 <= 100),
        CHECK (rank <> 13),
        CONSTRAINT a_public_list_has_a_slug CHECK (NOT is_public OR slug IS NOT NULL)
      );
      CREATE TABLE items (
        id integer PRIMARY KEY,
        list_id uuid NOT NULL REFERENCES lists ON DELETE CASCADE,
        parent_id integer REFERENCES items (id) ON DELETE SET NULL,
        moved_from uuid REFERENCES lists (id) ON DELETE SET DEFAULT DEFAULT NULL,
        kept_in uuid CONSTRAINT kept REFERENCES lists (id) ON DELETE RESTRICT,
        state text NOT NULL DEFAULT 'open' CHECK (state = ANY (ARRAY['open'::text, 'done'::text])),
        tags text[] DEFAULT ARRAY['new'] CHECK (cardinality(tags) <= 3 AND NOT tags && ARRAY['bad']),
        due date CHECK (due > DATE '2000-01-01'),
        extra jsonb DEFAULT '{"v": 1}'::jsonb CHECK (extra ->> 'v' ~ '^[0-9]+$'),
        updated_at timestamptz DEFAULT CURRENT_TIMESTAMP
      );
      CREATE TABLE shares (
        list_id uuid REFERENCES lists (id) ON DELETE CASCADE,
        member uuid REFERENCES auth.users (id),
        can_write boolean NOT NULL DEFAULT FALSE,
        PRIMARY KEY (list_id, member)
      );
      ALTER TABLE ONLY items ADD CONSTRAINT state_and_due CHECK (state <> 'done' OR due IS NOT NULL);
      ALTER TABLE items ADD CHECK (state LIKE 'o%' OR state ILIKE 'D%');
      CREATE UNIQUE INDEX ON items (list_id, due);
      CREATE UNIQUE INDEX items_by_tags ON items USING btree (tags DESC NULLS LAST);
      CREATE INDEX ON items (state);
      COMMENT ON TABLE items IS 'What is to do; all of it.';
      GRANT SELECT ON items TO anon;

      CREATE OR REPLACE FUNCTION touch() RETURNS trigger AS $body$
      begin
        new.updated_at := now();
        return new;
      end;
      $body$ LANGUAGE plpgsql SECURITY DEFINER SET search_path = '';
      CREATE TRIGGER touch_items BEFORE UPDATE ON items FOR EACH ROW EXECUTE PROCEDURE touch();

      ALTER TABLE lists ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      ALTER TABLE items ENABLE ROW LEVEL SECURITY;
      ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
      DROP POLICY IF EXISTS "Lists can be seen" ON lists;
      CREATE POLICY "Lists can be seen" ON lists FOR SELECT
        USING (is_public IS TRUE OR owner = (SELECT auth.uid()) OR id IN (SELECT list_id FROM shares));
      CREATE POLICY adding ON lists FOR INSERT TO authenticated WITH CHECK (auth.uid() = owner);
      CREATE POLICY changing ON lists FOR UPDATE TO authenticated USING (owner = auth.uid()) WITH CHECK (rank < 40);
      CREATE POLICY removing ON lists FOR DELETE TO authenticated, anon USING (owner = auth.uid() AND NOT is_public);
      CREATE POLICY "not in rank 7" ON lists AS RESTRICTIVE FOR ALL TO public
        USING (rank IS DISTINCT FROM 7) WITH CHECK (rank <> 8);
      CREATE POLICY seen ON shares FOR SELECT TO authenticated USING (member = auth.uid());
      CREATE POLICY served ON shares TO service_role USING (true);
      CREATE POLICY through ON items FOR ALL TO authenticated
        USING (EXISTS (SELECT 1 FROM lists AS l WHERE l.id = items.list_id))
        WITH CHECK (
          EXISTS (SELECT 1 FROM lists l WHERE l.id = list_id AND l.owner = auth.uid())
          OR EXISTS (
            SELECT s.member FROM shares s JOIN lists l ON l.id = s.list_id
            WHERE s.list_id = items.list_id AND s.can_write AND coalesce(l.rank, 0) < 30)
        );
      """.replacing("text GENERATED_SLUG", with: "text CHECK (slug !~ '[^a-z0-9-]')")

    @Test func todoLists() async throws {
      var cases = users
      func insert(_ role: DatabaseRole, _ table: String, _ rows: Values...) {
        cases.append(Statement(role, .insert(table, rows)))
      }
      let (pats, kims) = (DatabaseRole.user(pat), DatabaseRole.user(kim))
      insert(pats, "lists", ["id": id(0x11), "Title": "Home"])
      insert(pats, "lists", ["id": id(0x12), "Title": "Shared", "rank": 3])
      insert(kims, "lists", ["id": id(0x13), "Title": "Open", "is_public": true, "slug": "open-1"])
      insert(.service, "lists", ["id": id(0x14), "Title": "Hidden", "rank": 7, "owner": .uuid(pat)])
      insert(.service, "shares", ["list_id": id(0x12), "member": .uuid(kim), "can_write": true])
      insert(.service, "shares", ["list_id": id(0x12), "member": .uuid(lee)])
      for (index, role) in roles.enumerated() {
        let number = UInt8(0x20 + 16 * index)
        let base: Values = ["id": id(number), "Title": .text("List \(index)"), "owner": .uuid(pat)]
        for changes: Values in [
          [:], ["owner": .uuid(kim)], ["owner": nil], ["Title": "   "],
          ["Title": .text(String(repeating: "x", count: 21))],
          ["weight": 0.25], ["weight": "0.26"], ["weight": nil, "id": id(number + 1), "Title": "W"],
          ["weight": "NaN"],
          ["rank": 51], ["rank": 13], ["rank": -2], ["rank": 7], ["rank": 8],
          ["rank": 45, "id": id(number + 2), "Title": "R"],
          ["rank": 2_000_000_000], ["rank": nil, "id": id(number + 3), "Title": "N"], ["is_public": true],
          ["slug": "A b"],
          ["is_public": true, "slug": "s", "id": id(number + 4), "Title": "P"], ["is_public": "maybe"],
        ] {
          insert(role, "lists", base.merging(changes) { $1 })
        }
        for list: UInt8 in [0x11, 0x12, 0x13, 0x14] {
          for values: Values in [
            ["rank": 4], ["rank": 41], ["rank": 8], ["rank": 7], ["Title": "Home"], ["owner": .uuid(lee)],
            ["slug": "b"],
          ] where list != 0x11 || values["rank"] != 7 {
            cases.append(Statement(role, .update("lists", values, .equals("id", id(list)))))
          }
        }
        for list: UInt8 in [0x11, 0x12, 0x13, 0x14, 0x99] {
          let item: Values = [
            "id": .integer(index * 100 + Int(list)), "list_id": id(list),
            "tags": .textArray([.init(index), .init(list)]),
          ]
          for changes: Values in [
            [:], ["state": "done"], ["state": "lost"], ["due": "1999-01-01"], ["tags": .textArray(["bad"])],
            ["tags": "{a,b,c,d}"], ["extra": #"{"v": "x"}"#], ["extra": #"{"v": 12}"#], ["extra": "[]"],
            ["parent_id": 5],
            ["parent_id": .integer(index * 100 + Int(list)), "id": .integer(index * 100 + Int(list) + 50)],
            ["kept_in": id(0x99)],
            [
              "tags": nil, "id": .integer(index * 100 + Int(list) + 60), "moved_from": id(0x11),
              "due": "2020-02-02",
            ],
            ["tags": nil, "id": .integer(index * 100 + Int(list) + 61), "due": "2020-02-02"],
          ] {
            insert(role, "items", item.merging(changes) { $1 })
          }
          cases.append(
            Statement(
              role,
              .update(
                "items", ["state": "done", "due": .text("2021-03-0\(index + 1)")],
                .equals("list_id", id(list)))))
        }
        for table in ["lists", "items", "shares"] {
          cases.append(Statement(role, .select(table, .all, [], limit: nil, offset: 0)))
        }
        insert(role, "shares", ["list_id": id(0x13), "member": .uuid(lee)])
      }
      for role in roles {
        for list: UInt8 in [0x11, 0x12, 0x13, 0x14] {
          cases.append(
            Statement(.service, .update("items", ["kept_in": id(0x13)], .equals("id", .integer(Int(list))))))
          cases.append(Statement(role, .delete("lists", .equals("id", id(list)))))
        }
        for table in ["lists", "items", "shares"] {
          cases.append(Statement(.service, .select(table, .all, [], limit: nil, offset: 0)))
        }
      }
      try await Agreement(schema: Self.todos).verify(cases)
    }

    /// The generated names of constraints and indexes, which occur in errors.
    @Test func names() async throws {
      let long = String(repeating: "long_", count: 12)
      let schema =
        Self.todos + """
          CREATE TABLE \(long) (
            \(long)id uuid PRIMARY KEY, \(long)a text UNIQUE CHECK (\(long)a <> '') CHECK (\(long)a <> 'x'),
            "é\(long)" uuid REFERENCES lists, n integer CHECK (n > 1), CHECK (n > 2), CHECK (\(long)a <> "é\(long)"::text),
            n_2 integer, UNIQUE (n, n_2), UNIQUE (n_2, n)
          );
          ALTER TABLE \(long) ADD CHECK (n > 3), ADD UNIQUE (n), ADD FOREIGN KEY (\(long)id) REFERENCES auth.users;
          CREATE UNIQUE INDEX ON \(long) (n);
          CREATE UNIQUE INDEX ON \(long) (n, n_2);
          """
      let lines = try await PostgreSQLServer().lines(
        of: """
          \(PostgreSQLServer.project)
          \(schema)
          SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
          UNION ALL SELECT relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid
            WHERE indisunique AND relnamespace = 'public'::regnamespace;
          """)
      let tables = try DatabaseSchema(sql: schema).state.catalogue.tables.values
      let names = tables.filter { $0.name.schema == "public" }.flatMap { table in
        table.checks.map(\.name) + table.foreignKeys.map(\.name) + table.keys.map(\.name)
      }
      #expect(names.sorted() == lines.sorted())
    }

    /// Common errors of projects: recursive policies, and a policy that queries the users.
    @Test func policiesThatCannotBeEvaluated() async throws {
      let schema = """
        CREATE TABLE teams (id integer PRIMARY KEY, name text);
        CREATE TABLE members (team integer REFERENCES teams, member uuid, PRIMARY KEY (team, member));
        CREATE TABLE profiles (id uuid PRIMARY KEY, name text);
        CREATE TABLE numbers (id integer PRIMARY KEY, half integer CHECK (100 / half > 2));
        CREATE TABLE open (id integer PRIMARY KEY, note text DEFAULT 'x');
        CREATE TABLE closed (id integer PRIMARY KEY);
        ALTER TABLE teams ENABLE ROW LEVEL SECURITY;
        ALTER TABLE members ENABLE ROW LEVEL SECURITY;
        ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
        ALTER TABLE numbers ENABLE ROW LEVEL SECURITY;
        ALTER TABLE closed ENABLE ROW LEVEL SECURITY;
        CREATE POLICY a ON teams FOR SELECT USING (id IN (SELECT team FROM members));
        CREATE POLICY b ON members USING (EXISTS (SELECT FROM members m WHERE m.team = members.team AND m.member = auth.uid()));
        CREATE POLICY c ON teams FOR INSERT WITH CHECK (name <> (SELECT 'no'));
        CREATE POLICY d ON profiles USING (EXISTS (SELECT FROM auth.users u WHERE u.id = profiles.id));
        CREATE POLICY e ON numbers USING (10 / id > 1);
        CREATE POLICY f ON open USING (false);
        """
      var cases = users
      for role in roles {
        for (table, values): (String, Values) in [
          ("teams", ["id": 1, "name": "x"]), ("teams", ["id": 2, "name": "no"]),
          ("members", ["team": 1, "member": .uuid(pat)]),
          ("profiles", ["id": .uuid(pat), "name": "Pat"]), ("numbers", ["id": 2, "half": 5]),
          ("numbers", ["id": 3, "half": 0]),
          ("numbers", ["id": 4, "half": 80]), ("numbers", ["id": 0, "half": nil]),
          ("numbers", ["id": 9, "half": nil]),
          ("open", [:]), ("open", ["id": 1]), ("open", ["id": 2, "note": nil]), ("closed", ["id": 1]),
        ] where !values.isEmpty {
          cases.append(Statement(role, .insert(table, [values])))
          cases.append(Statement(role, .update(table, values, .all)))
          cases.append(Statement(role, .select(table, .all, [], limit: nil, offset: 0)))
          cases.append(
            Statement(role, .delete(table, .equals(table == "members" ? "team" : "id", "77").onlyUUID(table)))
          )
        }
      }
      try await Agreement(schema: schema).verify(cases)
    }
  }

  extension Statement.Filter {
    /// A filter for every table, of which the profiles have another key.
    fileprivate func onlyUUID(_ table: String) -> Statement.Filter {
      table == "profiles" ? .equals("id", .uuid(SharedServicesAgreementTests.unknownID)) : self
    }
  }
#endif
