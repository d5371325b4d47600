import TestSupport
import Testing
import Understudy

@testable import UnderstudyPostgreSQL

@Suite struct CollationTests {
  private static let samples = [
    "", "a", "A", "ab", "Ab", "aB", "AB", "a b", "a-b", "a_b", "b", "B", "z", "Z", "1", "10", "9", "é", "É",
    "e", "E", "f", "résumé", "resume", "Resume", "Résumé", "straße", "strasse", "æ", "af", "ø", "o", "p", "ñ",
    "n", "日本", "中国", "привет", "Привет", "αβγ", "€5", "$5", "5", "😀", "a😀", "co-op", "coop", "CO-OP",
    "\u{1}a",
    "a\u{1}", "-", "_", ".", "#tag", "@user", "Ångström", "Angstrom", "z\u{301}", "e\u{301}",
  ]

  @Test func smallLettersComeFirst() {
    let words = ["b", "B", "a", "A", "aa", "AB", "ab", "_", "1", " "]
    #expect(
      words.sorted { Collation.unicode.compare($0, $1) < 0 }
        == [" ", "_", "1", "a", "A", "aa", "ab", "AB", "b", "B"])
    #expect(
      words.sorted { Collation.codePoints.compare($0, $1) < 0 }
        == [" ", "1", "A", "AB", "B", "_", "a", "aa", "ab", "b"])
  }

  @Test func onlyEqualBytesAreEqual() {
    #expect(Collation.unicode.compare("é", "e\u{301}") != 0)
    #expect(Collation.unicode.compare("a\u{1}", "a") != 0)
    #expect(Collation.codePoints.compare("é", "e\u{301}") != 0)
  }

  #if os(macOS) || os(Linux)
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) func ordersAgree() async throws {
      var agreement = Agreement()
      for left in Self.samples {
        for right in Self.samples {
          for (name, collation) in [("en-US-x-icu", Collation.unicode), ("C", .codePoints)] {
            agreement.add(
              "SELECT \(PostgreSQLServer.quoted(left)) < \(PostgreSQLServer.quoted(right)) COLLATE \"\(name)\""
            ) { collation.compare(left, right) < 0 ? "true" : "false" }
          }
        }
      }
      try await agreement.check()
    }

    /// Random texts of the characters whose order is exact, sorted by both.
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) func randomTextsAgree()
      async throws
    {
      var random = SeededGenerator(seed: 7)
      let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0x20...0x7E, 0xA0...0x24F, 0x391...0x3C9, 0x400...0x4FF, 0x1E00...0x1EFF,
        0x2010...0x2027,
        0x20A0...0x20BF,
      ]
      var texts: Set<[UInt8]> = []
      while texts.count < 6000 {
        var text = String.UnicodeScalarView()
        // Few different letters, so that accents and case decide often.
        let isPlain = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let range = isPlain ? 0x61...0x63 : ranges[Int.random(in: ranges.indices, using: &random)]
          guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)),
            scalar.properties.generalCategory != .unassigned
          else { continue }
          text.append(
            isPlain && Bool.random(using: &random) ? Unicode.Scalar(UInt8(scalar.value - 32)) : scalar)
          let extra: [Unicode.Scalar] = ["\u{301}", "\u{308}", "\u{306}", "\u{327}", "-", " "]
          // About one letter in four has one of them.
          let index = Int.random(in: 0..<4 * extra.count, using: &random)
          if index < extra.count { text.append(extra[index]) }
        }
        texts.insert(Array(String(text).utf8))
      }
      let samples = texts.map { String(decoding: $0, as: UTF8.self) }
      let rows = samples.enumerated().map { "(\($0.offset), \(PostgreSQLServer.quoted($0.element)))" }
      let lines = try await PostgreSQLServer().lines(
        of: """
          SELECT number FROM (VALUES \(rows.joined(separator: ","))) AS texts (number, text)
          ORDER BY text COLLATE "en-US-x-icu";
          """)
      let expected = lines.compactMap { Int($0) }.map { samples[$0] }
      #expect(expected.count == samples.count)
      let differences = zip(expected, expected.dropFirst()).filter { Collation.unicode.compare($0, $1) >= 0 }
      #expect(
        differences.isEmpty,
        "\(differences.prefix(5).map { ("\($0)".debugDescription, "\($1)".debugDescription) })")
    }

    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func statementsNameCollations() async throws {
      let setup = """
        CREATE TABLE word (plain text, bytes text COLLATE "C", words text COLLATE "en-US-x-icu");
        INSERT INTO word SELECT w, w, w FROM unnest(ARRAY['b', 'B', 'a', 'é', 'f', 'E']) AS w;
        """
      try await ScriptAgreement.check(
        [
          "SELECT plain FROM word ORDER BY words", "SELECT plain FROM word ORDER BY bytes",
          "SELECT plain FROM word ORDER BY plain COLLATE \"en-US-x-icu\"",
          "SELECT words FROM word ORDER BY 1 DESC",
          "SELECT x FROM (SELECT words AS x FROM word) AS y ORDER BY x",
          "SELECT plain FROM word WHERE words < 'B' ORDER BY words",
          "SELECT plain FROM word WHERE words COLLATE \"C\" < 'B' ORDER BY bytes",
          "SELECT 'a' < 'B' COLLATE \"C\", 'a' < 'B' COLLATE \"en-US-x-icu\", 'é' COLLATE \"en-US-x-icu\" < 'f'",
        ], setup: setup)
    }

    /// An expression has the collation of its parts.
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func expressionsDeriveCollations() async throws {
      let setup = """
        CREATE TABLE word (plain text, bytes text COLLATE "C", words text COLLATE "en-US-x-icu", n integer);
        INSERT INTO word SELECT w, w, w, length(w) FROM unnest(ARRAY['b', 'B', 'a', 'é', 'f', 'E']) AS w;
        CREATE FUNCTION same(t text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN t; END $$;
        """
      let values = [
        "min(plain)", "max(plain)", "min(words)", "max(words)", "min(bytes)", "max(words COLLATE \"C\")",
        "min(plain COLLATE \"en-US-x-icu\")", "min(words || plain)", "min(words || bytes)",
        "max(upper(words))", "max(same(words))", "max(coalesce(words, plain))", "max(nullif(plain, words))",
        "max(CASE WHEN n = 1 THEN words ELSE plain END)", "max(CASE WHEN n = 1 THEN words ELSE bytes END)",
        "max(words::varchar(1))", "max(n::text COLLATE \"en-US-x-icu\")", "min(n COLLATE \"C\")",
        "array_agg(DISTINCT words)", "array_agg(DISTINCT plain)",
        "string_agg(words, '' ORDER BY lower(words), words)",
        "max(words) < 'F'", "max(ARRAY[words])", "mode() WITHIN GROUP (ORDER BY words)",
        "max(words || 'x' COLLATE \"C\")", "max((words COLLATE \"C\") || (plain COLLATE \"en-US-x-icu\"))",
      ]
      try await ScriptAgreement.check(
        values.map { "SELECT \($0) FROM word" } + [
          "SELECT greatest(words, 'B'), least(words, 'B'), greatest(plain, 'B'), least('B', plain) FROM word",
          "SELECT greatest('a', 'B' COLLATE \"en-US-x-icu\"), least('a', 'B'), greatest('a' COLLATE \"C\", 'B')",
          "SELECT greatest('a' COLLATE \"C\", 'B' COLLATE \"en-US-x-icu\")",
          "SELECT greatest(words, bytes) FROM word", "SELECT words < bytes FROM word",
          "SELECT words = bytes FROM word",
          "SELECT words < bytes FROM word WHERE false", "SELECT words < bytes COLLATE \"C\" FROM word",
          "SELECT plain FROM word WHERE lower(words) > 'd' ORDER BY bytes", "SELECT 1 COLLATE \"C\"",
          "SELECT plain FROM word ORDER BY words || ''", "SELECT same(words) FROM word ORDER BY 1",
          "SELECT words FROM word GROUP BY words ORDER BY words",
          "SELECT words FROM word UNION SELECT 'D' ORDER BY 1",
          "SELECT max(x) FROM (SELECT upper(words) AS x FROM word) y",
          "SELECT max(x) OVER (), first_value(x) OVER (ORDER BY x) FROM (SELECT words AS x FROM word) y",
          "SELECT plain, max(words) OVER (ORDER BY words) > 'C' FROM word ORDER BY bytes",
          "SELECT plain FROM word w ORDER BY (SELECT words FROM word i WHERE i.bytes = w.bytes)",
          "SELECT max(v) FROM (VALUES ('a' COLLATE \"en-US-x-icu\"), ('B')) AS t(v)",
          "SELECT plain FROM word WHERE words BETWEEN 'A' AND 'C' ORDER BY 1",
          "SELECT words IN ('a', 'B'), words = ANY (ARRAY['a']) FROM word ORDER BY words",
        ], setup: setup)
    }

    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func columnsChangeTheirCollation() async throws {
      let setup = """
        CREATE TABLE word (w text PRIMARY KEY, CHECK (w < 'x'));
        INSERT INTO word VALUES ('b'), ('B'), ('a'), ('C');
        """
      try await ScriptAgreement.check(
        [
          "INSERT INTO word VALUES ('Y')", "SELECT w FROM word ORDER BY w", "SELECT max(w) FROM word",
          "ALTER TABLE word ALTER COLUMN w TYPE text COLLATE \"en-US-x-icu\"",
          "DELETE FROM word WHERE w = 'Y'",
          "ALTER TABLE word ALTER COLUMN w TYPE text COLLATE \"en-US-x-icu\"",
          "INSERT INTO word VALUES ('Z')", "INSERT INTO word VALUES ('D'), ('a')",
          "INSERT INTO word VALUES ('D')",
          "SELECT w FROM word ORDER BY w", "SELECT min(w), max(w) FROM word",
          "SELECT w FROM word WHERE w > 'b' ORDER BY 1",
          "INSERT INTO word VALUES ('d') ON CONFLICT (w) DO UPDATE SET w = 'e'",
          "ALTER TABLE word ALTER COLUMN w TYPE varchar(5) COLLATE \"C\" USING lower(w) || length(w)",
          "ALTER TABLE word ALTER COLUMN w TYPE varchar(5) COLLATE \"C\"", "SELECT w FROM word ORDER BY w",
          "INSERT INTO word VALUES ('Z')",
          "ALTER TABLE word ALTER COLUMN w TYPE text COLLATE \"en-US-x-icu\"",
          "DELETE FROM word WHERE w = 'Z'",
          "ALTER TABLE word ALTER COLUMN w SET DATA TYPE text COLLATE \"en-US-x-icu\"",
          "ALTER TABLE word ALTER COLUMN w TYPE text", "SELECT w FROM word ORDER BY w",
          "INSERT INTO word VALUES ('Z')",
        ], setup: setup)
    }
  #endif
}
