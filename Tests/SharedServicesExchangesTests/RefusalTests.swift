import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudySupabase

/// The refusals that the documents quote are those of the one table that the emulator and the faults take theirs from.
struct RefusalTests {
  /// What can be quoted.
  ///
  /// Policies hide a row's values from the user, so no refusal of PostgreSQL shows any.
  static let ofPostgREST: [PostgRESTError] = [
    PostgRESTError(
      code: "23505",
      message: PostgRESTError.duplicateKey(
        constraint: "children_user_id_name_key", columns: [], values: []
      ).message),
    .violatedCheck("children_age_check", table: "children", row: nil),
    .refusedByPolicy(table: "children"), .refusedByPolicy(table: "conversations"),
    .tokenExpired, .notSingular(rows: 0), .statementTimeout, .poolTimeout,
  ]
  static let ofAuth: [AuthAPIError] = [
    .invalidCredentials, .userBanned, .refreshTokenNotFound, .rateLimit(retryAfter: .seconds(30)),
  ]
  static let ofFunctions: [EdgeFunctionError] = [
    .unknownFunction, .invalidToken,
    // A function repeats what the database says.
    EdgeFunctionError(
      status: 500, code: PostgRESTError.statementTimeout.code,
      message: PostgRESTError.statementTimeout.message),
    // Only these words are the function's own.
    EdgeFunctionError(
      status: 404, code: PostgRESTError.notSingular(rows: 0).code, message: "There is no such conversation."),
  ]

  /// Those of the Supabase project; the message feed is no part of it.
  static var refusals: [Exchange] {
    get throws {
      try Documents.exchanges.filter {
        !(200..<300).contains($0.response.status) && !$0.request.path.hasPrefix("/sessions/")
      }
    }
  }

  @Test(arguments: try refusals)
  func isOfTheTable(_ exchange: Exchange) async throws {
    let path = exchange.request.path
    let candidates: [HTTPResponse] =
      if path.hasPrefix("/rest/") {
        Self.ofPostgREST.map { $0.response(isAuthenticated: true) }
      } else if path.hasPrefix("/auth/") {
        Self.ofAuth.map { $0.response(version: AuthAPIError.newerVersion) }
      } else {
        Self.ofFunctions.map(\.response)
      }
    var differences: [[String]] = []
    for candidate in candidates {
      let body = try await candidate.body.collect()
      differences.append(exchange.response.differences(from: candidate, body: body))
    }
    let nearest = differences.min { $0.count < $1.count }
    #expect(nearest == [], "No refusal of the table is the one that the document quotes.")
  }

  @Test func everyRefusalOfTheListsIsQuoted() throws {
    let codes = try Set(Self.refusals.compactMap { $0.response.body?["code"]?.stringValue })
    let listed = Self.ofPostgREST.map(\.code) + Self.ofAuth.map(\.code) + Self.ofFunctions.map(\.code)
    #expect(codes == Set(listed))
  }
}
