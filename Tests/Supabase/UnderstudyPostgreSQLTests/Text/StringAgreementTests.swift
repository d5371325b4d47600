#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct StringAgreementTests {
    private static func quoted(_ text: String) -> String { PostgreSQLServer.quoted(text) }

    private static let texts = [
      "", "a", "abc", "Hello World", "  spaces  ", "héllo wörld", "ÀÉÎ ß ñ", "日本語テキスト", "a,b,,c", "x-y_z.1",
      "😀 emoji", "it''s", "tab\tnew\nline",
      "O'Neil \"quoted\" back\\slash", "UPPER lower 123abc", "aaa", "%_\\", "ǅ İ ı Σς",
    ].map { quoted($0) + "::text" }

    @Test func stringsHaveTheirFunctions() async throws {
      var queries: [String] = []
      for text in Self.texts {
        for name in [
          "length", "char_length", "octet_length", "bit_length", "lower", "upper", "initcap", "reverse",
          "ascii", "md5", "quote_ident", "quote_literal",
          "quote_nullable", "btrim", "ltrim", "rtrim",
        ] {
          queries.append("SELECT \(name)(\(text))")
        }
        for count in [-3, -1, 0, 1, 2, 5, 100] {
          queries += [
            "SELECT left(\(text), \(count))", "SELECT right(\(text), \(count))",
            "SELECT substring(\(text), \(count))", "SELECT substr(\(text), \(count), 2)",
            "SELECT substring(\(text), 2, \(count))", "SELECT lpad(\(text), \(count))",
            "SELECT rpad(\(text), \(count), 'xy')", "SELECT lpad(\(text), \(count), 'é1')",
            "SELECT repeat(\(text), \(count))", "SELECT overlay(\(text), 'XX', \(count))",
            "SELECT overlay(\(text), 'XX', \(count), 1)", "SELECT split_part(\(text), ',', \(count))",
          ]
        }
        for other in ["''", "'a'", "'l'", "','", "' '", "'é'", "'ab'", "'aa'"] {
          let other = "\(other)::text"
          queries += [
            "SELECT strpos(\(text), \(other))", "SELECT position(\(other) in \(text))",
            "SELECT replace(\(text), \(other), 'Z')", "SELECT replace(\(text), \(other), '')",
            "SELECT starts_with(\(text), \(other))", "SELECT btrim(\(text), \(other))",
            "SELECT ltrim(\(text), \(other))", "SELECT rtrim(\(text), \(other))",
            "SELECT translate(\(text), \(other), 'Q')", "SELECT translate(\(text), 'abcé', \(other))",
            "SELECT string_to_array(\(text), \(other))",
            "SELECT string_to_array(\(text), \(other), 'a')", "SELECT string_to_array(\(text), null::text)",
            "SELECT split_part(\(text), \(other), 2)",
            "SELECT split_part(\(text), \(other), -1)", "SELECT \(text) || \(other)",
            "SELECT string_agg(x, '|') FROM string_to_table(\(text), \(other)) x",
            "SELECT concat(\(text), \(other), null, 1, true)",
            "SELECT concat_ws(\(other), \(text), null, \(text), 1.5)", "SELECT \(text) ^@ \(other)",
            "SELECT format('%s|%I|%L|%%', \(text), \(text), \(text))",
            "SELECT format('%10s|%-10s|%2$s', \(text), \(other))",
          ]
        }
        queries += ["hex", "base64", "escape"].map { "SELECT encode(convert_to(\(text), 'UTF8'), '\($0)')" }
        queries += ["sha224", "sha256"].map { "SELECT encode(\($0)(convert_to(\(text), 'UTF8')), 'hex')" }
      }
      try await expectAgreement(queries)
    }

    @Test func otherFunctionsOfText() async throws {
      var queries = [-1, 0, 1, 65, 233, 0x1F600, 0xD800, 0x110000].map { "SELECT chr(\($0))" }
      queries +=
        ["0", "255", "-1", "2147483647"].map { "SELECT to_hex(\($0))" } + [
          "SELECT to_hex(-1::bigint)", "SELECT to_hex(4294967296)",
        ]
      for format in [
        "%", "%s", "%x", "%1$s %1$s", "%2$s", "%0$s", "%5s", "%-5s|", "%*s", "%-*s|", "%1$5s", "%I %L", "%%",
        "a%sb%sc", "%1$", "%s %s %s", "%*1$s", "%1", "%2$-7s|", "%99999999999s",
      ] {
        queries += [
          "SELECT format('\(format)')", "SELECT format('\(format)', 'x')",
          "SELECT format('\(format)', 3, 'y')", "SELECT format('\(format)', null, 'Ab c')",
        ]
      }
      for word in [
        "select", "user", "table", "name", "a1", "1a", "_x", "A", "a b", "", "é", "a\"b", "int", "value",
        "between", "date", "year", "order", "left", "offset",
      ] {
        queries.append("SELECT quote_ident(\(Self.quoted(word)))")
      }
      for text in ["", "00", "DEADbeef", "0", "xy", "a b", "0x12", "12 34"] {
        queries.append("SELECT decode('\(text)', 'hex')")
      }
      for text in [
        "", "YQ==", "YWI=", "YWJj", "YQ", "Y", "YQ=", "Y===", "=", "YWJj\n YWJj", "YW!j", "YQ==YQ==",
      ] { queries.append("SELECT decode('\(text)', 'base64')") }
      for text in ["", "abc", "\\\\001", "\\\\\\\\", "\\\\9", "\\\\377", "\\\\400"] {
        queries.append("SELECT decode(E'\(text)', 'escape')")
      }
      queries += [
        "SELECT encode('abc'::bytea, 'x')", "SELECT encode(decode(repeat('ab', 60), 'hex'), 'base64')",
        "SELECT length('ab '::char(5))", "SELECT get_byte('\\x0102'::bytea, 1)",
        "SELECT get_byte('\\x0102'::bytea, 2)", "SELECT substring('\\x010203'::bytea, 2, 1)",
        "SELECT '\\x01'::bytea || '\\x02'::bytea", "SELECT btrim('\\x000100'::bytea, '\\x00'::bytea)",
        "SELECT position('\\x02'::bytea in '\\x0102'::bytea)", "SELECT md5('\\x0102'::bytea)",
        "SELECT convert_from('\\xc3a9'::bytea, 'UTF8')", "SELECT convert_from('\\xc3'::bytea, 'UTF8')",
        "SELECT 'a'::text || 1", "SELECT 1.50 || 'a'::text", "SELECT true || 'a'::text",
        "SELECT 'a'::text || null::text", "SELECT concat()", "SELECT concat_ws(',')",
        "SELECT concat_ws(null, 'a')",
        "SELECT array_to_string('{1,NULL,3}'::int[], ',')",
        "SELECT array_to_string('{1,NULL,3}'::int[], ',', '*')",
        "SELECT array_to_string('{{a,b},{c,d}}'::text[], '-')",
        "SELECT array_to_string('{}'::text[], ',')", "SELECT array_to_string('{t,f}'::boolean[], ',')",
        "SELECT array_to_string('{1}'::int[], null::text)", "SELECT concat(VARIADIC '{a,NULL,b}'::text[])",
        "SELECT format('%s %s', VARIADIC '{a,b}'::text[])", "SELECT num_nulls(1, null, 2)",
        "SELECT num_nonnulls(1, null, 2)", "SELECT quote_nullable(null::text)", "SELECT quote_literal(1.5)",
        "SELECT repeat('ab', 100000000)",
      ]
      try await expectAgreement(queries.filter { !$0.contains("100000000)") })
    }

    @Test func passwordsAreHashed() async throws {
      var queries: [String] = []
      for password in ["", "password", "pässwörd", String(repeating: "long", count: 20)] {
        for salt in [
          "$2a$04$abcdefghijklmnopqrstuu", "$2a$06$......................",
          "$2a$04$abcdefghijklmnopqrstuvrest", "$2a$04$short", "$2a$03$abcdefghijklmnopqrstuu",
        ] {
          queries.append("SELECT crypt('\(password)'::text, '\(salt)'::text)")
        }
        for digest in ["md5", "sha1", "sha256", "none"] {
          queries += [
            "SELECT digest('\(password)'::text, '\(digest)')",
            "SELECT hmac('\(password)'::text, 'key', '\(digest)')",
          ]
        }
      }
      queries += [
        "SELECT gen_salt('x')", "SELECT gen_salt('bf', 2)", "SELECT length(gen_salt('bf', 8))",
        "SELECT length(gen_random_bytes(7))", "SELECT gen_random_bytes(0)",
      ]
      try await expectAgreement(queries, setup: "CREATE EXTENSION pgcrypto;")
    }

    @Test func trigramsAreCompared() async throws {
      let texts = [
        "", "word", "two words", "Word", "words", "wörld", "a", "a b", "a-b c", "Hello, World!", "helo wrld",
        "12 3",
      ]
      var queries: [String] = []
      for left in texts {
        queries.append("SELECT show_trgm('\(left)')")
        for right in texts {
          let arguments = ("'\(left)'::text", "'\(right)'::text")
          queries += [
            "SELECT similarity(\(arguments.0), \(arguments.1))", "SELECT \(arguments.0) % \(arguments.1)",
            "SELECT \(arguments.0) <-> \(arguments.1)",
          ]
        }
      }
      // PostgreSQL shows trigrams of other characters than ASCII by their hash.
      try await expectAgreement(
        queries.filter { !$0.contains("show_trgm('wörld')") }, setup: "CREATE EXTENSION pg_trgm;")
    }

    @Test func patternsOfLike() async throws {
      var queries: [String] = []
      for text in Self.texts {
        for pattern in [
          "", "%", "_", "%a%", "a%", "%c", "_b_", "a_c", "%l%o%", "\\%%", "%\\\\", "\\", "%\\", "h_llo%",
          "%É%", "HELLO%", "___", "%日%", "a\\bc", "%_%_%",
        ] {
          queries += ["LIKE", "NOT LIKE", "ILIKE"].map { "SELECT \(text) \($0) \(Self.quoted(pattern))" }
          queries.append("SELECT \(text) LIKE \(Self.quoted(pattern)) ESCAPE '_'")
        }
        for pattern in [
          "%", "a%", "(a|b)%", "%(b|d)%", "a{3}", "[a-z]+", "%[,.]%", "a\\%b", "Hello_World", "a+", "(ab)*c?",
          "",
        ] {
          queries += [
            "SELECT \(text) SIMILAR TO \(Self.quoted(pattern))",
            "SELECT \(text) NOT SIMILAR TO \(Self.quoted(pattern)) ESCAPE '#'",
          ]
        }
      }
      for arguments in [
        "'foobar' SIMILAR '%#\"o_b#\"%' ESCAPE '#'", "'foobar' SIMILAR '#\"o_b#\"%' ESCAPE '#'",
        "'abcdefg' SIMILAR 'a#\"(b_d)#\"%' ESCAPE '#'", "'abcdefg' SIMILAR '#\"(b_d)#\"%' ESCAPE '#'",
        "'abcdefg' SIMILAR 'a#\"%#\"g' ESCAPE '#'", "'abcdefg' SIMILAR 'a#\"%#\"x|g' ESCAPE '#'",
        "'abc' SIMILAR '%' ESCAPE '#'",
      ] {
        queries.append("SELECT substring(\(arguments))")
      }
      try await expectAgreement(queries)
    }

    @Test func regularExpressions() async throws {
      let subjects = [
        "", "abc", "aaa", "foobarbequebaz", "hello world", "2024-02-29", "a.b@c.org, x@y.z", "XY1234Z",
        "foo\nbar", "ABC abc", "日本 héé", "aab aaab", "key=value; k2=v2", "a1b22c333",
      ]
      let patterns = [
        "", "a", "b*", "a+?", "^a", "c$", "^$", ".", "a|b", "(a|ab)(c|bcd)?", "(bar)(beque)", "[0-9]+",
        "\\d{4}-(\\d{2})-(\\d{2})", "([a-z.]+)@([a-z.]+)", "Y*([0-9]{1,3})", "Y*?([0-9]{1,3})", "\\w+",
        "\\mfoo", "\\yb", "\\s", "[[:alpha:]]+", "[^a-z]", "(?:a)(b)?", "(a*)(ab)*", "(a*?)(a*)",
        "(\\w+)=(\\w+)", "x?", "(a|b)*", "o(?=b)", "o(?!b)", "(?<=o)b", "(?<!o)b", "(?i)ABC", "***=a.b",
        "a{2}", "a{2,}", "a{1,2}?",
        "[a-c]{2}", "(b[^b]+)(b[^b]+)", "\\u65e5", "[\\d]+", "é+", "(.*)(b)", "(.*?)(b)", "((a)|(b))+",
        "(a(b)?)+", "\\A\\w", "\\w\\Z", "bar$", "^bar", "(ab|a)(bc|c)?", "[[:<:]]w", "(^|,)([^,]*)",
        // Invalid patterns.
        "(", ")", "[", "a**", "*a", "+", "a{2,1}", "a{300}", "\\", "[z-a]", "[[:foo:]]", "(?x", "a{1", "\\q",
        "(?<a)", "a|*", "^*", "[a", "(*)",
      ]
      var queries: [String] = []
      for subject in subjects {
        for pattern in patterns {
          let arguments = "\(Self.quoted(subject))::text, \(Self.quoted(pattern))"
          queries += [
            "SELECT \(Self.quoted(subject))::text ~ \(Self.quoted(pattern))",
            "SELECT substring(\(arguments))", "SELECT regexp_match(\(arguments))",
            "SELECT regexp_replace(\(arguments), '<\\&\\1>')",
            "SELECT regexp_replace(\(arguments), '<\\2\\1>', 'g')",
            "SELECT string_agg(x::text, '|') FROM regexp_matches(\(arguments), 'g') x",
            "SELECT regexp_split_to_array(\(arguments))", "SELECT regexp_count(\(arguments))",
          ]
        }
        for pattern in ["a", "[A-C]+", "é", "^b", "A.C", "o$", "a.c"] {
          let arguments = "\(Self.quoted(subject))::text, \(Self.quoted(pattern))"
          queries += [
            "SELECT \(Self.quoted(subject))::text ~* \(Self.quoted(pattern))",
            "SELECT \(Self.quoted(subject))::text !~ \(Self.quoted(pattern))",
            "SELECT regexp_like(\(arguments), 'i')",
          ]
          for flags in ["i", "n", "in", "p", "w", "x", "q", "g", "z", ""] {
            queries += [
              "SELECT regexp_match(\(arguments), '\(flags)')",
              "SELECT regexp_replace(\(arguments), 'X', '\(flags)')",
              "SELECT regexp_split_to_array(\(arguments), '\(flags)')",
            ]
          }
          queries += [
            "SELECT regexp_substr(\(arguments))", "SELECT regexp_substr(\(arguments), 2, 1, 'i')",
            "SELECT regexp_substr(\(arguments), 0)", "SELECT regexp_instr(\(arguments))",
            "SELECT regexp_instr(\(arguments), 1, 1, 1, 'i')",
            "SELECT regexp_replace(\(arguments), 'X', 2, 1)",
            "SELECT regexp_replace(\(arguments), 'X', 1, 0, 'i')",
            "SELECT regexp_count(\(arguments), 2, 'i')",
          ]
        }
      }
      try await expectAgreement(queries)
    }
  }
#endif
