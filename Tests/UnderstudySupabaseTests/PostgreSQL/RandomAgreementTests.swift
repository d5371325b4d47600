import Understudy

#if os(macOS) || os(Linux)
  import Foundation
  import SharedServicesDoubles
  import Testing
  import UnderstudyTesting

  @testable import UnderstudySupabase

  /// Random statements from a seed, one after the other on the same rows.
  @Suite(.stallLimit(), .enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
  struct RandomAgreementTests {
    /// `UNDERSTUDY_SEED` sets the seed, and `UNDERSTUDY_STATEMENTS` the number of statements.
    private static func setting(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    @Test(arguments: [setting("UNDERSTUDY_SEED") ?? 1, 2])
    func statements(_ seed: UInt64) async throws {
      print("Statements from seed \(seed)")
      let sql = [DatabaseTable].sharedServicesSQL
      var generator = StatementGenerator(tables: try DatabaseSchema(sql: sql).tables, seed: seed)
      let count = Self.setting("UNDERSTUDY_STATEMENTS").map(Int.init(truncatingIfNeeded:)) ?? 1000
      let statements = SharedServicesAgreementTests.rows + (0..<count).map { _ in generator.next() }
      try await Agreement(schema: sql).verify(statements, seed: seed)
    }
  }

  /// A generator of statements, most of them valid, with values that are sometimes invalid.
  struct StatementGenerator {
    private let tables: [DatabaseTable]
    private var generator: SeededGenerator
    private let users: [UUID]
    /// Only a few, so that rows conflict.
    private let ids: [UUID]

    init(tables: [DatabaseTable], seed: UInt64) {
      self.tables = tables
      generator = SeededGenerator(seed: seed)
      users = [SharedServicesAgreementTests.patID, SharedServicesAgreementTests.kimID]
      ids = (1...60).map { SharedServicesAgreementTests.id($0) }
    }

    private mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &generator) < percent
    }

    private mutating func one<Element>(of elements: [Element], else other: Element) -> Element {
      elements.randomElement(using: &generator) ?? other
    }

    mutating func next() -> Statement {
      let table = tables[Int.random(in: 0..<tables.count, using: &generator)]
      let role: DatabaseRole =
        chance(12) ? .service : chance(6) ? .anonymous : .user(one(of: users, else: users[0]))
      switch Int.random(in: 0..<100, using: &generator) {
      case ..<30:
        let rows =
          chance(80) ? [row(of: table, for: role)] : [row(of: table, for: role), row(of: table, for: role)]
        return Statement(role, .insert(table.name, rows))
      case ..<38:
        let columns = chance(70) ? table.primaryKey : table.unique.first ?? table.primaryKey
        return Statement(
          role, .upsert(table.name, [row(of: table, for: role)], onConflict: columns, merges: chance(60)))
      case ..<65:
        return Statement(role, .update(table.name, changes(of: table), one(table)))
      case ..<72: return Statement(role, .delete(table.name, one(table)))
      default:
        // In memory, two statements never write the same time, so that an order by time differs.
        let column = one(of: table.columns.filter { $0.type != .timestamp }, else: table.columns[0])
        let first = DatabaseOrdering(column.name, isAscending: chance(50), placesNullsFirst: chance(50))
        return Statement(
          role,
          .select(
            table.name, filter(on: table, depth: 2), [first, DatabaseOrdering("id")],
            limit: chance(20) ? 2 : nil,
            offset: chance(10) ? 1 : 0))
      }
    }

    /// The row with an identifier, so that the details of an error describe only this row.
    private mutating func one(_ table: DatabaseTable) -> DatabaseFilter {
      .equals("id", .text(one(of: ids, else: ids[0]).uuidString))
    }

    private mutating func row(of table: DatabaseTable, for role: DatabaseRole) -> [String: ColumnValue] {
      var row: [String: ColumnValue] = [:]
      for column in table.columns {
        // The times are specified, so that an order by time is the same on both sides.
        if column.defaultValue != nil, column.type != .timestamp, column.name != "id", chance(60) { continue }
        row[column.name] = value(for: column)
      }
      if case .user(let id) = role, row["user_id"] != nil, chance(85) { row["user_id"] = .uuid(id) }
      return row
    }

    private mutating func changes(of table: DatabaseTable) -> [String: ColumnValue] {
      var changes: [String: ColumnValue] = [:]
      for _ in 0...Int.random(in: 0...1, using: &generator) {
        let column = one(of: table.columns, else: table.columns[0])
        changes[column.name] = value(for: column)
      }
      return changes
    }

    private mutating func value(for column: DatabaseColumn) -> ColumnValue {
      if chance(3) { return .null }
      if chance(2) { return one(of: ["", "x", "-1", "{", "2024-02-30"], else: "") }
      switch column.type {
      case .uuid:
        return .text(
          (column.name == "user_id" ? one(of: users, else: ids[0]) : one(of: ids, else: ids[0])).uuidString)
      case .integer: return .integer(Int.random(in: chance(80) ? 6...10 : -1...18, using: &generator))
      case .date: return one(of: ["2017-05-04", "2012-02-29", "2010-12-31", "2999-01-01"], else: "")
      case .timestamp:
        return one(
          of: ["2024-01-01T00:00:00Z", "2024-01-01 00:00:00.5+01", "2023-06-30T23:59:59.999999Z"], else: "")
      case .textArray:
        return one(
          of: [.textArray([]), "{a,b}", .textArray(["a", nil, "b c", "\"", "é"]), "{NULL}"], else: "{}")
      case .json:
        return one(
          of: [
            "{}", "[]", "null", #"{"a": [1, 1.0, "x"]}"#, #"[{"b": 2, "a": 1}]"#, "3", "3.00", #""x""#,
            "[[]]", "true",
          ],
          else: "{}")
      case .boolean: return .boolean(chance(50))
      case .double: return .double(Double(Int.random(in: -4...4, using: &generator)) / 4)
      case .text:
        switch column.name {
        case "temperament":
          return one(of: ["easygoing", "sensitive", "spirited", "cautious", "wild"], else: "")
        case "role": return one(of: ["user", "assistant", "system", "robot"], else: "")
        default:
          let names: [ColumnValue] = [
            "Mia", "mia", "Zoë", "Zoe\u{308}", " ", "a_b", "a%b", "Straße", "ß", "\u{A0}", "名前", "😀", "a",
            "B", "A",
          ]
          return one(of: names, else: "")
        }
      }
    }

    private mutating func filter(on table: DatabaseTable, depth: Int) -> DatabaseFilter {
      if depth > 0, chance(30) {
        let filters = [filter(on: table, depth: depth - 1), filter(on: table, depth: depth - 1)]
        return chance(30) ? .not(filters[0]) : chance(50) ? .and(filters) : .or(filters)
      }
      if chance(10) { return .all }
      let column = one(of: table.columns, else: table.columns[0])
      // A value in a filter is a text.
      var text = value(for: column).text
      if case .null = value(for: column) { text = "" }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return .state(column: column.name, chance(50) ? .null : .notNull)
      case 1 where column.type == .text:
        return .like(
          column: column.name, pattern: one(of: ["%a%", "_", "a\\_b", "Z%", "%"], else: ""),
          ignoresCase: chance(50))
      case 2 where column.type == .textArray:
        return .containment(
          column: column.name, one(of: DatabaseFilter.Containment.allCases, else: .overlaps),
          .textArray(["a", chance(30) ? nil : "b"]))
      case 3: return .among(column: column.name, [.text(text), .text(value(for: column).text)])
      default:
        return .comparison(
          column: column.name, one(of: DatabaseFilter.Comparison.allCases, else: .equal), .text(text))
      }
    }
  }
#endif
