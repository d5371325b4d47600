#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import UnderstudyHTTP
  import UnderstudyPostgreSQL

  @testable import UnderstudySupabase

  /// The statements of requests, run by PostgreSQL and in memory.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct RequestAgreementTests {
    @Test func selections() async throws {
      let paths =
        EmbeddingTests.selections.map(\.0) + [
          "/comments?select=post_id,likes.sum(),count()&order=post_id",
          "/posts?select=id,comments(count)&order=id",
          "/comments?select=likes->>a,id::text,x:body&or=(likes.gt.2,body.like.*a*)&order=likes.desc.nullslast",
          "/authors?select=id,first_post(title),posts!author_id(title,notes(*),tags(label,posts(count)))&order=id"
            + "&posts.order=id&posts.tags.order=id",
          "/posts?select=id,comments!inner(id)&comments.id=gt(any).{2,5}&limit=1",
          "/posts?select=id,...comments(body)&comments.order=body.desc&order=id",
        ]
      var project = try RESTProject(EmbeddingTests.schema)
      project.endpoint.settings.allowsAggregates = true
      var queries: [String] = []
      var answers: [String] = []
      for path in paths {
        let statement = try project.selection(path)
        queries.append("SELECT to_json(answer)::text FROM (\(statement.query.sql)) AS answer;")
        let whole = Query(
          .select(
            Select(
              [Select.Item(SQLExpression.call("to_json", .name(["answer"])).cast(to: "text"))],
              from: [.query(statement.query, TableAlias("answer"), isLateral: false)])))
        answers.append(
          try project.database.transaction(as: .service, .read) { (session) throws(PostgRESTError) in
            guard case .text(let text)? = try session.result(of: .query(whole)).rows.first?.first else {
              return ""
            }
            return text
          })
      }
      let lines = try await PostgreSQLServer().lines(
        of: EmbeddingTests.schema + "\n" + queries.joined(separator: "\n"))
      try #require(lines.count == paths.count)
      for (path, (real, inMemory)) in zip(paths, zip(lines, answers)) {
        #expect(inMemory == real, "\(path)")
      }
    }
  }

  extension RESTProject {
    /// The statement of a GET, with the total number of rows.
    fileprivate func selection(_ path: String) throws -> ResultStatement {
      let encoded = try #require(path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
      let url = try #require(URL(string: "http://localhost/rest/v1" + encoded))
      let target = RequestTarget(url)
      let name = QualifiedName(schema: "public", target.path.last ?? "")
      let exchange = try PostgRESTExchange(
        endpoint, HTTP.Request(.get, url, fields: ["Prefer": "count=exact"]), target, name: name,
        role: .service,
        isCall: false)
      let table = try #require(exchange.catalogue.tables[name])
      return try endpoint.selection(exchange, from: table).statement
    }
  }
#endif
