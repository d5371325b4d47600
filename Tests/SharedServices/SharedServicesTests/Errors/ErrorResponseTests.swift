import Testing
import UnderstudyTesting

@testable import SharedServices

/// What the codes of the backend mean to the app, one by one.
@Suite(.stallLimit()) struct ErrorResponseTests {
  static let table: [(ErrorResponse, AppError)] = [
    (
      response(400, "23514", #"relation "children" violates check constraint "children_age_check""#),
      outside("age")
    ),
    (
      response(
        400, "23514", #"relation "children" violates check constraint "children_temperament_talkative_check""#
      ),
      outside("temperament_talkative")
    ),
    // Constraints that do not have PostgreSQL's own kind of name, or no name at all.
    (
      response(400, "23514", #"relation "children" violates check constraint "adults_only""#),
      outside("value")
    ),
    (response(400, "23514", ""), outside("value")),
    (
      response(
        400, "23502", #"null value in column "name" of relation "children" violates not-null constraint"#),
      .validation(.missing(field: "name"))
    ),
    (response(400, "23502", ""), .validation(.missing(field: "value"))),
    (response(409, "23505"), .network(.conflict)),
    (response(409, "23503"), .network(.notFound)),
    (response(400, "22P02"), .validation(.malformed(field: nil))),
    (response(400, "22008"), .validation(.malformed(field: nil))),
    (response(400, "23P01"), .validation(.malformed(field: nil))),
    (response(403, "42501"), .network(.forbidden)),
    (response(401, "42501"), .network(.unauthorized)),
    (response(401, "PGRST301"), .network(.unauthorized)),
    (response(406, "PGRST116"), .network(.notFound)),
    (response(500, "57014"), .network(.serverError)),
    (response(400, "invalid_credentials"), .authentication(.invalidCredentials)),
    (response(403, "user_banned"), .authentication(.userBanned)),
    (response(403, "session_not_found"), .network(.unauthorized)),
    (response(400, "session_expired"), .network(.unauthorized)),
    (response(400, "refresh_token_not_found"), .network(.unauthorized)),
    (response(400, "refresh_token_already_used"), .network(.unauthorized)),
    (response(403, "bad_jwt"), .network(.unauthorized)),
    (response(422, "weak_password"), .validation(.malformed(field: nil))),
    (
      ErrorResponse(status: 429, code: "over_request_rate_limit", message: "", retryAfter: .seconds(3)),
      .network(.rateLimited(retryAfter: .seconds(3)))
    ),
    (response(401, nil), .network(.unauthorized)),
    (response(403, nil), .network(.forbidden)),
    (response(404, nil), .network(.notFound)),
    (response(408, nil), .network(.timeout)),
    (response(409, nil), .network(.conflict)),
    (response(503, nil), .network(.serverError)),
    (response(599, nil), .network(.serverError)),
    (response(418, nil), .unknown(response(418, nil))),
    (response(300, "PGRST201"), .unknown(response(300, "PGRST201"))),
  ]

  @Test(arguments: table) func means(response: ErrorResponse, expected: AppError) {
    #expect(AppError(response) == expected)
  }

  private static func response(_ status: Int, _ code: String?, _ message: String = "") -> ErrorResponse {
    ErrorResponse(status: status, code: code, message: message)
  }

  private static func outside(_ field: String) -> AppError {
    .validation(.outOfRange(field: field))
  }
}
