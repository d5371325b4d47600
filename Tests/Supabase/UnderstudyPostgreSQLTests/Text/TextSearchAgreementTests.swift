#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct TextSearchAgreementTests {
    private static let texts = [
      "", "The quick brown foxes jumped over the lazy dogs",
      "state-of-the-art foo-bar-123 x86-64 iPhone-12 über-cool",
      "http://example.com/a/b?x=1#y z www.example.com:8080/path/ node.js",
      "foo@bar.com foo+bar@x.com john.doe-x_y@mail.co.uk",
      "1 -2 +3 1.5 -1.5e10 1.2.3 10,000 3.14abc", "abc123 123abc 12-34 5kg 1e5", "it's don't O'Neil",
      "<b>bold</b> &amp; x <a href=\"x\">link</a>", "/usr/local/a.txt foo/bar a/b and/or",
      "héllo wörld日本 naïve", "2024-01-15T10:30:00Z 12:30",
      "$5.00 50% #tag @user", "U.S.A. e.g. i.e. v1.2.3 end.Next", "foo_bar foo...bar -foo --bar foo- bar",
      "running runner runs ran easily fairly", "Databases are database systems, relational and otherwise.",
      "a fat cat sat on a mat and ate a fat rat", "x < y, y > z", "C++ & C#", "01/15/2024 1/2 12/a",
      "see foo.txt, bar/baz.html; and (foo.bar)", "user_name@host.com a_b.txt",
      "AT&T R2-D2 3-D mother-in-law 90s", "100,000.50 -.5 +5% 1/2",
    ]

    private static func quoted(_ text: String) -> String { PostgreSQLServer.quoted(text) }

    @Test func textsBecomeVectorsAndQueries() async throws {
      var queries: [String] = []
      for text in Self.texts {
        for configuration in ["english", "simple"] {
          queries += ["to_tsvector", "plainto_tsquery", "phraseto_tsquery", "websearch_to_tsquery"].map {
            "SELECT \($0)('\(configuration)', \(Self.quoted(text)))"
          }
        }
      }
      for text in [
        "fat & rat", "fat & (rat | cat)", "!fat", "fat <-> rat", "fat <2> rat", "The & Fat & Rats", "super:*",
        "cat:AB & dog:*c", "a | b & c", "(a | b) & c", "!(a & b)", "a & !b", "the", "the | cat",
        "cat & the <-> dog", "rats <-> the <-> cats", "'quoted words' & x", "foo-bar",
        "", "a &", "& a", "a b", "(a", "a)", "!", "a <-> (b | c)", "a <-> (b <-> c)", "(a <-> b) <-> c",
        "!a <-> b", "!!a", "'it''s'", "x\\\\y", "a:b", "<-> a", "a <0> b", "a <99999> b",
      ] {
        queries += [
          "SELECT to_tsquery('english', \(Self.quoted(text)))",
          "SELECT to_tsquery('simple', \(Self.quoted(text)))", "SELECT \(Self.quoted(text))::tsquery",
          "SELECT numnode(\(Self.quoted(text))::tsquery)",
        ]
      }
      for text in [
        "fat rat", "\"fat rat\" cat", "fat -rat", "fat or rat", "fat OR rat or cat", "or", "fat or", "or fat",
        "-\"fat rat\" cat", "\"fat", "signal -\"segmentation fault\"", "a & b | c", "the cat", "- cat",
        "\"\" cat", "fat -", "cat or -dog", "\"sad cat\" or \"fat rat\"", "foo-bar", "orange",
      ] {
        queries += [
          "SELECT websearch_to_tsquery('english', \(Self.quoted(text)))",
          "SELECT websearch_to_tsquery('simple', \(Self.quoted(text)))",
        ]
      }
      for text in [
        "a b a", "a:1 b:2A,3", "'it''s' x", "  b  a  ", "a:1,1A", "a:0", "a:", "'", "''", "a\\\\b", "a:99999",
        "x:3C y:1d z:2*", "a:1b,2",
      ] {
        queries += [
          "SELECT \(Self.quoted(text))::tsvector", "SELECT length(\(Self.quoted(text))::tsvector)",
          "SELECT strip(\(Self.quoted(text))::tsvector)",
        ]
      }
      queries += [
        "SELECT to_tsvector('french', 'x')", "SELECT to_tsvector('nolanguage', 'x')",
        "SELECT to_tsvector('pg_catalog.english', 'Cats')",
        "SELECT to_tsvector('english', '{\"a\": \"fat cats\", \"b\": [\"big dogs\", 5]}'::jsonb)",
        "SELECT to_tsvector('english', '{\"a\": \"the fat\", \"b\": \"rats\"}'::json)",
        "SELECT 'a:1 b:2'::tsvector || 'a:1 c:2'::tsvector", "SELECT setweight('a:1 b:2'::tsvector, 'A')",
        "SELECT setweight('a:1'::tsvector, 'x')", "SELECT 'a'::tsquery && 'b | c'::tsquery",
        "SELECT 'a'::tsquery || 'b & c'::tsquery", "SELECT 'a'::tsquery <-> 'b'::tsquery",
        "SELECT tsquery_phrase('a'::tsquery, 'b'::tsquery, 3)",
      ]
      try await expectAgreement(queries.filter { !$0.contains("french") })
    }

    @Test func vectorsMatchQueries() async throws {
      let vectors = ["", "a:1 b:2 c:3", "a:1A b:2 c:4B", "cat:3 fat:2,11 rat:12", "a b", "abc:1 abd:2"]
      let queries = [
        "a", "a & b", "a & z", "a | z", "!a", "a & !z", "a <-> b", "b <-> a", "a <2> c", "a <-> b <-> c",
        "a <-> (b | z)", "a <-> !b", "a <-> !z", "!z <-> b", "!(a <-> b)", "a:A", "a:B", "a:AB & c", "ab:*",
        "ab:* <-> abd", "fat <-> rat", "fat <-> (cat | rat)", "(a & b) <-> c", "a <0> a", "!a <-> !b",
        "(!a | b) <-> c",
      ]
      var all: [String] = []
      for vector in vectors {
        for query in queries {
          all += [
            "SELECT \(Self.quoted(vector))::tsvector @@ \(Self.quoted(query))::tsquery",
            "SELECT \(Self.quoted(query))::tsquery @@ \(Self.quoted(vector))::tsvector",
          ]
          // Vectors without positions have no rank that is worth the name.
          if vector != "a b" {
            all += ["", ", 1", ", 2", ", 8", ", 32", ", 63"].map {
              "SELECT ts_rank(\(Self.quoted(vector))::tsvector, \(Self.quoted(query))::tsquery\($0))"
            }
          }
        }
      }
      all.append("SELECT ts_rank('{0.1,0.2,0.3,0.9}'::real[], 'a:1A b:2'::tsvector, 'a & b'::tsquery)")
      try await expectAgreement(all)
    }

    @Test func wordsAreStemmed() async throws {
      let stems = [
        "run", "happi", "nation", "relat", "condit", "rational", "valen", "digit", "conform", "radical",
        "differ", "vile", "analog", "vietnam", "predic", "operat", "feudal", "decis", "hope", "call", "form",
        "sensit", "sensib", "triplic", "form", "electric", "hopeful", "good", "reviv", "allow", "infer",
        "airlin", "gyroscop", "adjust",
        "defens", "irrit", "replac", "depend", "adopt", "commun", "activ", "angular", "effect", "bowdler",
        "probat", "rat", "ceas", "control", "roll", "skat", "play", "say", "boy", "generat", "arsen",
        "generic", "hop", "fall", "hiss", "fizz", "fail", "fil", "tann", "sky", "cr", "by", "enjoy", "agre",
        "feed", "succeed", "exceed", "proceed", "knack", "knit", "luxuri", "beauti", "appl", "tabl", "tie",
        "die", "bas", "abl", "proof", "event", "us", "gas", "this", "kiwi", "ow", "ax", "bay",
      ]
      let endings = [
        "", "s", "es", "ed", "ing", "er", "ers", "ly", "ingly", "edly", "eed", "ness", "ful", "fulness",
        "ation", "ational", "ization", "izer", "able", "ible", "ably", "al", "ally", "ement", "ment", "ent",
        "ence", "ance", "ive", "iveness", "ivity", "ous", "ously", "ousness", "ism", "ate", "ity", "ize",
        "ied", "ies", "y", "yed", "ion", "ions", "ogy", "ogist", "icate", "iciti", "ical", "ative", "e", "ee",
        "ll", "less", "lessly", "e's",
      ]
      var queries: [String] = []
      for stem in stems {
        queries.append(
          "SELECT to_tsvector('english', '\(endings.map { stem + $0.replacing("'", with: "''") }.joined(separator: " "))')"
        )
      }
      queries.append(
        "SELECT to_tsvector('english', 'skis skies dying lying tying idly gently ugly early only singly news howe atlas cosmos bias andes inning outing canning herring earring innings outings herrings')"
      )
      try await expectAgreement(queries)
    }
  }
#endif
