import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

@Suite struct EmbeddingTests {
  static let schema = """
    CREATE TABLE authors (id integer PRIMARY KEY, name text NOT NULL, mentor_id integer REFERENCES authors);
    CREATE TABLE posts (
      id integer PRIMARY KEY, title text, author_id integer NOT NULL REFERENCES authors,
      editor_id integer CONSTRAINT posts_editor_fkey REFERENCES authors);
    CREATE TABLE notes (post_id integer PRIMARY KEY REFERENCES posts, body text);
    CREATE TABLE tags (id integer PRIMARY KEY, label text);
    CREATE TABLE post_tags (
      post_id integer REFERENCES posts, tag_id integer REFERENCES tags, PRIMARY KEY (post_id, tag_id));
    CREATE TABLE comments (id integer PRIMARY KEY, post_id integer REFERENCES posts, body text, likes integer);
    CREATE VIEW recent AS SELECT id AS number, title, author_id FROM posts WHERE id > 1;
    INSERT INTO authors VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cid', 1);
    INSERT INTO posts VALUES (1, 'One', 1, NULL), (2, 'Two', 1, 2), (3, 'Three', 2, 1);
    INSERT INTO notes VALUES (2, 'a note');
    INSERT INTO tags VALUES (1, 'x'), (2, 'y');
    INSERT INTO post_tags VALUES (1, 1), (1, 2), (2, 2);
    INSERT INTO comments VALUES (1, 1, 'good', 5), (2, 1, 'bad', 1), (3, 3, 'fine', NULL);
    CREATE FUNCTION commented(authors) RETURNS SETOF posts LANGUAGE sql STABLE AS $$
      SELECT p FROM posts p WHERE author_id = $1.id AND EXISTS (SELECT 1 FROM comments WHERE post_id = p.id) $$;
    CREATE FUNCTION first_post(authors) RETURNS SETOF posts ROWS 1 LANGUAGE sql STABLE AS $$
      SELECT p FROM posts p WHERE author_id = $1.id ORDER BY id LIMIT 1 $$;
    """

  /// Requests with their bodies, without the line feeds between rows.
  static let selections = [
    // To one, by table, column and constraint.
    (
      "/comments?select=id,posts(title)&order=id&limit=2",
      #"[{"id":1,"posts":{"title": "One"}},{"id":2,"posts":{"title": "One"}}]"#
    ),
    ("/posts?select=id,by:authors!author_id(name)&id=eq.2", #"[{"id":2,"by":{"name": "Ann"}}]"#),
    (
      "/posts?select=id,authors!posts_editor_fkey(name)&order=id",
      #"[{"id":1,"authors":null},{"id":2,"authors":{"name": "Bob"}},{"id":3,"authors":{"name": "Ann"}}]"#
    ),
    ("/posts?select=id,editor_id(name)&id=eq.2", #"[{"id":2,"editor_id":{"name": "Bob"}}]"#),
    (
      "/posts?select=id,notes(body)&order=id&limit=2",
      #"[{"id":1,"notes":null},{"id":2,"notes":{"body": "a note"}}]"#
    ),
    // To many.
    (
      "/posts?select=id,comments(id,body)&id=lt.3&order=id",
      #"[{"id":1,"comments":[{"id": 1, "body": "good"}, {"id": 2, "body": "bad"}]},{"id":2,"comments":[]}]"#
    ),
    (
      "/authors?select=name,posts!author_id(title)&id=eq.1",
      #"[{"name":"Ann","posts":[{"title": "One"}, {"title": "Two"}]}]"#
    ),
    (
      "/posts?select=id,tags(label)&order=id",
      #"[{"id":1,"tags":[{"label": "x"}, {"label": "y"}]},{"id":2,"tags":[{"label": "y"}]},{"id":3,"tags":[]}]"#
    ),
    ("/tags?select=label,posts!post_tags(id)&id=eq.2", #"[{"label":"y","posts":[{"id": 1}, {"id": 2}]}]"#),
    // Of itself.
    ("/authors?select=name,mentor_id(name)&id=eq.2", #"[{"name":"Bob","mentor_id":{"name": "Ann"}}]"#),
    (
      "/authors?select=name,pupils:authors(name)&id=eq.1",
      #"[{"name":"Ann","pupils":[{"name": "Bob"}, {"name": "Cid"}]}]"#
    ),
    // Within each other, with filters, order and limits.
    (
      "/authors?select=name,posts!author_id(id,comments(body))&posts.comments.likes=gt.2&id=eq.1",
      #"[{"name":"Ann","posts":[{"id": 1, "comments": [{"body": "good"}]}, {"id": 2, "comments": []}]}]"#
    ),
    (
      "/posts?select=id,comments(id)&comments.order=id.desc&comments.limit=1&id=eq.1",
      #"[{"id":1,"comments":[{"id": 2}]}]"#
    ),
    (
      "/posts?select=id,comments(id)&comments.order=id&comments.offset=1&id=eq.1",
      #"[{"id":1,"comments":[{"id": 2}]}]"#
    ),
    (
      "/posts?select=id,comments(id)&comments.or=(likes.eq.1,body.eq.none)&id=eq.1",
      #"[{"id":1,"comments":[{"id": 2}]}]"#
    ),
    ("/posts?select=id,c:comments(id)&c.likes=eq.1&id=eq.1", #"[{"id":1,"c":[{"id": 2}]}]"#),
    (
      "/posts?select=id,comments!inner(id)&comments.likes=gt.0",
      #"[{"id":1,"comments":[{"id": 1}, {"id": 2}]}]"#
    ),
    (
      "/comments?select=id,posts!inner(title)&posts.title=eq.Three", #"[{"id":3,"posts":{"title": "Three"}}]"#
    ),
    ("/posts?select=id,comments()&comments=not.is.null&order=id", #"[{"id":1},{"id":3}]"#),
    ("/posts?select=id,comments()&comments=is.null", #"[{"id":2}]"#),
    (
      "/posts?select=id,notes(body)&or=(notes.not.is.null,id.eq.3)&order=id",
      #"[{"id":2,"notes":{"body": "a note"}},{"id":3,"notes":null}]"#
    ),
    (
      "/comments?select=id,posts(title)&order=posts(title).desc,id",
      #"[{"id":3,"posts":{"title": "Three"}},{"id":1,"posts":{"title": "One"}},{"id":2,"posts":{"title": "One"}}]"#
    ),
    // Spread.
    (
      "/comments?select=id,...posts(title,...authors!author_id(name))&id=eq.3",
      #"[{"id":3,"title":"Three","name":"Bob"}]"#
    ),
    ("/comments?select=id,...posts(post:title)&id=eq.1", #"[{"id":1,"post":"One"}]"#),
    (
      "/posts?select=id,...comments(body,likes)&comments.order=likes&id=eq.1",
      #"[{"id":1,"body":["bad", "good"],"likes":[1, 5]}]"#
    ),
    ("/posts?select=id,...comments(body)&id=eq.2", #"[{"id":2,"body":[]}]"#),
    // Views and functions.
    (
      "/recent?select=number,authors(name)&order=number",
      #"[{"number":2,"authors":{"name": "Ann"}},{"number":3,"authors":{"name": "Bob"}}]"#
    ),
    (
      "/comments?select=id,recent(number)&order=id",
      #"[{"id":1,"recent":null},{"id":2,"recent":null},{"id":3,"recent":{"number": 3}}]"#
    ),
    ("/authors?select=name,recent(number)&id=eq.1", #"[{"name":"Ann","recent":[{"number": 2}]}]"#),
    (
      "/authors?select=name,commented(id)&order=id",
      #"[{"name":"Ann","commented":[{"id": 1}]},{"name":"Bob","commented":[{"id": 3}]},{"name":"Cid","commented":[]}]"#
    ),
    ("/authors?select=name,first_post(title)&id=eq.1", #"[{"name":"Ann","first_post":{"title": "One"}}]"#),
  ]

  let project: RESTProject

  init() throws {
    project = try RESTProject(Self.schema)
  }

  @Test(arguments: selections)
  func embeddings(_ path: String, _ expected: String) async throws {
    #expect(try await project.get(path) == expected, "\(path)")
  }

  /// `relation.count` is `count(relation)`, also while aggregate functions are disabled.
  @Test(arguments: [
    (
      "/posts?select=id,comments(count)&order=id",
      #"[{"id":1,"comments":[{"count": 2}]},{"id":2,"comments":[{"count": 0}]},{"id":3,"comments":[{"count": 1}]}]"#
    ),
    ("/posts?select=id,n:comments(all:count)&n.likes=gt.2&id=eq.1", #"[{"id":1,"n":[{"all": 1}]}]"#),
    ("/posts?select=count&id=gt.1", #"[{"count":2}]"#),
    ("/tags?select=label,posts(count)&id=eq.2", #"[{"label":"y","posts":[{"count": 2}]}]"#),
  ])
  func aColumnNamedCountCountsRows(_ path: String, _ expected: String) async throws {
    #expect(try await project.get(path) == expected, "\(path)")
  }

  @Test(arguments: [
    (
      "/comments?select=post_id,likes.sum(),count()&order=post_id",
      #"[{"post_id":1,"sum":6,"count":2},{"post_id":3,"sum":null,"count":1}]"#
    ),
    ("/comments?select=top:likes.max(),average:likes.avg()::int", #"[{"top":5,"average":3}]"#),
    ("/comments?select=body.count(),l:likes::text.min()&post_id=eq.1", #"[{"count":2,"l":"1"}]"#),
    (
      "/posts?select=id,comments(likes.sum())&id=lt.3&order=id",
      #"[{"id":1,"comments":[{"sum": 6}]},{"id":2,"comments":[{"sum": null}]}]"#
    ),
    (
      "/comments?select=count(),posts(title)",
      #"[{"count":2,"posts":{"title": "One"}},{"count":1,"posts":{"title": "Three"}}]"#
    ),
    ("/comments?select=id.sum(),...posts(title)&post_id=eq.1", #"[{"sum":3,"title":"One"}]"#),
  ])
  func aggregates(_ path: String, _ expected: String) async throws {
    #expect(try await project.send(.get, path).code == "PGRST123")
    var project = project
    project.endpoint.settings.allowsAggregates = true
    #expect(try await project.get(path) == expected, "\(path)")
  }

  @Test func ambiguousRelationshipsAreListed() async throws {
    let answer = try await project.send(.get, "/posts?select=id,authors(*)")
    #expect((answer.status, answer.code) == (300, "PGRST201"))
    #expect(
      answer.message
        == "Could not embed because more than one relationship was found for 'posts' and 'authors'")
    #expect(
      answer.hint
        == "Try changing 'authors' to one of the following: 'authors!posts_author_id_fkey', "
        + "'authors!posts_editor_fkey'. Find the desired relationship in the 'details' key.")
    #expect(
      answer.json?["details"]
        == .array([
          .object([
            .init("cardinality", .string("many-to-one")), .init("embedding", .string("posts with authors")),
            .init("relationship", .string("posts_author_id_fkey using posts(author_id) and authors(id)")),
          ]),
          .object([
            .init("cardinality", .string("many-to-one")), .init("embedding", .string("posts with authors")),
            .init("relationship", .string("posts_editor_fkey using posts(editor_id) and authors(id)")),
          ]),
        ]))
  }

  @Test func missingRelationshipsAreRefused() async throws {
    let misspelled = try await project.send(.get, "/posts?select=comment(*)")
    #expect((misspelled.status, misspelled.code) == (400, "PGRST200"))
    #expect(misspelled.hint == "Perhaps you meant 'comments' instead of 'comment'.")
    #expect(
      misspelled.details
        == "Searched for a foreign key relationship between 'posts' and 'comment' in the schema"
        + " 'public', but no matches were found.")
    let hinted = try await project.send(.get, "/posts?select=comments!nope(*)")
    #expect((hinted.code, hinted.hint) == ("PGRST200", nil))
    #expect(
      hinted.details
        == "Searched for a foreign key relationship between 'posts' and 'comments' using the hint 'nope'"
        + " in the schema 'public', but no matches were found.")
    let many = try await project.send(.get, "/posts?select=comments(id)&order=comments(id)")
    #expect((many.status, many.code) == (400, "PGRST118"))
    #expect(many.details == "'posts' and 'comments' do not form a many-to-one or one-to-one relationship")
  }

  @Test func innerEmbeddingsAreCounted() async throws {
    let answer = try await project.send(
      .get, "/posts?select=id,comments!inner(id)&limit=1", fields: ["Prefer": "count=exact"])
    #expect((answer.status, answer.fields["Content-Range"]) == (206, "0-0/2"))
    let filtered = try await project.send(
      .get, "/posts?select=id,comments()&comments=is.null", fields: ["Prefer": "count=exact"])
    #expect(filtered.fields["Content-Range"] == "0-0/1")
  }

  @Test func changesReturnEmbeddedRows() async throws {
    let answer = try await project.send(
      .post, "/comments?select=body,posts(title,by:authors!author_id(name))",
      fields: ["Prefer": "return=representation"], #"{"id":9,"post_id":3,"body":"new"}"#)
    #expect(answer.status == 201)
    #expect(answer.text == #"[{"body":"new","posts":{"by": {"name": "Bob"}, "title": "Three"}}]"#)
  }

  /// The rows of embedded relations obey their policies.
  @Test func policiesApplyToEmbeddedRows() async throws {
    let project = try RESTProject(
      """
      CREATE TABLE boxes (id integer PRIMARY KEY);
      CREATE TABLE things (id integer PRIMARY KEY, box_id integer REFERENCES boxes, hidden boolean);
      ALTER TABLE things ENABLE ROW LEVEL SECURITY;
      CREATE POLICY shown ON things FOR SELECT USING (NOT hidden);
      INSERT INTO boxes VALUES (1); INSERT INTO things VALUES (1, 1, true), (2, 1, false);
      """)
    let answer = try await project.send(.get, "/boxes?select=things(id)", as: .anonymous)
    #expect(answer.text == #"[{"things":[{"id": 2}]}]"#)
  }
}
