#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct JSONAgreementTests {
    private static let documents = [
      "null", "true", "1", "-0", "1.50", "1e3", "1E-5", "\"a\"", "\"\"", "[]", "{}", "[1,2,3]", "[[1],[]]",
      #"{"b":1,"a":{"c":[1,{"d":null}]},"aa":null}"#, #"["a","b","a",1,null,{"k":"v"}]"#, #"{"a":1,"a":2}"#,
      #"{"a":"x","b":null,"c":[null,{"a":null}]}"#, #" { "a" : [ 1 , 2 ] } "#, #""é😀\u00e9\n\"\\""#,
      #"{"key with space":"\ud83d\ude00"}"#, #"{"1":"one","2":[10,20]}"#, "12345678901234567890.123",
    ]

    private static let invalid = [
      "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}",
      "{a:1}", "{1:2}",
      "nul", "truex", "01", "1.", "1e", "1e+", "-", "+1", ".5", "0x1", "\"abc", "\"a\\x\"", "\"\\u12\"",
      "\"\\u12g4\"",
      "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\u0000\"", "1 2", "[1 2]", "{\"a\" 1}", "'a'",
      "[1}", "{]",
      "\"a\tb\"", "\u{1}", "tru", "TRUE", "{\"a\":1}}", ",", "]", "\"\\", "NaN", "é",
    ]

    private static func quoted(_ text: String) -> String { PostgreSQLServer.quoted(text) }

    @Test func documentsAreReadAndWritten() async throws {
      try await expectAgreement(
        (Self.documents + Self.invalid).flatMap {
          ["SELECT \(Self.quoted($0))::jsonb", "SELECT \(Self.quoted($0))::json"]
        })
    }

    @Test func partsAreTaken() async throws {
      var queries: [String] = []
      for document in Self.documents {
        for type in ["json", "jsonb"] {
          let literal = "\(Self.quoted(document))::\(type)"
          for key in ["'a'", "'b'", "'1'", "0", "1", "-1", "9", "'nokey'", "''"] {
            queries += ["SELECT \(literal) -> \(key)", "SELECT \(literal) ->> \(key)"]
          }
          for path in [
            "{}", "{a}", "{a,c}", "{a,c,1,d}", "{0}", "{-1}", "{1,0}", "{x,y}", "{2,1}", "{a,NULL}", "{00}",
            "{5,k}",
          ] {
            queries += ["SELECT \(literal) #> '\(path)'::text[]", "SELECT \(literal) #>> '\(path)'::text[]"]
          }
          queries += [
            "SELECT \(type)_typeof(\(literal))", "SELECT \(type)_array_length(\(literal))",
            "SELECT \(type)_strip_nulls(\(literal))",
            "SELECT \(type)_extract_path(\(literal), 'a', 'c')",
            "SELECT \(type)_extract_path_text(\(literal), 'a')",
            "SELECT string_agg(x::text, '|') FROM \(type)_each(\(literal)) x",
            "SELECT string_agg(x::text, '|') FROM \(type)_each_text(\(literal)) x",
            "SELECT string_agg(x::text, '|') FROM \(type)_object_keys(\(literal)) x",
            "SELECT string_agg(x::text, '|') FROM \(type)_array_elements(\(literal)) x",
            "SELECT string_agg(coalesced, '|') FROM \(type)_array_elements_text(\(literal)) coalesced",
          ]
        }
        queries.append("SELECT jsonb_pretty(\(Self.quoted(document))::jsonb)")
      }
      try await expectAgreement(queries)
    }

    @Test func valuesAreComparedAndChanged() async throws {
      var queries: [String] = []
      for left in Self.documents {
        let literal = "\(Self.quoted(left))::jsonb"
        for right in Self.documents {
          queries += ["@>", "<@", "||", "<", "=", ">="].map {
            "SELECT \(literal) \($0) \(Self.quoted(right))::jsonb"
          }
        }
        for key in ["a", "b", "key with space", ""] {
          queries += ["?", "-"].map { "SELECT \(literal) \($0) '\(key)'::text" }
        }
        for keys in ["{a,b}", "{}", "{a,NULL}", "{zz}"] {
          queries += ["?|", "?&", "-"].map { "SELECT \(literal) \($0) '\(keys)'::text[]" }
        }
        for index in ["0", "1", "-1", "7", "-7"] { queries.append("SELECT \(literal) - \(index)") }
        for path in [
          "{}", "{a}", "{a,c}", "{a,c,0}", "{0}", "{-1}", "{7}", "{-7}", "{z}", "{z,y}", "{x,0}", "{a,NULL}",
          "{a,c,x}", "{1,0}",
        ] {
          let path = "'\(path)'::text[]"
          queries += [
            "SELECT \(literal) #- \(path)", "SELECT jsonb_set(\(literal), \(path), '\"new\"'::jsonb)",
            "SELECT jsonb_set(\(literal), \(path), '[9]'::jsonb, false)",
            "SELECT jsonb_insert(\(literal), \(path), '\"new\"'::jsonb)",
            "SELECT jsonb_insert(\(literal), \(path), '\"new\"'::jsonb, true)",
            "SELECT jsonb_set_lax(\(literal), \(path), null::jsonb)",
          ]
          for treatment in ["delete_key", "return_target", "use_json_null", "raise_exception", "other"] {
            queries.append("SELECT jsonb_set_lax(\(literal), \(path), null::jsonb, true, '\(treatment)')")
          }
        }
      }
      try await expectAgreement(queries)
    }

    /// Values of many types, as SQL.
    private static let values = [
      "1", "1.50", "true", "'x'::text", "null::text", "'a\"b\\c'::text", "E'a\\nb\\tc\\x01'::text",
      "'é😀'::text",
      "1::bigint", "1::smallint", "1.5::real", "1e20::double precision", "0.1::double precision",
      "'NaN'::double precision",
      "'Infinity'::double precision", "'-Infinity'::real", "'NaN'::numeric", "'Infinity'::numeric",
      "'2024-02-29'::date", "'infinity'::date",
      "'0044-03-15 BC'::date", "'2024-02-29 12:34:56.789'::timestamp",
      "'2024-02-29 12:34:56.7+02'::timestamptz",
      "'infinity'::timestamptz", "'0044-03-15 10:00 BC'::timestamptz", "'12:34:56'::time",
      "'12:34:56+05:30'::timetz", "'1 year 2 days 03:04:05'::interval",
      "'c0ffee00-1234-4234-8234-123456789abc'::uuid", "'\\xdeadbeef'::bytea", "'{1,NULL,3}'::int[]",
      "'{{1,2},{3,4}}'::int[]",
      "'{}'::int[]", "'{a,\"b c\",NULL}'::text[]", "'{2024-01-01}'::date[]", "'{\"a\": [1]}'::json",
      "'{\"a\": [1]}'::jsonb",
      "'{\"{\\\"a\\\": 1}\"}'::jsonb[]", "ROW(1, 'x'::text, null::text)", "ROW(ROW(1), '{1}'::int[])",
      "'[1,5)'::int4range", "'abc'::varchar", "'ab'::name",
      "'127.0.0.1'::inet", "5::oid",
    ]

    @Test func valuesBecomeJSON() async throws {
      var queries: [String] = []
      for value in Self.values {
        queries += [
          "SELECT to_json(\(value))", "SELECT to_jsonb(\(value))", "SELECT json_build_array(\(value), 1)",
          "SELECT jsonb_build_array(\(value), null::text)", "SELECT json_build_object(\(value), \(value))",
          "SELECT jsonb_build_object(\(value), \(value))", "SELECT json_build_object('k', \(value), 'l', 2)",
          "SELECT row_to_json(ROW(\(value), 2))", "SELECT row_to_json(ROW(\(value), 2), true)",
          "SELECT json_agg(c) FROM (VALUES (\(value)), (\(value))) t(c)",
          "SELECT jsonb_agg(c) FROM (VALUES (\(value)), (\(value))) t(c)",
          "SELECT json_object_agg(c, c) FROM (VALUES (\(value)), (\(value))) t(c)",
          "SELECT jsonb_object_agg(c, c) FROM (VALUES (\(value)), (\(value))) t(c)",
        ]
      }
      for array in ["'{1,2}'::int[]", "'{}'::int[]", "'{{1,2},{3,4}}'::int[]", "'{a,b}'::text[]"] {
        queries += ["SELECT array_to_json(\(array))", "SELECT array_to_json(\(array), true)"]
      }
      for array in [
        "{a,1,b,2}", "{}", "{a}", "{{a,1},{b,NULL}}", "{{a,1,2}}", "{{{a,1}}}", "{NULL,1}", "{a,NULL,a,x}",
      ] {
        queries += ["SELECT json_object('\(array)'::text[])", "SELECT jsonb_object('\(array)'::text[])"]
      }
      for arrays in [
        "'{a,b}'::text[], '{1,NULL}'::text[]", "'{a}'::text[], '{}'::text[]",
        "'{NULL}'::text[], '{1}'::text[]", "'{a,b}'::text[], '{1}'::text[]",
      ] {
        queries += ["SELECT json_object(\(arrays))", "SELECT jsonb_object(\(arrays))"]
      }
      queries += [
        "SELECT json_build_object()", "SELECT jsonb_build_object()", "SELECT json_build_array()",
        "SELECT jsonb_build_array()",
        "SELECT json_build_object('a')", "SELECT jsonb_build_object('a', 1, 'b')",
        "SELECT json_build_object(null::text, 1)",
        "SELECT jsonb_build_object('x', 1, null::text, 1)",
      ]
      try await expectAgreement(queries)
    }

    @Test func documentsBecomeRows() async throws {
      var queries: [String] = []
      let rows = [
        #"{"a":1,"b":"x","c":[1,2],"d":{"e":1},"t":"2024-01-01"}"#, #"{"a":"7","b":5,"c":"{3,4}","d":null}"#,
        "{}", #"{"a":null,"b":true,"c":[]}"#,
        #"{"a":1.0}"#, #"{"a":"x"}"#, #"{"c":5}"#, #"{"c":[[1,2],[3,4]]}"#, #"{"c":[[1],[2,3]]}"#,
        #"{"b":{"x": [1, 2]}}"#, "[]", "1", "null",
      ]
      for row in rows {
        for type in ["json", "jsonb"] {
          let definition = "AS x(a int, b text, c int[], d \(type), t date)"
          queries += [
            "SELECT string_agg(x::text, '|') FROM \(type)_to_record(\(Self.quoted(row))::\(type)) \(definition)",
            "SELECT string_agg(x::text, '|') FROM \(type)_to_recordset(\(Self.quoted("[\(row),\(row)]"))::\(type)) \(definition)",
            "SELECT string_agg(x::text, '|') FROM \(type)_to_recordset(\(Self.quoted(row))::\(type)) \(definition)",
          ]
        }
      }
      try await expectAgreement(queries)
    }

    @Test func declaredTypesAreConverted() async throws {
      var queries: [String] = []
      for row in [
        #"{"number":1,"word":"x"}"#, #"{"number":"7"}"#, #"{"number":null,"word":5,"other":1}"#, "{}", "[]",
        "1", "null",
        #"{"number":"x"}"#, #"{"word":{"a":[1]}}"#, #"{"number":1.5}"#,
      ] {
        for type in ["json", "jsonb"] {
          for base in ["null::pair", "'(3,base)'::pair"] {
            queries += [
              "SELECT \(type)_populate_record(\(base), \(Self.quoted(row))::\(type))",
              "SELECT string_agg(x::text, '|') FROM \(type)_populate_recordset(\(base), \(Self.quoted("[\(row),\(row)]"))::\(type)) x",
              "SELECT string_agg(x::text, '|') FROM \(type)_populate_recordset(\(base), \(Self.quoted(row))::\(type)) x",
            ]
          }
          queries.append(
            "SELECT string_agg(x::text, '|') FROM \(type)_to_record('{\"m\":\"ok\",\"p\":{\"number\":2},\"q\":\"(5,y)\",\"d\":4,\"a\":[\"sad\"],\"s\":[{\"number\":1}]}'::\(type)) AS x(m mood, p pair, q pair, d positive, a mood[], s pair[])"
          )
        }
      }
      for value in [
        "'ok'::mood", "'(3,base)'::pair", "4::positive", "'{sad,ok}'::mood[]", "'{\"(1,x)\"}'::pair[]",
        "null::pair",
      ] {
        queries += [
          "SELECT to_json(\(value))", "SELECT to_jsonb(\(value))", "SELECT json_build_array(\(value))",
          "SELECT jsonb_build_object('k', \(value))", "SELECT concat(\(value), '!')",
          "SELECT json_agg(c) FROM (VALUES (\(value))) t(c)",
        ]
      }
      queries += [
        "SELECT row_to_json('(3,base)'::pair)", "SELECT row_to_json('(3,base)'::pair, true)",
        "SELECT max(c) FROM (VALUES ('ok'::mood), ('happy'::mood), ('sad'::mood)) t(c)",
      ]
      try await expectAgreement(queries, setup: TestSession.setup)
    }

    @Test func subscriptsAreAssigned() async throws {
      let setup = """
        CREATE FUNCTION set_key(v jsonb, k text, n jsonb) RETURNS jsonb LANGUAGE plpgsql AS
          $$ BEGIN v[k] := n; RETURN v; END $$;
        CREATE FUNCTION set_keys(v jsonb, k text, l text, n jsonb) RETURNS jsonb LANGUAGE plpgsql AS
          $$ BEGIN v[k][l] := n; RETURN v; END $$;
        CREATE FUNCTION set_index(v jsonb, k int, n jsonb) RETURNS jsonb LANGUAGE plpgsql AS
          $$ BEGIN v[k] := n; RETURN v; END $$;
        CREATE FUNCTION set_index_key(v jsonb, k int, l text, n jsonb) RETURNS jsonb LANGUAGE plpgsql AS
          $$ BEGIN v[k][l] := n; RETURN v; END $$;
        """
      var agreement = Agreement()
      func add(_ query: String, _ path: [String], in document: String?, isNumber: Bool) {
        agreement.add(query) { () throws(PostgreSQLError) in
          var value: JSONB?
          if let document { value = try JSONB(parsing: document) }
          return try JSONB.setting(.string("new"), at: path, in: value, isFirstNumber: isNumber).text
        }
      }
      for document in Self.documents.map(Optional.some) + [nil] {
        let literal = (document.map { Self.quoted($0) } ?? "null") + "::jsonb"
        for key in ["a", "b", "0", "1", "-1", "x"] {
          add("SELECT set_key(\(literal), '\(key)', '\"new\"')", [key], in: document, isNumber: false)
          for other in ["a", "c", "0", "2", "-1"] {
            add(
              "SELECT set_keys(\(literal), '\(key)', '\(other)', '\"new\"')", [key, other], in: document,
              isNumber: false)
          }
        }
        for index in [0, 1, 5, -1, -9] {
          add("SELECT set_index(\(literal), \(index), '\"new\"')", ["\(index)"], in: document, isNumber: true)
          for other in ["a", "1"] {
            add(
              "SELECT set_index_key(\(literal), \(index), '\(other)', '\"new\"')", ["\(index)", other],
              in: document, isNumber: true)
          }
        }
      }
      try await agreement.check(setup: setup)
    }
  }
#endif
