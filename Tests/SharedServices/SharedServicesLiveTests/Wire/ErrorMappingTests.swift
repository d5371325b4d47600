import Foundation
import SharedServices
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@testable import SharedServicesLive

/// What every failure on the wire becomes.
///
/// The answers are those of the services; the table is written by hand.
@Suite(.stallLimit()) struct ErrorMappingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: HTTP.Response
    let expected: AppError

    init(_ name: String, _ answer: HTTP.Response, _ expected: AppError) {
      (testDescription, self.answer, self.expected) = (name, answer, expected)
    }
  }

  private static func postgrest(_ code: String, _ message: String = "") -> HTTP.Response {
    PostgRESTError(code: code, message: message).response(isAuthenticated: true)
  }

  static let rows: [Row] = [
    Row(
      "unique",
      postgrest("23505", #"duplicate key value violates unique constraint "children_user_id_name_key""#),
      .network(.conflict)),
    Row("foreign key", postgrest("23503"), .network(.notFound)),
    Row(
      "check",
      postgrest("23514", #"new row for relation "children" violates check constraint "children_age_check""#),
      .validation(.outOfRange(field: "age"))),
    Row(
      "not null", postgrest("23502", #"null value in column "name" of relation "children" violates …"#),
      .validation(.missing(field: "name"))),
    Row("bad text", postgrest("22P02"), .validation(.malformed(field: nil))),
    Row(
      "refused by a policy",
      PostgRESTError.refusedByPolicy(table: "children").response(isAuthenticated: true),
      .network(.forbidden)),
    Row(
      "no table", PostgRESTError.unknownTable("children").response(isAuthenticated: true), .network(.notFound)
    ),
    Row("no single row", postgrest("PGRST116"), .network(.notFound)),
    Row("statement timeout", postgrest("57014"), .network(.serverError)),
    Row("pool timeout", postgrest("PGRST003"), .network(.serverError)),
    Row("database away", postgrest("PGRST001"), .network(.serverError)),
    Row(
      "html of a proxy", HTTP.Response(status: 502, body: Data("<html>".utf8), contentType: "text/html"),
      .network(.serverError)),
    Row("no body, 403", HTTP.Response(status: 403), .network(.forbidden)),
    Row("no body, 404", HTTP.Response(status: 404), .network(.notFound)),
    Row("no body, 408", HTTP.Response(status: 408), .network(.timeout)),
    Row("no body, 409", HTTP.Response(status: 409), .network(.conflict)),
    Row("no body, 422", HTTP.Response(status: 422), .validation(.malformed(field: nil))),
    Row("body of another kind, 409", .json("[1]", status: 409), .network(.conflict)),
    Row(
      "code in Proxy-Status only",
      HTTP.Response(status: 400, fields: ["Proxy-Status": "PostgREST; error=22P02"]),
      .validation(.malformed(field: nil))),
    Row(
      "code in x-sb-error-code only", HTTP.Response(status: 403, fields: ["x-sb-error-code": "user_banned"]),
      .authentication(.userBanned)),
    Row(
      "weak password", AuthAPIError.weakPassword.response(version: nil), .validation(.malformed(field: nil))),
    Row(
      "wait in seconds", HTTP.Response(status: 429, fields: ["Retry-After": "7"]),
      .network(.rateLimited(retryAfter: .seconds(7)))),
    Row(
      "wait until a date",
      HTTP.Response(status: 429, fields: ["Retry-After": "Thu, 01 Jan 2026 00:01:30 GMT"]),
      .network(.rateLimited(retryAfter: .seconds(90)))),
    Row(
      "wait for an unreadable time", HTTP.Response(status: 429, fields: ["Retry-After": "soon"]),
      .network(.rateLimited(retryAfter: nil))),
  ]

  @Test(arguments: rows) func refusals(_ row: Row) async throws {
    let bench = try await Bench.signedIn { _, _ in row.answer }
    let child = try Sample.newChild()
    #expect(
      await failure { () throws(AppError) in try await bench.children.createChild(child) } == row.expected)
  }

  @Test func theGatewayRefusesTheKey() async throws {
    let bench = try Bench(answersSignIn: false) { _, _ in GatewayError.invalidAPIKey.response }
    let thrown = await failure { () throws(AppError) in
      try await bench.auth.signIn(email: "a@b.c", password: "secret")
    }
    #expect(thrown == .network(.unauthorized))
  }

  @Test(arguments: [300, 400, 402, 418]) func aRefusalThatNoRuleForeseesIsUnknown(status: Int) async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: status) }
    let thrown = await failure { () throws(AppError) in
      try await bench.children.fetchChildren(userID: Sample.user)
    }
    guard case .unknown = thrown else {
      Issue.record("Expected .unknown, found \(String(describing: thrown)).")
      return
    }
  }

  @Test(arguments: [
    (TransportError.Code.cancelled, AppError.cancelled),
    (.timedOut, .network(.timeout)),
    (.offline, .network(.noConnection)),
    (.hostNotFound, .network(.noConnection)),
    (.connectionRefused, .network(.noConnection)),
    (.untrusted, .network(.noConnection)),
    (.connectionLost, .network(.connectionLost)),
    (.unreadableResponse, .network(.unreadableAnswer)),
    (.tooManyRedirects, .network(.unreadableAnswer)),
    (.bodyTooLarge, .network(.unreadableAnswer)),
  ]) func transportErrors(code: TransportError.Code, expected: AppError) async throws {
    let bench = try await Bench.signedIn { _, _ in throw TransportError(code, "broken") }
    #expect(
      await failure { () throws(AppError) in try await bench.children.deleteChild(id: Sample.childID) }
        == expected)
  }

  @Test(arguments: [TransportError.Code.unknown, .invalidRequest]) func otherTransportErrors(
    code: TransportError.Code
  ) {
    guard case .unknown(let inside) = AppError(TransportError(code, "x")) else {
      Issue.record("Expected .unknown for \(code).")
      return
    }
    #expect((inside as? TransportError)?.code == code)
  }
}
