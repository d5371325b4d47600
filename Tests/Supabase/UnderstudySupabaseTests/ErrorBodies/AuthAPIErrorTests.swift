import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct AuthAPIErrorTests {
  private func text(_ response: HTTP.Response) async throws -> String {
    String(decoding: try await response.body.collect(), as: UTF8.self)
  }

  @Test(arguments: ["2024-01-01", "2025-06-30"]) func theNewerForm(version: String) async throws {
    let response = AuthAPIError.invalidCredentials.response(version: version)
    #expect(response.status == 400)
    #expect(response.fields["X-Supabase-Api-Version"] == "2024-01-01")
    #expect(response.fields["x-sb-error-code"] == "invalid_credentials")
    #expect(
      try await text(response) == #"{"code":"invalid_credentials","message":"Invalid login credentials"}"#)
  }

  @Test(arguments: [nil, "2023-12-31", ""]) func theLegacyForm(version: String?) async throws {
    let response = AuthAPIError.userIsBanned.response(version: version)
    #expect(response.status == 403)
    #expect(response.fields["X-Supabase-Api-Version"] == nil)
    #expect(response.fields["x-sb-error-code"] == "user_banned")
    #expect(try await text(response) == #"{"code":403,"error_code":"user_banned","msg":"User is banned"}"#)
  }

  @Test func everyErrorHasItsStatus() {
    let table: [(AuthAPIError, Int, String)] = [
      (.invalidCredentials, 400, "invalid_credentials"),
      (.refreshTokenNotFound, 400, "refresh_token_not_found"),
      (.refreshTokenAlreadyUsed, 400, "refresh_token_already_used"),
      (.sessionExpired, 400, "session_expired"),
      (.noAuthorization, 401, "no_authorization"), (.badToken, 403, "bad_jwt"),
      (.sessionNotFound, 403, "session_not_found"), (.userBanned, 400, "user_banned"),
      (.weakPassword, 422, "weak_password"), (.overRequestRateLimit, 429, "over_request_rate_limit"),
    ]
    for (error, status, code) in table {
      #expect(error.status == status)
      #expect(error.code == code)
    }
  }

  @Test func theGateway() async throws {
    #expect(GatewayError.missingAPIKey.response.status == 401)
    #expect(
      try await text(GatewayError.missingAPIKey.response) == """
        {"hint":"No `apikey` request header or url param was found.","message":"No API key found in request"}
        """)
    #expect(try await text(GatewayError.invalidAPIKey.response) == #"{"message":"Invalid API key"}"#)
  }

  @Test(arguments: [(Duration.seconds(Int64.max), "86400"), (.seconds(-5), "0"), (.milliseconds(1500), "2")])
  func everyDelayIsWholeSecondsFromZeroToADay(delay: Duration, written: String) {
    let error = AuthAPIError(status: 429, code: "over_request_rate_limit", message: "", retryAfter: delay)
    #expect(error.response(version: nil).fields["Retry-After"] == written)
  }
}
