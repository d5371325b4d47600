#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  /// Texts of random marks, by which readers of patterns and queries are compared with PostgreSQL's.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct RandomTextAgreementTests {
    private func texts(_ count: Int, of alphabet: [String], length: ClosedRange<Int>, seed: Int) -> [String] {
      let session = TestSession()
      func next(_ limit: Int) -> Int { Int(session.random() >> 33) % limit }
      for _ in 0..<seed * 10_007 { _ = session.random() }
      return (0..<count).map { _ in
        (0..<length.lowerBound + next(length.count)).map { _ in alphabet[next(alphabet.count)] }.joined()
      }
    }

    @Test(arguments: [1, 2, 3]) func regularExpressions(seed: Int) async throws {
      let alphabet = [
        "a", "b", "a", "b", "c", "(", ")", "(a", "b)", "|", "*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}",
        "{1,}?", ".", "^", "$", "[ab]", "[^a]", "\\w", "\\y", "(?:",
        "(?=", "(?!", "(?<=", "]", "}", "{", "\\", ",",
      ]
      let subjects = ["", "ab", "aabbab", "abcabcab", "cab b a"]
      var queries: [String] = []
      for (index, pattern) in texts(700, of: alphabet, length: 1...7, seed: seed).enumerated() {
        let subject = PostgreSQLServer.quoted(subjects[index % subjects.count])
        let arguments = "\(subject)::text, \(PostgreSQLServer.quoted(pattern))"
        queries += [
          "SELECT regexp_match(\(arguments))", "SELECT regexp_replace(\(arguments), '<\\&>', 'g')",
          "SELECT regexp_replace(\(arguments), '<\\1>')",
        ]
      }
      try await expectAgreement(queries)
    }

    @Test func queriesOfTextSearch() async throws {
      let alphabet = [
        "a", "cats", "the", " ", " ", "&", "|", "!", "(", ")", "<->", "<2>", "'", ":", "*", "A", "\"", "-",
        " or ", "x-y", ",", "\\",
      ]
      var queries: [String] = []
      for text in texts(600, of: alphabet, length: 1...8, seed: 7) {
        let literal = PostgreSQLServer.quoted(text)
        queries += ["websearch_to_tsquery", "plainto_tsquery", "phraseto_tsquery", "to_tsquery"].map {
          "SELECT \($0)('english', \(literal))"
        }
        queries += ["SELECT \(literal)::tsquery", "SELECT \(literal)::tsvector"]
      }
      try await expectAgreement(queries)
    }

    @Test func documentsAndFormats() async throws {
      var queries: [String] = []
      let marks = [
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "1", "-", ".", "e", "null", "true", " ", "\\", "\\u00e9",
        "x", "0",
      ]
      for text in texts(600, of: marks, length: 1...8, seed: 9) {
        queries += ["json", "jsonb"].map { "SELECT \(PostgreSQLServer.quoted(text))::\($0)" }
      }
      for text in texts(
        300, of: ["%", "s", "I", "L", "1", "$", "*", "-", "2", " ", "a", "%%"], length: 1...6, seed: 11)
      {
        queries.append("SELECT format(\(PostgreSQLServer.quoted(text)), 'x y', 3)")
      }
      for text in texts(300, of: ["a", "b", "%", "_", "\\", "%%"], length: 1...6, seed: 13) {
        queries += ["LIKE", "ILIKE"].map { "SELECT 'abab'::text \($0) \(PostgreSQLServer.quoted(text))" }
      }
      for text in texts(
        300, of: ["a", "b", "%", "_", "\\", "(", ")", "|", "*", "[", "]", "#", "#\"", "^", "."],
        length: 1...6, seed: 15)
      {
        queries += [
          "SELECT 'abab'::text SIMILAR TO \(PostgreSQLServer.quoted(text))",
          "SELECT substring('abab' SIMILAR \(PostgreSQLServer.quoted(text)) ESCAPE '#')",
        ]
      }
      try await expectAgreement(queries)
    }
  }
#endif
