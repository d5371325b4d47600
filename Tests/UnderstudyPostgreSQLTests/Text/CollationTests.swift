import TestSupport
import Testing

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
  #endif
}
