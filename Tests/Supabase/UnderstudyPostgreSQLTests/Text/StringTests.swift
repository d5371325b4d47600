import Testing

@testable import UnderstudyPostgreSQL

@Suite struct StringTests {
  @Test func stringsHaveTheirFunctions() {
    expectValues(
      #"""
      length('héllo'::text) => 5
      initcap('hello wORLD'::text) => Hello World
      left('abcde'::text, -2) => abc
      lpad('abc'::text, 6, 'xy') => xyxabc
      split_part('a,b,c'::text, ',', -1) => c
      split_part('a'::text, ',', 0) => ERROR 22023: field position must not be zero
      translate('12345'::text, '143', 'ax') => a2x5
      string_to_array('a,,b'::text, ',', '') => {a,NULL,b}
      overlay('Txxxxas'::text, 'hom', 2, 4) => Thomas
      concat_ws(',', 'a'::text, null::text, 1, true) => a,1,t
      format('%s %I %L %3$s|%-4s|', 'x'::text, 'Select'::text, 'it''s'::text, 'y'::text) => x "Select" 'it''s' it's|y   |
      quote_ident('user'::text) => "user"
      md5('abc'::text) => 900150983cd24fb0d6963f7d28e17f72
      encode(sha256('abc'::bytea), 'hex') => ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
      encode(digest('abc'::text, 'sha1'), 'hex') => a9993e364706816aba3e25717850c26c9cd0d89d
      encode(hmac('what do ya want for nothing?'::text, 'Jefe'::text, 'sha256'), 'hex') => 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
      encode('abc'::bytea, 'base64') => YWJj
      crypt('U*U'::text, '$2a$05$CCCCCCCCCCCCCCCCCCCCC.'::text) => $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW
      length(gen_salt('bf')) => 29
      chr(0) => ERROR 54000: null character not permitted
      repeat('abc'::text, 1000000000) => ERROR 54000: requested length too large
      """#)
  }

  @Test func patternsMatch() {
    expectValues(
      #"""
      'abc'::text LIKE 'a\_c' => false
      'a_c'::text LIKE 'a\_c' => true
      'ÀB'::text ILIKE 'àb' => true
      'a%'::text LIKE 'a#%' ESCAPE '#' => true
      'abc'::text LIKE '%\' => ERROR 22025: LIKE pattern must not end with escape character
      'abc'::text SIMILAR TO '%(b|d)%' => true
      substring('foobar' SIMILAR '%#"o_b#"%' ESCAPE '#') => oob
      'foobar'::text ~ '^f(o|x)+b' => true
      substring('XY1234Z'::text, 'Y*([0-9]{1,3})') => 123
      substring('XY1234Z'::text, 'Y*?([0-9]{1,3})') => 1
      regexp_match('foobarbequebaz'::text, '(bar)(beque)') => {bar,beque}
      regexp_match('abc'::text, '(a|ab)(c|bcd)?') => {ab,c}
      regexp_replace('foobarbaz'::text, 'b(..)', 'X\1Y', 'g') => fooXarYXazY
      regexp_split_to_array('hello  world'::text, '\s+') => {hello,world}
      'ab'::text ~ 'a(?=b)' => true
      'ab'::text ~ '(?<=a)b' => true
      'a'::text ~ '(' => ERROR 2201B: invalid regular expression: parentheses () not balanced
      'aa'::text ~ '(a)\1' => ERROR UNDER: a back reference in a regular expression is not supported by the in-memory database
      """#)
  }

  /// Patterns that take other matchers an exponential time.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "(a*)*b", "(a|aa)+b", "(a|a)*b", "(.*)(.*)(.*)b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?<=(a*)*)b",
    ]) func matchingTakesBoundedTime(pattern: String) throws
  {
    let text = String(repeating: "a", count: 2000)
    #expect(try !RegularExpression(pattern).matches(text))
    #expect(try RegularExpression(pattern).firstMatch(in: Array(text.unicodeScalars)) == nil)
  }

  @Test(.timeLimit(.minutes(2))) func groupsOfLongTextsAreRefused() throws {
    let pattern = try RegularExpression("((a|b)c?)*x?")
    let long = Array(String(repeating: "ab", count: 3_000).unicodeScalars)
    let subject = RegularExpression.Subject(long, maximumSteps: 20_000)
    let error = #expect(throws: PostgreSQLError.self) { try pattern.firstMatch(in: subject) }
    #expect(error?.code == "2201B")
    let match = try pattern.firstMatch(in: Array(long.prefix(100)))
    #expect(match?.groups == [99..<100, 99..<100])
  }

  @Test func sizeIsBounded() {
    let error = #expect(throws: PostgreSQLError.self) { try RegularExpression("((a{1,99}){1,99}){1,99}") }
    #expect(error?.message == "invalid regular expression: regular expression is too complex")
  }
}
