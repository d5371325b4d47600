import Testing
import UnderstudyTesting

@testable import SharedServices

/// What the codes of the backend mean to the app, one by one.
@Suite(.stallLimit()) struct RefusalTests {
  static let table: [(Refusal, AppError)] = [
    (
      refusal(400, "23514", #"relation "children" violates check constraint "children_age_check""#),
      outside("age")
    ),
    (
      refusal(
        400, "23514", #"relation "children" violates check constraint "children_temperament_talkative_check""#
      ),
      outside("temperament_talkative")
    ),
    // Constraints that do not have PostgreSQL's own kind of name, or no name at all.
    (
      refusal(400, "23514", #"relation "children" violates check constraint "adults_only""#), outside("value")
    ),
    (refusal(400, "23514", ""), outside("value")),
    (
      refusal(
        400, "23502", #"null value in column "name" of relation "children" violates not-null constraint"#),
      .validation(.missing(field: "name"))
    ),
    (refusal(400, "23502", ""), .validation(.missing(field: "value"))),
    (refusal(409, "23505"), .network(.conflict)),
    (refusal(409, "23503"), .network(.notFound)),
    (refusal(400, "22P02"), .validation(.malformed(field: nil))),
    (refusal(400, "22008"), .validation(.malformed(field: nil))),
    (refusal(400, "23P01"), .validation(.malformed(field: nil))),
    (refusal(403, "42501"), .network(.forbidden)),
    (refusal(401, "42501"), .network(.unauthorized)),
    (refusal(401, "PGRST301"), .network(.unauthorized)),
    (refusal(406, "PGRST116"), .network(.notFound)),
    (refusal(500, "57014"), .network(.serverError)),
    (refusal(400, "invalid_credentials"), .authentication(.invalidCredentials)),
    (refusal(403, "user_banned"), .authentication(.userBanned)),
    (refusal(403, "session_not_found"), .network(.unauthorized)),
    (refusal(400, "session_expired"), .network(.unauthorized)),
    (refusal(400, "refresh_token_not_found"), .network(.unauthorized)),
    (refusal(400, "refresh_token_already_used"), .network(.unauthorized)),
    (refusal(403, "bad_jwt"), .network(.unauthorized)),
    (refusal(422, "weak_password"), .validation(.malformed(field: nil))),
    (
      Refusal(status: 429, code: "over_request_rate_limit", message: "", retryAfter: .seconds(3)),
      .network(.rateLimited(retryAfter: .seconds(3)))
    ),
    (refusal(401, nil), .network(.unauthorized)),
    (refusal(403, nil), .network(.forbidden)),
    (refusal(404, nil), .network(.notFound)),
    (refusal(408, nil), .network(.timeout)),
    (refusal(409, nil), .network(.conflict)),
    (refusal(503, nil), .network(.serverError)),
    (refusal(599, nil), .network(.serverError)),
    (refusal(418, nil), .unknown(refusal(418, nil))),
    (refusal(300, "PGRST201"), .unknown(refusal(300, "PGRST201"))),
  ]

  @Test(arguments: table) func means(refusal: Refusal, expected: AppError) {
    #expect(AppError(refusal) == expected)
  }

  private static func refusal(_ status: Int, _ code: String?, _ message: String = "") -> Refusal {
    Refusal(status: status, code: code, message: message)
  }

  private static func outside(_ field: String) -> AppError {
    .validation(.outOfRange(field: field))
  }
}
