import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting
@testable import UnderstudySupabase

/// Invalid and deeply nested texts do not crash the reader.
@Suite(.stallLimit()) struct SQLGarbageTests {
  private static let schema = """
    CREATE TABLE t (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer CHECK (n BETWEEN 1 AND 2 OR NOT n IN (3, 4)),
      a text[] DEFAULT '{}', j jsonb CHECK (j ->> 'x' ~ '^[a-z]{1,3}$'), at timestamptz DEFAULT now(), UNIQUE (n, a));
    ALTER TABLE t ENABLE ROW LEVEL SECURITY;
    CREATE POLICY p ON t FOR ALL TO public USING (EXISTS (SELECT FROM t x JOIN t y ON x.id = y.id WHERE x.n = t.n));
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at = now(); RETURN NEW; END $$;
    CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
    """

  @Test func theCompleteSchemaIsRead() throws {
    #expect(try DatabaseSchema(sql: Self.schema).tables.count == 1)
  }

  /// Removed, duplicated and exchanged tokens, and truncated texts.
  @Test func truncatedAndShuffledTextIsHandled() throws {
    let scalars = Array(Self.schema.unicodeScalars)
    for length in Effort.some(of: scalars.indices, every: 7) {
      _ = try? DatabaseSchema(sql: String(String.UnicodeScalarView(scalars[..<length])))
    }
    let words = Self.schema.split { $0 == " " || $0 == "\n" }.map(String.init)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<Effort.times(200) {
      var changed = words
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let (one, other) = (
          Int.random(in: changed.indices, using: &generator),
          Int.random(in: changed.indices, using: &generator)
        )
        switch Int.random(in: 0...2, using: &generator) {
        case 0: changed.swapAt(one, other)
        case 1: changed.insert(changed[other], at: one)
        default: changed.remove(at: one)
        }
      }
      _ = try? DatabaseSchema(sql: changed.joined(separator: " "))
    }
  }

  /// With a stack of half a megabyte, the size of threads on Apple platforms.
  @Test func deepNestingIsHandled() async {
    let openings = [
      "(", "NOT ", "- ", "coalesce(", "CASE WHEN ", "ARRAY[", "EXISTS (SELECT ", "(SELECT ", "1 IN (",
      "n = ANY (", "CAST(",
      "1 + (", "true AND (",
    ]
    let repeated = [
      " + 1", " AND true", " OR (true)", "::text", " IS NULL", " || 'x'", " AT TIME ZONE 'utc'", " -> 'a'",
    ]
    // The smaller one overflows the stack of a reader without a limit, too.
    let deepest = Effort.isFull ? 5_000 : 1_000
    var texts = openings.flatMap { opening in
      [30, 45, deepest].map { String(repeating: opening, count: $0) + "1" }
    }
    texts += repeated.flatMap { text in [50, 70, deepest].map { "n" + String(repeating: text, count: $0) } }
    texts += [String(repeating: "/*", count: deepest), String(repeating: "$a", count: deepest)]
    texts += [30, 45, 60].map { depth in
      "n IS NULL OR " + String(repeating: "(true AND ", count: depth) + "n = 1"
        + String(repeating: ")", count: depth)
    }
    let sqls = texts.map { "CREATE TABLE t (n integer CHECK (\($0)))" }
    await withCheckedContinuation { continuation in
      let thread = Thread {
        for sql in sqls {
          guard let tables = try? DatabaseSchema(sql: sql).tables else { continue }
          // A valid schema can be queried.
          _ = try? InMemoryDatabase(tables).insert(["n": 1], into: "t")
        }
        continuation.resume()
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  /// A long list does not count as deep nesting.
  @Test func longConditionsAreEvaluated() throws {
    let count = Effort.isFull ? 5_000 : 1_000
    let conditions = (0..<count).map { "n <> \($0)" }.joined(separator: " AND ")
    let database = InMemoryDatabase(
      try DatabaseSchema(sql: "CREATE TABLE t (n integer PRIMARY KEY CHECK (\(conditions)))").tables)
    #expect(throws: (any Error).self) { try database.insert(["n": .integer(count - 1)], into: "t") }
    try database.insert(["n": .integer(count)], into: "t")
  }
}
