import Foundation
import Testing

@testable import UnderstudyPostgreSQL

@Suite struct JSONTests {
  @Test func documentsAreReadAndWritten() {
    expectValues(
      #"""
      ' {"bb":1, "a":[1.50,1e3,null]} '::jsonb => {"a": [1.50, 1000, null], "bb": 1}
      '{"a":1,"a":2}'::jsonb => {"a": 2}
      '{"a":1,"a":2}'::json => {"a":1,"a":2}
      '"\u00e9\ud83d\ude00\n"'::jsonb => "é😀\n"
      '"\u0000"'::json => "\u0000"
      '"\u0000"'::jsonb => ERROR 22P05: unsupported Unicode escape sequence
      '{"a":}'::jsonb => ERROR 22P02: invalid input syntax for type json
      """#)
  }

  @Test(arguments: [
    ("{a:1}", "Token \"a\" is invalid."), ("{\"a\" 1}", "Expected \":\", but found \"1\"."),
    ("[1 2]", "Expected \",\" or \"]\", but found \"2\"."), ("[1", "The input string ended unexpectedly."),
    ("1 2", "Expected end of input, but found \"2\"."),
    ("{1:2}", "Expected string or \"}\", but found \"1\"."),
    ("\"\\x\"", "Escape sequence \"\\x\" is invalid."),
    ("\"a\u{1}\"", "Character with value 0x01 must be escaped."),
    ("\"\\ud800\"", "Unicode low surrogate must follow a high surrogate."),
    ("\"\\u12\"", "\"\\u\" must be followed by four hexadecimal digits."),
  ]) func errorsHaveDetails(text: String, detail: String) {
    let error = #expect(throws: PostgreSQLError.self) { try JSONB(parsing: text) }
    #expect(error?.detail == detail)
  }

  @Test func depthIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: PostgreSQLError.self) { try JSONB(parsing: deep) }
    #expect(error?.code == "54001")
  }

  /// Threads of Apple's systems have 512 KB.
  @Test func deepDocumentsFitASmallStack() async throws {
    let depth = JSONParser.maximumDepth
    let texts = [
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth),
    ]
    let results = await withCheckedContinuation { continuation in
      let thread = Thread {
        let results = texts.map { text -> Bool in
          guard let json = try? JSONB(parsing: text) else { return false }
          return json.text.utf8.count >= text.utf8.count && json == json.withoutNulls && json.contains(json)
            && JSONB.compare(json, json, collation: .codePoints) == 0 && json.hashValue == json.hashValue
        }
        continuation.resume(returning: results)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(results == [true, true])
  }

  @Test func partsAreTakenAndChanged() {
    expectValues(
      #"""
      '{"a":{"b":[1,"x"]}}'::jsonb #>> '{a,b,-1}'::text[] => x
      '{"a": [ 1 ]}'::json -> 'a' => [ 1 ]
      '[1,{"a":2}]'::jsonb @> '[{"a":2}]'::jsonb => true
      '["a"]'::jsonb @> '"a"'::jsonb => true
      '{"a":1}'::jsonb || '{"b":2}'::jsonb => {"a": 1, "b": 2}
      '[1,2,3]'::jsonb - 1 => [1, 3]
      '{"a":1}'::jsonb - 0 => ERROR 22023: cannot delete from object using integer index
      jsonb_set('{"a":[1]}'::jsonb, '{a,5}'::text[], '9'::jsonb) => {"a": [1, 9]}
      jsonb_insert('[1,2]'::jsonb, '{0}'::text[], '0'::jsonb) => [0, 1, 2]
      jsonb_insert('{"a":1}'::jsonb, '{a}'::text[], '0'::jsonb) => ERROR 22023: cannot replace existing key
      jsonb_strip_nulls('{"a":null,"b":[null]}'::jsonb) => {"b": [null]}
      """#)
  }

  @Test func subscriptsAreAssigned() throws {
    func set(_ text: String?, _ path: [String], isNumber: Bool = false) throws -> String {
      let value = try text.map { try JSONB(parsing: $0) }
      return try JSONB.setting(.boolean(true), at: path, in: value, isFirstNumber: isNumber).text
    }
    #expect(try set(nil, ["a", "b"]) == #"{"a": {"b": true}}"#)
    #expect(try set(nil, ["2"], isNumber: true) == "[null, null, true]")
    #expect(try set("[1]", ["3"], isNumber: true) == "[1, null, null, true]")
    #expect(try set(#"{"a":{}}"#, ["a", "1", "x"]) == #"{"a": {"1": {"x": true}}}"#)
    let error = #expect(throws: PostgreSQLError.self) { try set("1", ["a"]) }
    #expect(error?.message == "cannot replace existing key")
  }

  @Test func orderIsThatOfTheIndexes() throws {
    let texts = [
      "[]", "null", "\"a\"", "\"b\"", "1", "2", "false", "true", "[1]", "[2]", "[1,1]", "{}", "{\"a\":1}",
    ]
    let values = try texts.map { try JSONB(parsing: $0) }
    let sorted = values.shuffled().sorted { JSONB.compare($0, $1, collation: .codePoints) < 0 }
    #expect(sorted == values)
  }

  @Test func valuesBecomeJSON() {
    expectValues(
      #"""
      to_json('2024-02-29 12:34:56.7+02'::timestamptz) => "2024-02-29T10:34:56.7+00:00"
      to_json('infinity'::date) => "infinity"
      to_json('NaN'::numeric) => "NaN"
      to_json(ROW(1, 'x"'::text, null::text, '{1,2}'::int[])) => {"f1":1,"f2":"x\"","f3":null,"f4":[1,2]}
      to_jsonb('{{1,2},{3,4}}'::int[]) => [[1, 2], [3, 4]]
      json_build_object('a', '{"b": 1}'::json, 'c', true) => {"a" : {"b": 1}, "c" : true}
      jsonb_build_object('b', 1, 'aa', null::text, 'b', 2) => {"b": 2, "aa": null}
      json_build_object('a') => ERROR 22023: argument list must have even number of elements
      json_agg(c) FROM (VALUES (1), (null)) t(c) => [1, null]
      jsonb_object_agg(c, c) FROM (VALUES ('x'::text)) t(c) => {"x": "x"}
      string_agg(x::text, ' ') FROM jsonb_each_text('{"a":1,"b":null}'::jsonb) x => (a,1) (b,)
      string_agg(x::text, ' ') FROM jsonb_to_recordset('[{"a":1,"b":[2]},{"b":"{3}"}]'::jsonb) AS x(a int, b int[]) => (1,{2}) (,{3})
      """#)
  }
}
