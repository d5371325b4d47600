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

  /// `storage-error.ts`: an error of a client has status 400, and the body has the actual one as a text.
  @Test(arguments: [
    (Fault.unauthorized, 401, "401", "InvalidJWT"), (.forbidden, 400, "403", "AccessDenied"),
    (.notFound, 400, "404", "NoSuchKey"), (.conflict, 400, "409", "ResourceAlreadyExists"),
    (.rateLimited(retryAfter: nil), 429, "429", "SlowDown"), (.serverError, 500, "500", "InternalError"),
    (.unavailable, 503, "503", "DatabaseError"), (.gatewayTimeout, 504, "504", "DatabaseTimeout"),
  ])
  func refusalsUnderStorageHaveTheFormOfStorage(
    _ fault: Fault, _ status: Int, _ written: String, _ code: String
  ) async throws {
    let (response, body) = try await answer(to: fault, "/storage/v1/object/list/photos")
    #expect((response.status, response.fields["Proxy-Status"]) == (status, nil))
    let json = try JSONValue(parsing: body)
    #expect(json["statusCode"]?.stringValue == written)
    #expect(json["code"]?.stringValue == code)
    #expect(json["error"]?.stringValue != nil && json["message"]?.stringValue != nil)
  }

  /// Clients look at `x-relay-error` before the status, and at `sb-error-code` to distinguish the platform from the function.
  @Test(arguments: [
    (Fault.unauthorized, 401, "UNAUTHORIZED_INVALID_JWT", true), (.notFound, 404, "NOT_FOUND", false),
    (.conflict, 409, "CONFLICT", false), (.rateLimited(retryAfter: .seconds(2)), 429, "RATE_LIMIT", true),
    (.serverError, 500, "EDGE_FUNCTION_ERROR", true), (.unavailable, 503, "BOOT_ERROR", true),
    (.gatewayTimeout, 504, "IDLE_TIMEOUT", true),
  ])
  func refusalsUnderFunctionsHaveTheFormOfThePlatformOrOfAFunction(
    _ fault: Fault, _ status: Int, _ code: String, _ isOfPlatform: Bool
  ) async throws {
    let (response, body) = try await answer(to: fault, "/functions/v1/send-message")
    #expect(response.status == status)
    #expect(response.fields["sb-error-code"] == (isOfPlatform ? code : nil))
    #expect(response.fields["x-relay-error"] == (status >= 500 ? "true" : nil))
    #expect(try JSONValue(parsing: body)["code"]?.stringValue == code)
  }

  /// A status without a named fault has the code that the service uses for any status, and one with such a fault its body.
  @Test(arguments: [
    (418, "/rest/v1/items", "code", "PT418"), (500, "/rest/v1/items", "code", "57014"),
    (418, "/auth/v1/token", "error_code", "unknown"), (404, "/auth/v1/token", "error_code", "user_not_found"),
    (418, "/storage/v1/bucket", "statusCode", "418"), (501, "/storage/v1/bucket", "code", "InternalError"),
    (418, "/functions/v1/x", "message", "I'm a teapot"), (546, "/functions/v1/x", "code", "WORKER_LIMIT"),
  ])
  func aStatusHasTheFormOfTheEndpoint(
    _ status: Int, _ path: String, _ member: String, _ value: String
  ) async throws {
    let (response, body) = try await answer(to: .status(status), path)
    #expect(response.status == status)
    #expect(try JSONValue(parsing: body)[member]?.stringValue == value)
    #expect(response.fields["x-relay-error"] == (status == 546 ? "true" : nil))
  }

  /// Storage sends 400 for most errors of a client, but a test asked for this status.
  @Test func aStatusIsSentAsItIsWritten() async throws {
    let (response, body) = try await answer(to: .status(404), "/storage/v1/bucket")
    #expect(response.status == 404)
    #expect(try JSONValue(parsing: body)["code"]?.stringValue == "NoSuchKey")
    #expect(try await answer(to: .status(418, body: Data()), "/rest/v1/items").body.isEmpty)
    let success = try await answer(to: .status(204), "/rest/v1/items")
    #expect(success.response.status == 204 && success.body.isEmpty)
  }

  /// No service sends them, so their body does not depend on the endpoint: JSON of Kong, and a text of Cloudflare.
  @Test(arguments: ["/rest/v1/items", "/auth/v1/token", "/storage/v1/bucket", "/functions/v1/x"])
  func aStatusOfTheGatewayHasItsBody(_ path: String) async throws {
    let (response, body) = try await answer(to: .status(502), path)
    #expect((response.status, response.fields["Proxy-Status"]) == (502, nil))
    #expect(
      try JSONValue(parsing: body)["message"]?.stringValue
        == "An invalid response was received from the upstream server")
    for status in [520, 524, 530] {
      let (response, body) = try await answer(to: .status(status), path)
      #expect(response.status == status)
      #expect(response.fields["Content-Type"] == "text/plain; charset=UTF-8")
      #expect(String(decoding: body, as: UTF8.self) == "error code: \(status)")
    }
  }

  /// The form does not depend on where the fault is injected: before a transport, or at a handler or its socket.
  @Test(arguments: [
    ("/auth/v1/user", "error_code"), ("/storage/v1/bucket", "statusCode"), ("/functions/v1/x", "message"),
    ("/rest/v1/items", "hint"),
  ])
  func theFormIsThatOfTheEndpointAtEveryInjectionPoint(_ path: String, _ member: String) async throws {
    let emulator = try TodoProject().emulator
    let request = HTTP.Request(.get, try #require(URL(string: "http://localhost\(path)")))
    let atHandler = Intercepted(emulator, by: .faults(.on(.any, .serverError)))
    let atTransport = Intercepted(
      InProcessTransport(to: emulator), by: .faults(.on(.any, .serverError)))
    for response in [
      try await atHandler.respond(to: request), try await atHandler.respondOnWire(to: request),
      try await atTransport.send(request),
    ] {
      #expect(response.status == 500)
      #expect(try JSONValue(parsing: try await response.body.collect())[member] != nil)
    }
  }
}
