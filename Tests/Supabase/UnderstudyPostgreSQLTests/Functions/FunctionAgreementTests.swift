#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct FunctionAgreementTests {
    @Test func arraysHaveTheirFunctions() async throws {
      let arrays =
        [
          "{}", "{1}", "{1,2,3,2}", "{NULL,2,NULL}", "{{1,2},{3,4}}", "[0:2]={7,8,9}", "{{1,NULL}}",
          "{{{1},{2}}}", "{5,4,3,2,1}",
        ].map { "'\($0)'::int[]" } + ["null::int[]"]
      var queries: [String] = []
      for array in arrays {
        for name in ["array_ndims", "array_dims", "cardinality"] {
          queries.append("SELECT \(name)(\(array))")
        }
        for number in [-1, 0, 1, 2, 3, 9] {
          queries += [
            "array_length", "array_lower", "array_upper", "trim_array", "array_append", "array_position",
            "array_positions", "array_remove",
          ].map { "SELECT \($0)(\(array), \(number))" }
          queries += [
            "SELECT array_prepend(\(number), \(array))", "SELECT array_position(\(array), 2, \(number))",
            "SELECT array_replace(\(array), \(number), 100)", "SELECT \(array) || \(number)",
            "SELECT \(number) || \(array)",
            "SELECT string_agg(x::text, ',') FROM generate_subscripts(\(array), \(number)) x",
            "SELECT string_agg(x::text, ',') FROM generate_subscripts(\(array), \(number), true) x",
          ]
        }
        queries += ["array_append", "array_position", "array_positions", "array_remove"].map {
          "SELECT \($0)(\(array), null::int)"
        }
        queries += [
          "SELECT array_prepend(null::int, \(array))", "SELECT array_replace(\(array), null::int, 0)",
          "SELECT array_replace(\(array), 2, null::int)",
          "SELECT string_agg(x::text, ',') FROM unnest(\(array)) x",
          "SELECT array_agg(x) FROM unnest(\(array)) x", "SELECT array_position(\(array), 2, null::int)",
          "SELECT array_agg(c) FROM (VALUES (\(array)), (\(array))) t(c)",
          "SELECT min(c) FROM (VALUES (\(array)), ('{1,2}'::int[])) t(c)",
        ]
        for other in arrays {
          queries +=
            ["@>", "<@", "&&", "||"].map { "SELECT \(array) \($0) \(other)" } + [
              "SELECT array_cat(\(array), \(other))"
            ]
        }
      }
      for dimensions in [
        "'{2}'::int[]", "'{2,3}'::int[]", "'{}'::int[]", "'{0}'::int[]", "'{-1}'::int[]", "'{NULL}'::int[]",
        "null::int[]", "'{{1}}'::int[]", "'{1,1,1,1,1,1,1}'::int[]",
      ] {
        queries += [
          "SELECT array_fill(7, \(dimensions))", "SELECT array_fill('x'::text, \(dimensions), '{5}'::int[])",
          "SELECT array_fill(null::int, \(dimensions))",
        ]
      }
      queries += [
        "SELECT '{a,b}'::text[] || 'c'::text", "SELECT array_position('{a,b}'::text[], 'b')",
        "SELECT '{1.0,2}'::numeric[] @> '{1.00}'::numeric[]", "SELECT '{a,B}'::citext[] @> '{A}'::citext[]",
        "SELECT array_position('{a,B}'::citext[], 'b'::citext)", "SELECT 'aB'::citext LIKE 'A%'",
        "SELECT 'aB'::citext ~ '^A'", "SELECT max(c) FROM (VALUES ('a'::citext), ('B'::citext)) t(c)",
        "SELECT '{NaN}'::float8[] @> '{NaN}'::float8[]",
      ]
      try await expectAgreement(queries, setup: "CREATE EXTENSION citext;")
    }

    @Test func rangesHaveTheirFunctions() async throws {
      let integers = [
        "empty", "[1,5)", "(1,5]", "[3,8]", "[5,9)", "[1,1]", "[2,4)", "(,3)", "[4,)", "(,)", "[10,20)",
        "(0,1)",
      ].map { "'\($0)'::int4range" }
      let numerics = [
        "empty", "[1.5,2.5]", "(1.5,2.5)", "[2.5,3)", "(2.5,9]", "(,2.5]", "[1.50,2.0]", "(,)", "[2.5,2.5]",
      ].map { "'\($0)'::numrange" }
      var queries: [String] = []
      for ranges in [integers, numerics] {
        for range in ranges {
          queries.append("SELECT \(range)::text")
          queries += ["lower", "upper", "isempty", "lower_inc", "upper_inc", "lower_inf", "upper_inf"].map {
            "SELECT \($0)(\(range))"
          }
          for other in ranges {
            queries +=
              ["@>", "<@", "&&", "<<", ">>", "&<", "&>", "-|-", "+", "*", "-"].map {
                "SELECT \(range) \($0) \(other)"
              } + ["SELECT range_merge(\(range), \(other))"]
          }
          for number in ["1", "4", "5", "-1"] {
            let number = ranges == integers ? number : "\(number)::numeric"
            queries += ["SELECT \(range) @> \(number)", "SELECT \(number) <@ \(range)"]
          }
        }
      }
      for bounds in ["1, 5", "5, 1", "1, 1", "null, 5", "1, null", "null::int, null::int"] {
        queries.append("SELECT int4range(\(bounds))")
        queries += ["[]", "[)", "(]", "()", "x", ""].map { "SELECT int4range(\(bounds), '\($0)')" }
      }
      queries += [
        "SELECT int4range(1, 2, null)", "SELECT int4range(2147483646, 2147483647, '[]')",
        "SELECT int8range(1, 3, '(]')", "SELECT numrange(1.0, 2.50, '[]')",
        "SELECT daterange('2024-01-01', '2024-01-31', '[]')",
        "SELECT tsrange('2024-01-01', '2024-01-31 12:00')", "SELECT tstzrange('2024-01-01', null)",
        "SELECT upper(daterange('2024-01-01', '2024-01-31', '[]'))",
        "SELECT tstzrange('2024-01-01 00:00+00', '2024-01-02 00:00+00') @> '2024-01-01 12:00+00'::timestamptz",
        "SELECT daterange('2024-01-01', 'infinity', '[]')",
      ]
      try await expectAgreement(queries)
    }

    @Test func aggregatesReduceRows() async throws {
      let columns: [(type: String, values: [String])] = [
        ("smallint", ["1", "2", "32767"]), ("int", ["1", "2", "3", "2", "2147483647", "-5"]),
        ("bigint", ["9223372036854775807", "9223372036854775807", "1"]), ("int", ["7"]),
        ("int", ["2", "4", "4", "4", "5", "5", "7", "9"]),
        ("numeric", ["1.5", "2.25", "-3", "0.001", "100000000000000000000"]), ("numeric", ["1", "NaN"]),
        ("numeric", ["1", "Infinity"]), ("numeric", ["0.10", "0.20", "0.30"]),
        ("real", ["1.5", "2.25", "0.1"]), ("double precision", ["1.5", "2.25", "0.1", "1e100"]),
        ("double precision", ["0.1", "0.2", "0.3"]), ("double precision", ["NaN", "1"]),
        ("double precision", ["Infinity", "1"]), ("double precision", ["4"]),
      ]
      var queries: [String] = []
      for (type, values) in columns {
        for isWithNull in [false, true] {
          let rows = (values.map { "('\($0)'::\(type))" } + (isWithNull ? ["(null::\(type))"] : [])).joined(
            separator: ", ")
          for name in [
            "count", "sum", "avg", "min", "max", "array_agg", "json_agg", "var_pop", "var_samp", "variance",
            "stddev", "stddev_pop", "stddev_samp",
          ] {
            queries.append("SELECT \(name)(c) FROM (VALUES \(rows)) t(c)")
          }
          if type.hasSuffix("int") {
            queries += ["bit_and", "bit_or", "bit_xor"].map { "SELECT \($0)(c) FROM (VALUES \(rows)) t(c)" }
          }
        }
      }
      for rows in [
        "(true), (false), (null)", "(true), (true)", "(false), (false)", "(null::boolean)", "(true), (null)",
      ] {
        queries += ["bool_and", "bool_or", "every", "count"].map {
          "SELECT \($0)(c) FROM (VALUES \(rows)) t(c)"
        }
      }
      for rows in ["('a'), ('b'), (null), ('c')", "(null::text), ('x')", "('x'), ('')"] {
        queries += [
          "SELECT string_agg(c, ',') FROM (VALUES \(rows)) t(c)",
          "SELECT string_agg(c, null) FROM (VALUES \(rows)) t(c)", "SELECT max(c) FROM (VALUES \(rows)) t(c)",
          "SELECT string_agg(c::bytea, '\\x00'::bytea) FROM (VALUES \(rows)) t(c)",
        ]
      }
      for fraction in ["0", "0.25", "0.5", "0.9", "1", "1.5", "-0.5"] {
        for rows in ["(1), (2), (3), (4)", "(5)", "(1), (1), (9), (null)"] {
          queries += [
            "SELECT percentile_cont(\(fraction)::double precision) WITHIN GROUP (ORDER BY c::double precision) FROM (VALUES \(rows)) t(c)",
            "SELECT percentile_disc(\(fraction)::double precision) WITHIN GROUP (ORDER BY c) FROM (VALUES \(rows)) t(c)",
          ]
        }
      }
      queries += [
        "SELECT percentile_cont('{0,0.5,NULL,1}'::double precision[]) WITHIN GROUP (ORDER BY c::double precision) FROM (VALUES (1), (2)) t(c)",
        "SELECT percentile_disc('{0.5,1}'::double precision[]) WITHIN GROUP (ORDER BY c) FROM (VALUES (1), (2), (3)) t(c)",
        "SELECT mode() WITHIN GROUP (ORDER BY c) FROM (VALUES (1), (1), (2), (2), (null)) t(c)",
        "SELECT mode() WITHIN GROUP (ORDER BY c) FROM (VALUES ('a'), ('b'), ('b')) t(c)",
        "SELECT array_agg(c) FROM (VALUES ('{}'::int[])) t(c)",
        "SELECT array_agg(c) FROM (VALUES ('{1}'::int[]), ('{1,2}'::int[])) t(c)",
        "SELECT array_agg(c) FROM (VALUES (null::int[])) t(c)",
        "SELECT sum(c) FROM (VALUES ('1 day 02:00'::interval), ('3 mons'::interval), (null)) t(c)",
        "SELECT avg(c) FROM (VALUES ('1 day 02:00'::interval), ('3 mons'::interval), (null)) t(c)",
        "SELECT sum(c) FROM (VALUES (1e308::double precision), (1e308::double precision)) t(c)",
        "SELECT max(c) FROM (VALUES ('2024-01-01'::date), ('2024-02-01'::date)) t(c)",
      ]
      try await expectAgreement(queries)
    }

    @Test func seriesHaveRows() async throws {
      var queries: [String] = []
      for arguments in [
        "1, 5", "5, 1", "1, 10, 3", "10, 1, -4", "1, 5, 0", "2147483646, 2147483647", "1, 1",
        "1::bigint, 3::bigint", "9223372036854775806, 9223372036854775807", "1.5, 4", "1.0, 2.0, 0.25",
        "2.0, 1.0, -0.5", "1.0, 2.0, 0.0",
        "'NaN'::numeric, 1.0", "1.0, 'Infinity'::numeric", "1.0, 2.0, 'NaN'::numeric",
        "'2024-01-01'::timestamp, '2024-01-03'::timestamp, '1 day'::interval",
        "'2024-01-31'::timestamptz, '2024-06-01'::timestamptz, '1 month'::interval",
        "'2024-01-03'::timestamp, '2024-01-01'::timestamp, '-12 hours'::interval",
        "'2024-01-03'::timestamp, '2024-01-01'::timestamp, '0'::interval", "1, null",
      ] {
        queries.append("SELECT string_agg(x::text, '|') FROM generate_series(\(arguments)) x")
      }
      try await expectAgreement(queries)
    }
  }
#endif
