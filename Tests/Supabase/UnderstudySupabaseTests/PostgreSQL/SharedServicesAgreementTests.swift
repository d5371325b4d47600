import UnderstudySupabase

#if os(macOS) || os(Linux)
  import Foundation
  import SharedServicesBackends
  import TestSupport
  import Testing
  import UnderstudyTesting

  /// The tables of `schema.sql`, compared with a real PostgreSQL.
  @Suite(.stallLimit(), .enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
  struct SharedServicesAgreementTests {
    static let agreement = Agreement(schema: DatabaseSchema.sharedServicesSQL)
    typealias Values = [String: ColumnValue]

    static let (patID, kimID) = (id(1), id(2))
    static let (pat, kim) = (DatabaseRole.user(patID), DatabaseRole.user(kimID))
    static let (mia, leo, sam) = (id(0x11), id(0x12), id(0x13))
    static let (miasTalk, samsTalk) = (id(0x21), id(0x22))
    static let (miasMessage, samsMessage) = (id(0x31), id(0x32))
    static let (miasMemory, samsMemory) = (id(0x41), id(0x42))
    static let unknownID = id(0x99)

    static func id(_ number: UInt8) -> UUID {
      UUID(uuid: (0xA, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    static func child(_ id: UUID, of user: UUID, _ name: String, _ changes: Values = [:]) -> Values {
      [
        "id": .uuid(id), "user_id": .uuid(user), "name": .text(name), "age": 8, "birthday": "2017-05-04",
        "created_at": "2024-01-02T03:04:05.678901Z", "updated_at": "2024-01-02T03:04:05Z",
      ].merging(changes) { $1 }
    }

    /// Two users, three children, and the rows that refer to two of them, all with different times.
    static let rows: [Statement] = [
      insert(.service, "auth.users", ["id": .uuid(patID), "email": "pat@example.com"]),
      insert(.service, "auth.users", ["id": .uuid(kimID), "email": "kim@example.com"]),
      insert(pat, "children", child(mia, of: patID, "Mia", ["goals": .textArray(["Calm", "Sleep, well"])])),
      insert(pat, "children", child(leo, of: patID, "leo", ["age": 12, "temperament": "spirited"])),
      insert(
        kim, "children", child(sam, of: kimID, "Sam", ["topics": .textArray(["a\"b", "c\\d", nil, ""])])),
      insert(
        pat, "conversations",
        ["id": .uuid(miasTalk), "user_id": .uuid(patID), "child_id": .uuid(mia), "created_at": "2024-02-01"]),
      insert(
        kim, "conversations",
        ["id": .uuid(samsTalk), "user_id": .uuid(kimID), "child_id": .uuid(sam), "created_at": "2024-02-02"]),
      insert(
        pat, "messages",
        [
          "id": .uuid(miasMessage), "conversation_id": .uuid(miasTalk), "role": "user", "content": "Hello",
          "sources": #"[{"b": 1, "a": [true, null]}]"#, "created_at": "2024-02-01 10:00:00+02",
        ]),
      insert(
        kim, "messages",
        ["id": .uuid(samsMessage), "conversation_id": .uuid(samsTalk), "role": "assistant", "content": "Hi"]),
      insert(pat, "child_memory", ["id": .uuid(miasMemory), "child_id": .uuid(mia)]),
      insert(
        kim, "child_memory",
        ["id": .uuid(samsMemory), "child_id": .uuid(sam), "content": #"{"long": 1.50, "a": "x"}"#]),
    ]

    static func insert(_ role: DatabaseRole, _ table: String, _ rows: Values...) -> Statement {
      Statement(role, .insert(table, rows))
    }
    static func update(_ role: DatabaseRole, _ table: String, _ id: UUID, _ values: Values) -> Statement {
      Statement(role, .update(table, values, .equals("id", .text(id.uuidString))))
    }
    static func delete(_ role: DatabaseRole, _ table: String, _ id: UUID) -> Statement {
      Statement(role, .delete(table, .equals("id", .text(id.uuidString))))
    }
    static func select(
      _ role: DatabaseRole, _ table: String, _ filter: Statement.Filter = .all,
      _ orderings: Statement.Ordering...,
      limit: Int? = nil,
      offset: Int = 0
    ) -> Statement {
      Statement(role, .select(table, filter, orderings, limit: limit, offset: offset))
    }

    @Test func reading() async throws {
      var cases = Self.rows
      for table in ["auth.users", "children", "conversations", "messages", "child_memory", "nowhere"] {
        for role in [.service, .anonymous, Self.pat, Self.kim, .user(Self.unknownID)] {
          cases.append(Self.select(role, table))
        }
      }
      let filters: [Statement.Filter] = [
        .equals("name", "Mia"), .equals("name", "mia"), .comparison(column: "name", .greater, "a"),
        .comparison(column: "name", .lessOrEqual, "Mia"), .comparison(column: "age", .notEqual, "8"),
        .comparison(column: "age", .greaterOrEqual, " 12 "), .comparison(column: "age", .less, "12x"),
        .comparison(column: "age", .equal, "99999999999"), .comparison(column: "age", .equal, "1.5"),
        .comparison(column: "birthday", .less, "2017-05-05"),
        .comparison(column: "birthday", .equal, "2017-02-30"),
        .comparison(column: "birthday", .equal, "soon"), .comparison(column: "birthday", .equal, ""),
        .comparison(column: "created_at", .equal, "2024-01-02 05:04:05.678901+02"),
        .comparison(column: "created_at", .greater, "2024-01-02T03:04:05.6789Z"),
        .comparison(column: "created_at", .greater, "2024-01-02T25:00:00Z"),
        .comparison(column: "created_at", .greater, "noon"), .comparison(column: "name", .distinct, "Mia"),
        .comparison(column: "name", .equal, .null), .like(column: "name", pattern: "%a%", ignoresCase: false),
        .like(column: "name", pattern: "_EO", ignoresCase: true),
        .like(column: "name", pattern: "\\", ignoresCase: false),
        .like(column: "age", pattern: "8", ignoresCase: false),
        .like(column: "age", pattern: "8", ignoresCase: true),
        .state(column: "name", "NULL"), .state(column: "name", "NOT NULL"), .state(column: "name", "TRUE"),
        .state(column: "age", "UNKNOWN"), .among(column: "name", ["Mia", "leo", "x,y"]),
        .among(column: "name", []),
        .among(column: "age", ["8", "y"]), .among(column: "id", [.text(Self.mia.uuidString), "no"]),
        .containment(column: "goals", .contains, .textArray(["Calm"])),
        .containment(column: "goals", .containedBy, .textArray(["Calm", "Sleep, well", "x"])),
        .containment(column: "topics", .overlaps, .textArray([nil, ""])),
        .containment(column: "topics", .containedBy, .textArray([nil, "", "a\"b", "c\\d"])),
        .containment(column: "goals", .contains, "{Calm"),
        .containment(column: "name", .contains, .textArray(["x"])),
        .containment(column: "name", .overlaps, "{x}"), .equals("goals", "{}"),
        .equals("goals", #"{Calm,"Sleep, well"}"#),
        .comparison(column: "goals", .greater, "{Bold}"), .equals("topics", "{a"), .equals("shoe", "9"),
        .not(.equals("shoe", "9")), .equals("id", "not-a-uuid"), .not(.among(column: "age", ["8", "9"])),
        .or([.equals("name", "Mia"), .and([.equals("age", "12"), .not(.equals("name", "x"))])]), .or([]),
        .and([]),
      ]
      for filter in filters {
        cases.append(Self.select(.service, "children", filter, Statement.Ordering("id")))
      }
      for column in ["name", "age", "birthday", "goals", "topics", "created_at", "temperament"] {
        for isAscending in [true, false] {
          cases.append(
            Self.select(
              .service, "children", .all, Statement.Ordering(column, isAscending: isAscending),
              Statement.Ordering("id")))
        }
      }
      for first in [true, false] {
        cases.append(
          Self.select(
            .service, "messages", .all, Statement.Ordering("sources", placesNullsFirst: first),
            Statement.Ordering("id")))
      }
      cases += [
        Self.select(.service, "children", .all, Statement.Ordering("name"), limit: 1, offset: 1),
        Self.select(.service, "children", .all, Statement.Ordering("name"), limit: 0),
        Self.select(.service, "children", .all, Statement.Ordering("shoe")),
        Self.select(
          .service, "messages", .equals("sources", #"[{"a":[true,null],"b":1.0}]"#), Statement.Ordering("id")),
        Self.select(
          .service, "child_memory", .comparison(column: "content", .greater, "[]"), Statement.Ordering("id")),
        Self.select(.service, "child_memory", .equals("content", "{"), Statement.Ordering("id")),
      ]
      try await Self.agreement.verify(cases)
    }

    /// Violations of each constraint of each table, by a role that may see the values and by one that may not.
    @Test func constraints() async throws {
      var cases = Self.rows
      let wrong: [Values] = [
        ["name": nil], ["name": ""], ["name": " \t\n"], ["name": "\u{A0}"], ["name": "\u{2003}"],
        ["name": "\u{3000}"],
        ["name": "\u{85}"], ["name": "\u{200B}"], ["age": nil], ["age": 5], ["age": 17], ["age": "x"],
        ["age": ""],
        ["age": "2147483648"], ["age": "-9"], ["age": "7.0"], ["birthday": nil], ["birthday": "2999-01-01"],
        ["birthday": "2017-13-01"], ["birthday": "2017-02-29"], ["birthday": "nonsense"],
        ["birthday": "2017-5-4"],
        ["goals": nil], ["goals": "{"], ["goals": "x"], ["goals": "{a,,b}"], ["goals": "{a} b"],
        ["goals": #"{"a}"#], ["topics": nil], ["temperament": nil], ["temperament": "wild"],
        ["temperament": ""],
        ["temperament_talkative": 0], ["temperament_talkative": 11], ["temperament_talkative": nil],
        ["temperament_sensitivity": 0], ["temperament_sensitivity": 11], ["temperament_sensitivity": nil],
        ["temperament_accountability": 0], ["temperament_accountability": 11],
        ["temperament_accountability": nil],
        ["created_at": nil], ["updated_at": nil], ["created_at": "2024-02-30T00:00:00Z"], ["created_at": "x"],
        ["user_id": nil], ["user_id": .uuid(Self.unknownID)], ["user_id": "x"], ["id": nil], ["id": "x"],
        ["id": .uuid(Self.leo)], ["name": "leo"], ["shoe": 9],
        ["age": 5, "name": "", "birthday": "2999-01-01"],
        ["age": nil, "name": nil], ["name": .text(String(repeating: "é", count: 60)), "age": 1],
        ["age": true], ["name": 5], ["goals": .textArray(["a b", "NULL", nil]), "age": 4], ["name": "a\0b"],
      ]
      for values in wrong {
        for role in [DatabaseRole.service, Self.pat] {
          // A literal other than a text has its own type: PostgreSQL casts it on assignment; the emulator refuses it.
          if values["name"] == 5 || values["name"] == "a\0b" { continue }
          cases.append(
            Self.insert(
              role, "children", Self.child(Self.id(0x51), of: Self.patID, "Ann").merging(values) { $1 }))
          cases.append(Self.update(role, "children", Self.mia, values))
        }
      }
      for role in [DatabaseRole.service, Self.pat] {
        let talk: Values = [
          "id": .uuid(Self.id(0x52)), "user_id": .uuid(Self.patID), "child_id": .uuid(Self.mia),
        ]
        for values: Values in [
          ["child_id": nil], ["user_id": nil], ["child_id": .uuid(Self.unknownID)],
          ["user_id": .uuid(Self.unknownID)],
          ["child_id": .uuid(Self.unknownID), "user_id": .uuid(Self.unknownID)], ["id": .uuid(Self.samsTalk)],
          ["created_at": nil], ["updated_at": nil],
        ] {
          cases.append(Self.insert(role, "conversations", talk.merging(values) { $1 }))
          cases.append(Self.update(role, "conversations", Self.miasTalk, values))
        }
        let message: Values = [
          "id": .uuid(Self.id(0x53)), "conversation_id": .uuid(Self.miasTalk), "role": "user", "content": "x",
        ]
        for values: Values in [
          ["role": "robot"], ["role": nil], ["content": nil], ["content": ""], ["sources": "{"],
          ["sources": "null"],
          ["sources": #"{"a":1,"a":2}"#], ["sources": "[1e3, 1E-2, 0.10, -0, 12345678901234567890.5]"],
          ["sources": #""\u0000""#], ["sources": #"{"b":1,"aa":"\u00e9\/"}"#], ["sources": "tru"],
          ["sources": ""],
          ["conversation_id": nil], ["conversation_id": .uuid(Self.unknownID)],
          ["id": .uuid(Self.miasMessage)],
        ] {
          cases.append(Self.insert(role, "messages", message.merging(values) { $1 }))
          cases.append(Self.update(role, "messages", Self.miasMessage, values))
          cases.append(Self.delete(role, "messages", Self.id(0x53)))
        }
        for values: Values in [
          ["child_id": .uuid(Self.mia)], ["child_id": nil], ["child_id": .uuid(Self.unknownID)],
          ["content": nil],
        ] {
          cases.append(
            Self.insert(
              role, "child_memory",
              ["id": .uuid(Self.id(0x54)), "child_id": .uuid(Self.leo)].merging(values) { $1 }))
          cases.append(Self.update(role, "child_memory", Self.miasMemory, values))
        }
        // Either all rows are inserted or none; the first error is reported.
        cases.append(
          Self.insert(
            role, "children", Self.child(Self.id(0x55), of: Self.patID, "Bea"),
            Self.child(Self.id(0x56), of: Self.patID, "Bea")))
        cases.append(
          Self.insert(
            role, "conversations",
            talk.merging(["id": .uuid(Self.id(0x57)), "child_id": .uuid(Self.unknownID)]) { $1 },
            talk.merging(["id": .uuid(Self.id(0x58)), "user_id": .uuid(Self.unknownID)]) { $1 }))
        cases.append(Self.select(role, "children", .all, Statement.Ordering("id")))
      }
      cases += [
        Self.insert(.service, "auth.users", ["id": .uuid(Self.patID), "email": "x"]),
        Self.insert(.service, "auth.users", ["id": .uuid(Self.unknownID), "email": "pat@example.com"]),
        Self.insert(.service, "nowhere", ["id": 1]),
      ]
      try await Self.agreement.verify(cases)
    }

    /// Each policy with allowed and refused rows.
    @Test func policies() async throws {
      var cases = Self.rows
      let roles: [DatabaseRole] = [.anonymous, Self.pat, Self.kim, .user(Self.unknownID), .service]
      for (index, role) in roles.enumerated() {
        let number = UInt8(0x60 + index * 16)
        cases += [
          Self.insert(role, "children", Self.child(Self.id(number), of: Self.patID, "New \(index)")),
          Self.insert(role, "children", Self.child(Self.id(number + 1), of: Self.kimID, "New \(index)")),
          Self.insert(
            role, "children", Self.child(Self.id(number + 2), of: Self.patID, "Ok \(index)"),
            Self.child(Self.id(number + 3), of: Self.kimID, "Ok \(index)")),
          Self.update(role, "children", Self.mia, ["age": .integer(9 + index)]),
          Self.update(
            role, "children", Self.sam, ["user_id": .uuid(Self.patID), "name": .text("Moved \(index)")]),
          Self.update(
            role, "children", Self.leo, ["user_id": .uuid(Self.kimID), "name": .text("Given \(index)")]),
          Statement(role, .update("children", ["temperament": "cautious"], .all)),
        ]
        for (talk, child) in [
          (Self.mia, Self.patID), (Self.sam, Self.patID), (Self.sam, Self.kimID), (Self.mia, Self.kimID),
        ] {
          cases.append(
            Self.insert(role, "conversations", ["user_id": .uuid(child), "child_id": .uuid(talk)]))
          cases.append(
            Self.update(
              role, "conversations", Self.miasTalk, ["user_id": .uuid(child), "child_id": .uuid(talk)]))
        }
        for talk in [Self.miasTalk, Self.samsTalk, Self.unknownID] {
          cases.append(
            Self.insert(role, "messages", ["conversation_id": .uuid(talk), "role": "user", "content": "x"]))
          cases.append(Self.update(role, "messages", Self.miasMessage, ["conversation_id": .uuid(talk)]))
          cases.append(Self.update(role, "messages", Self.samsMessage, ["conversation_id": .uuid(talk)]))
        }
        for child in [Self.leo, Self.sam, Self.unknownID] {
          cases.append(Self.insert(role, "child_memory", ["child_id": .uuid(child)]))
          cases.append(Self.update(role, "child_memory", Self.samsMemory, ["child_id": .uuid(child)]))
        }
        for table in DatabaseSchema.sharedServices.tableNames {
          cases.append(Self.select(role, table))
        }
        let upserted = Self.child(Self.mia, of: Self.patID, "Mia", ["age": .integer(10)])
        let taken = Self.child(Self.sam, of: Self.patID, "Mine")
        for merges in [true, false] {
          cases.append(Statement(role, .upsert("children", [upserted], onConflict: ["id"], merges: merges)))
          cases.append(Statement(role, .upsert("children", [taken], onConflict: ["id"], merges: merges)))
          cases.append(
            Statement(
              role,
              .upsert(
                "children", [Self.child(Self.id(number + 4), of: Self.patID, "Up \(index)")],
                onConflict: ["user_id", "name"], merges: merges)))
          cases.append(
            Statement(role, .upsert("children", [upserted, upserted], onConflict: ["id"], merges: merges)))
          cases.append(Statement(role, .upsert("children", [upserted], onConflict: ["age"], merges: merges)))
        }
      }
      for role in roles {
        cases += [
          Self.delete(role, "messages", Self.samsMessage), Self.delete(role, "child_memory", Self.miasMemory),
          Self.delete(role, "conversations", Self.samsTalk), Self.delete(role, "children", Self.mia),
          Statement(role, .delete("children", .equals("temperament", "cautious"))),
        ]
        for table in ["children", "conversations", "messages", "child_memory"] {
          cases.append(Self.select(.service, table))
        }
      }
      try await Self.agreement.verify(cases)
    }
  }
#endif
