#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  /// The language of paths of SQL/JSON, as far as it is supported.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct JSONPathAgreementTests {
    @Test func pathsFindTheSameValues() async throws {
      try await ScriptAgreement.check(
        [
          "select jsonb_path_query('{\"a\":[1,2]}','strict $.b')",
          "select jsonb_path_query('[1]','strict $.b')",
          "select jsonb_path_query('1','strict $[*]')",
          "select jsonb_path_query('1','strict $[0]')",
          "select jsonb_path_query('[1]','strict $[3]')",
          "select jsonb_path_query('[1]','strict $.*')",
          "select jsonb_path_query('{}','strict $.size()')",
          "select jsonb_path_query('{}','$.size()')",
          "select jsonb_path_query('{}','$.double()')",
          "select jsonb_path_query('\"x\"','$.double()')",
          "select jsonb_path_query('\"1.5\"','$.double()')",
          "select jsonb_path_query('\"x\"','$.abs()')",
          "select jsonb_path_query('[1,2]','$ + 1')",
          "select jsonb_path_query('[\"a\"]','-$[0]')",
          "select jsonb_path_query('[1,-2]','-$')",
          "select jsonb_path_query('1','$x')",
          "select jsonb_path_query('1','$x', '[]')",
          "select jsonb_path_query('1','1/0')",
          "select jsonb_path_match('[1,2]','$')",
          "select jsonb_path_match('1','$ > \"a\"')",
          "select jsonb_path_query('[1]','$[null]')",
          "select jsonb_path_query('[1,2]','$[\"a\"]')",
          "select jsonb_path_query('1','$.a.')",
          "select jsonb_path_query('1','last')",
          "select jsonb_path_query('[1,2,3]','$[1.7]')",
          "select jsonb_path_query('[1,2,3]','$[last,0 to 1]')",
          "select jsonb_path_query('1','@')",
          "select jsonb_path_query('1','$ ? (@ > 1')",
          "select jsonb_path_query('1','')",
          "select jsonb_path_query('[1.10,2]','$[*] + 1.0')",
          "select jsonb_path_query('[1,2]','$ ? (@ > 1)')",
          "SELECT jsonb_path_query('{\"a\": [{\"b\": 1}, {\"b\": 2}, {\"c\": 3}]}', '$.a[*] ? (@.b > 1)')",
          "SELECT jsonb_path_query('{\"a\": [{\"b\": 1}, {\"b\": 2}, {\"c\": 3}]}', '$.a.b')",
          "SELECT jsonb_path_query('{\"a\": [{\"b\": 1}, {\"c\": 3}]}', 'strict $.a[*].b')",
          "SELECT jsonb_path_query('{\"a\": [{\"b\": 1}, {\"c\": 3}]}', 'strict $.a[*] ? (@.b == 1)')",
          "SELECT jsonb_path_query('{\"a b\": {\"$x\": 5}}', '$.\"a b\".\"$x\"')",
          "SELECT jsonb_path_query('{\"a\": 1, \"b\": [2, 3]}', '$.*')",
          "SELECT jsonb_path_query('{\"a\": 1, \"b\": [2, 3]}', '$.* ? (@ >= 2)')",
          "SELECT jsonb_path_query('[1, \"a\", null, true, {}, []]', '$[*].type()')",
          "SELECT jsonb_path_query('[[1, 2], 3]', '$[*].size()')",
          "SELECT jsonb_path_query('[-1.5, 2.5]', '$[*].abs()'), jsonb_path_query('[-1.5, 2.5]', '$[*].floor()'), jsonb_path_query('[-1.5, 2.5]', '$[*].ceiling()')",
          "SELECT jsonb_path_query('[\"1e3\", 7.50]', '$.double()')",
          "SELECT jsonb_path_query('[1, 2, 3, 4]', '$[*] ? (@ > $low && @ < $high)', '{\"low\": 1, \"high\": 4}')",
          "SELECT jsonb_path_query(target => '[1, 2]', vars => '{\"x\": 1}', path => '$[*] ? (@ == $x)')",
          "SELECT jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > 1 || !(@ < 1))')",
          "SELECT jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > 9)')",
          "SELECT jsonb_path_query_first('[1, 2, 3]', '$[*] ? (@ > 1)')",
          "SELECT jsonb_path_query_first('[1]', '$[*] ? (@ > 1)')",
          "SELECT jsonb_path_exists('{\"a\": 1}', '$.a'), jsonb_path_exists('{\"a\": 1}', '$.b'), jsonb_path_exists('{\"a\": 1}', '$.a ? (@ > 1)')",
          "SELECT jsonb_path_exists('{}', 'strict $.a')",
          "SELECT jsonb_path_exists('{}', 'strict $.a', '{}', true)",
          "SELECT jsonb_path_exists('[1, \"x\"]', '$[*].double()')",
          "SELECT jsonb_path_match('{\"a\": 1}', '$.a == 1'), jsonb_path_match('{\"a\": 1}', '$.a == \"1\"'), jsonb_path_match('{\"a\": null}', '$.a')",
          "SELECT jsonb_path_match('{\"a\": 1}', '$.a', silent => true)",
          "SELECT jsonb_path_match('{\"a\": 1}', '$.a')",
          "SELECT '{\"a\": [1, 2]}'::jsonb @? '$.a[*] ? (@ > 1)', '{\"a\": [1, 2]}'::jsonb @? 'strict $.b', '{\"a\": 1}'::jsonb @@ '$.a > 0', '{\"a\": 1}'::jsonb @@ '$.a'",
          "SELECT jsonb_path_query('[\"abc\", \"ABD\", \"x\", 1]', '$[*] ? (@ like_regex \"^ab\")'), jsonb_path_query_array('[\"abc\", \"ABD\", \"x\", 1]', '$[*] ? (@ like_regex \"^ab\" flag \"i\")')",
          "SELECT jsonb_path_query('\"a.b\"', '$ ? (@ like_regex \".\" flag \"q\")')",
          "SELECT jsonb_path_query('\"a\"', '$ ? (@ like_regex \"(\")')",
          "SELECT jsonb_path_query('1', '$ ? (@ like_regex \"a\" flag \"x\")')",
          "SELECT jsonb_path_query('[\"abc\", \"b\"]', '$[*] ? (@ starts with \"a\")')",
          "SELECT jsonb_path_query('[{\"a\": 1}, {\"b\": 2}]', '$[*] ? (exists (@.a))')",
          "SELECT jsonb_path_query('[1, \"a\"]', '$[*] ? ((@ > 0) is unknown)')",
          "SELECT jsonb_path_query('[null, 1, true]', '$[*] ? (@ == null)'), jsonb_path_query_array('[null, 1]', '$[*] ? (@ != null)')",
          "SELECT jsonb_path_query('{\"a\": 3, \"b\": 4}', '$.a * 2 + -$.b - 10 % 4 / 2')",
          "SELECT jsonb_path_query('{\"a\": [1, 2, 3]}', '$.a[last - 1 to last]')",
          "SELECT jsonb_path_query('[1, 2, 3]', '$[$i, 5]', '{\"i\": 2}')",
          "SELECT jsonb_path_query('1', '$ > 0'), jsonb_path_query('1', '$ > \"a\"'), jsonb_path_query('1', '($ > 0).type()'), jsonb_path_query('[1, 5]', '$ > 4')",
          "SELECT jsonb_path_query('{\"a\": {\"b\": {\"c\": 1}}}', '$.a?(@.b.c == 1).b')",
          "SELECT jsonb_path_query('[{\"x\": 2, \"y\": [1, 2]}, {\"x\": 3, \"y\": [1]}]', '$[*] ? (@.y[*] == @.x)')",
          "SELECT jsonb_path_query('{\"items\": [{\"n\": 1}, {\"n\": 2}]}', '$.items[*] ? (@.n == $.items[1].n)')",
          "SELECT jsonb_path_query(NULL, '$')",
          "SELECT jsonb_path_query('[]', '$[*]')",
          "SELECT jsonb_path_query('1', '$.a && 1')",
          "SELECT jsonb_path_query('1', '$ ? (@)')",
        ])
    }

    @Test func whatIsNotSupportedIsRefused() throws {
      let results = try ScriptAgreement.results(of: [
        "SELECT jsonb_path_query('{}', '$.**.a')",
        "SELECT jsonb_path_query('\"2020-01-01\"', '$.datetime()')",
      ])
      #expect(results.allSatisfy { $0.hasPrefix("ERROR \(PostgreSQLError.notSupportedCode): ") })
    }
  }
#endif
