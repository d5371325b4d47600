import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The responses of the emulator of Supabase for neutral faults.
@Suite(.stallLimit()) struct SupabaseErrorStyleTests {
  private func answer(
    to fault: Fault, _ path: String, fields: HTTP.Fields = [:]
  ) async throws -> (response: HTTP.Response, body: Data) {
    let emulator = Intercepted(try TodoProject().emulator, by: .faults(.on(.any, fault)))
    let url = try #require(URL(string: "http://localhost\(path)"))
    let (data, response) = try await InProcessTransport(to: emulator).data(
      for: HTTP.Request(.post, url, fields: fields))
    return (response, data)
  }

  @Test(arguments: [
    (Fault.unauthorized, 401, "PGRST303"), (.forbidden, 403, "42501"), (.notFound, 404, "PGRST205"),
    (.notAcceptable, 406, "PGRST116"), (.conflict, 409, "23505"), (.unprocessable, 422, "PT422"),
    (.serverError, 500, "57014"), (.unavailable, 503, "PGRST001"), (.gatewayTimeout, 504, "PGRST003"),
    (.rateLimited(retryAfter: nil), 429, "PT429"),
  ])
  func aRefusalHasTheStatusAndTheCodeOfPostgREST(_ fault: Fault, _ status: Int, _ code: String) async throws {
    let (response, body) = try await answer(to: fault, "/rest/v1/items")
    #expect(response.status == status)
    #expect(response.fields["Proxy-Status"] == "PostgREST; error=\(code)")
    #expect(response.fields["Retry-After"] == nil)
    #expect(try JSONDecoder().decode(PostgRESTError.self, from: body).code == code)
  }

  @Test func aDelayIsWholeSecondsRoundedUp() async throws {
    let fault = Fault.rateLimited(retryAfter: .milliseconds(1500))
    let (response, body) = try await answer(to: fault, "/rest/v1/items")
    #expect(response.status == 429)
    #expect(response.fields["Retry-After"] == "2")
    #expect(response.fields["Proxy-Status"] == "PostgREST; error=PT429")
    #expect(try JSONDecoder().decode(PostgRESTError.self, from: body).code == "PT429")
    let signIn = try await answer(to: fault, "/auth/v1/token?grant_type=password").response
    #expect(signIn.fields["Retry-After"] == "2")
  }

  @Test(arguments: [
    (Fault.unauthorized, 401, "no_authorization"), (.forbidden, 403, "not_admin"),
    (.notFound, 404, "user_not_found"), (.notAcceptable, 406, "unexpected_failure"),
    (.conflict, 409, "conflict"), (.unprocessable, 422, "validation_failed"),
    (.rateLimited(retryAfter: nil), 429, "over_request_rate_limit"),
    (.serverError, 500, "unexpected_failure"), (.unavailable, 503, "unexpected_failure"),
    (.gatewayTimeout, 504, "request_timeout"),
  ])
  func refusalsUnderAuthHaveTheFormOfAuth(_ fault: Fault, _ status: Int, _ code: String) async throws {
    let (response, body) = try await answer(to: fault, "/auth/v1/token?grant_type=password")
    #expect(response.status == status)
    #expect(response.fields["x-sb-error-code"] == code)
    let json = try JSONValue(parsing: body)
    #expect(json["error_code"]?.stringValue == code)
    let newer = try await answer(
      to: fault, "/auth/v1/token?grant_type=password", fields: ["X-Supabase-Api-Version": "2024-01-01"])
    #expect(try JSONValue(parsing: newer.body)["code"]?.stringValue == code)
  }
}
