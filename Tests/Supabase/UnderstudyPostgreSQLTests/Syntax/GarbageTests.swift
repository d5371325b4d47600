import TestSupport
import Testing
import UnderstudyPostgreSQL

/// Whatever the input, the parser returns or throws.
struct GarbageTests {
  @Test(arguments: Effort.some(of: UInt64(1)...8, every: 4)) func randomBytesDoNotTrap(seed: UInt64) {
    var random = RandomTree(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<random.below(80)).map { _ in
        UInt8(truncatingIfNeeded: random.next() % (random.chance(80) ? 128 : 256))
      }
      expectNoTrap(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: Effort.some(of: UInt64(11)...18, every: 4)) func randomTokensDoNotTrap(seed: UInt64) {
    var random = RandomTree(seed: seed)
    let statements = SyntaxExamples.statements + SyntaxExamples.procedures
    for _ in 0..<150 {
      // Halves of two statements, and pieces between them.
      let first = random.pick(statements), second = random.pick(statements)
      let pieces = (0..<random.below(4)).map { _ in
        random.pick([
          "(", ")", "[", ";", ",", ".", "select", "'", "$$", "::", "begin", "end", "\\", "\"", "--", "/*",
          "end if;",
        ])
      }
      expectNoTrap(
        String(first.prefix(random.below(first.count))) + " " + pieces.joined(separator: " ") + " "
          + String(second.suffix(random.below(second.count))))
    }
  }

  @Test(arguments: [
    ("select ", "(", "1"), ("", "select (", "1"), ("select ", "f(", "1"), ("select ", "case when ", "1"),
    ("", "select * from (", "x"),
    ("select * from ", "(a join ", "b"), ("select ", "not ", "1"), ("select ", "- ", "1"),
    ("", "with a as (", "select 1"),
    ("select ", "array[", "1"), ("select ", "a[", "1"), ("select ", "array[[", "1"), ("select 1", " + 1", ""),
    ("select a", "::int", ""),
    ("select 1", " union select 1", ""), ("select * from a", " cross join b", ""), ("select a", "[1]", ""),
    ("select (a)", ".b", ""),
    ("create table t (a int default ", "(", "1"), ("select 1 group by ", "grouping sets (", "a"),
    ("select ", "1 in (", "1"),
  ])
  func deepNestingIsAnError(start: String, repeated: String, end: String) {
    let sql = start + String(repeating: repeated, count: 2_000) + end
    #expect(throws: PostgreSQLError.self) { try Script.parse(sql) }
    let errors = Script.parseLeniently(sql).compactMap { attempt -> PostgreSQLError? in
      if case .failure(let error) = attempt.result { error } else { nil }
    }
    #expect(errors.map(\.code) == ["54001"])
    #expect(errors.map(\.message) == ["stack depth limit exceeded"])
  }

  @Test(arguments: [
    "begin ", "if true then ", "loop ", "case a when 1 then ", "declare a int; begin ", "<<a>> begin ",
  ])
  func deeplyNestedBlocksAreAnError(repeated: String) {
    let error = #expect(throws: PostgreSQLError.self) {
      try ProcedureParser.parse("begin " + String(repeating: repeated, count: 2_000))
    }
    #expect(error?.code == "54001")
  }

  @Test func whatPeopleWriteIsNotTooDeep() throws {
    let sum = (1...150).map(String.init).joined(separator: " + ")
    #expect(try Script.expression(sum).sql == sum)
    let conditions = (1...2_000).map { "a = \($0)" }.joined(separator: " OR ")
    #expect(try Script.expression(conditions).sql == conditions)
    let nested = String(repeating: "f(", count: 12) + "1" + String(repeating: ")", count: 12)
    #expect(try Script.expression(nested).sql == nested)
  }

  private func expectNoTrap(_ text: String) {
    var end = 0
    for attempt in Script.parseLeniently(text) {
      // Statements are in the script, and in order.
      #expect(attempt.range.lowerBound >= end && attempt.range.upperBound <= text.utf8.count, "\(text)")
      end = attempt.range.upperBound
      if case .failure(let error) = attempt.result {
        #expect(error.position.map { $0 <= text.utf8.count } ?? true, "\(text)")
      }
    }
    _ = try? ProcedureParser.parse(text)
    _ = try? Script.expression(text)
  }
}
