import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// The HTTP answer for a fault that rejects a request.
@Suite(.stallLimit()) struct HTTPErrorStyleTests {
  static let refusals: [(fault: Fault, status: Int, title: String)] = [
    (.unauthorized, 401, "Unauthorized"), (.forbidden, 403, "Forbidden"), (.notFound, 404, "Not Found"),
    (.notAcceptable, 406, "Not Acceptable"), (.conflict, 409, "Conflict"),
    (.unprocessable, 422, "Unprocessable Content"), (.rateLimited(retryAfter: nil), 429, "Too Many Requests"),
    (.serverError, 500, "Internal Server Error"), (.unavailable, 503, "Service Unavailable"),
    (.gatewayTimeout, 504, "Gateway Timeout"),
  ]

  /// A backend with a custom style.
  struct Shop: HTTPHandler {
    var errorStyle: HTTPErrorStyle

    func respond(to request: HTTP.Request) async throws -> HTTP.Response { HTTP.Response(status: 200) }
  }

  static func request(_ path: String = "/todos") throws -> HTTP.Request {
    HTTP.Request(.post, try #require(URL(string: "http://shop.test\(path)")))
  }

  static func answer(
    to fault: Fault, of handler: some HTTPHandler, path: String = "/todos"
  ) async throws -> (response: HTTP.Response, text: String) {
    let transport = InProcessTransport(to: Intercepted(handler, by: .faults(.on(.any, fault))))
    let (data, response) = try await transport.data(for: request(path))
    return (response, String(decoding: data, as: UTF8.self))
  }

  @Test(arguments: refusals)
  func theDefaultIsProblemDetails(_ row: (fault: Fault, status: Int, title: String)) async throws {
    let (response, text) = try await Self.answer(to: row.fault, of: Backend())
    #expect(response.status == row.status)
    #expect(response.fields["Content-Type"] == "application/problem+json")
    #expect(text == #"{"title":"\#(row.title)","status":\#(row.status)}"#)
    // RFC 9110 §15.5.2.
    #expect(response.fields["WWW-Authenticate"] == (row.status == 401 ? "Bearer" : nil))
    #expect(response.fields["Retry-After"] == nil)
    #expect(Fault.Symptom(refusal: response) == row.fault.symptom)
  }

  /// Catches a style that is lost between a handler and its transport, or behind interceptors.
  @Test func aCustomStyleAppliesBeforeInterceptorsAndTransports() async throws {
    let style = HTTPErrorStyle { rejected in try .json(["error": rejected.title], status: rejected.status) }
    let shop = Shop(errorStyle: style)
    let (response, text) = try await Self.answer(to: .conflict, of: Intercepted(shop))
    #expect(response.status == 409)
    #expect(text == #"{"error":"Conflict"}"#)
    let transport = Intercepted(InProcessTransport(to: shop), by: .faults(.on(.any, .conflict)))
    let (data, answer) = try await transport.data(for: Self.request())
    #expect(answer.status == 409)
    #expect(String(decoding: data, as: UTF8.self) == #"{"error":"Conflict"}"#)
    let session = Intercepted(URLSessionTransport().withErrorStyle(style), by: .faults(.on(.any, .notFound)))
    #expect(
      String(decoding: try await session.data(for: Self.request()).0, as: UTF8.self)
        == #"{"error":"Not Found"}"#)
  }

  @Test func aStyleMayDependOnTheRequest() async throws {
    let style = HTTPErrorStyle { rejected in
      HTTP.Response(status: rejected.status, fields: ["X-Path": rejected.request?.url.path() ?? "none"])
    }
    let response = try await Self.answer(to: .conflict, of: Shop(errorStyle: style), path: "/a").response
    #expect(response.fields["X-Path"] == "/a")
    #expect(Fault.conflict.response(in: style)?.fields["X-Path"] == "none")
    #expect(Fault.conflict.response(in: style, to: try Self.request("/b"))?.fields["X-Path"] == "/b")
  }

  @Test func aStyleThatFailsIsProblemDetails() async throws {
    struct Broken: Error {}
    let (response, text) = try await Self.answer(
      to: .unavailable, of: Shop(errorStyle: HTTPErrorStyle { _ in throw Broken() }))
    #expect(response.status == 503)
    #expect(text == #"{"title":"Service Unavailable","status":503}"#)
  }

  @Test(arguments: [
    (Duration.seconds(30), "30"), (.milliseconds(1500), "2"), (.milliseconds(1), "1"), (.zero, "0"),
  ])
  func aDelayIsRoundedUpToWholeSeconds(_ delay: Duration, _ seconds: String) async throws {
    let plain = HTTPErrorStyle { HTTP.Response(status: $0.status) }
    for style in [HTTPErrorStyle.problemDetails, plain] {
      let fault = Fault.rateLimited(retryAfter: delay)
      let response = try await Self.answer(to: fault, of: Shop(errorStyle: style)).response
      #expect(response.status == 429)
      #expect(response.fields["Retry-After"] == seconds)
      #expect(Fault.Symptom(refusal: response) == fault.symptom)
    }
  }

  @Test func aDelayThatAStyleWritesIsKept() async throws {
    let style = HTTPErrorStyle { HTTP.Response(status: $0.status, fields: ["Retry-After": "later"]) }
    let fault = Fault.rateLimited(retryAfter: .seconds(3))
    #expect(
      try await Self.answer(to: fault, of: Shop(errorStyle: style)).response.fields["Retry-After"] == "later")
  }

  /// Catches an empty body, a style that is not asked, and a status other than the requested one.
  @Test func anErrorWithoutABodyHasTheStyleOfTheBackend() async throws {
    let (teapot, text) = try await Self.answer(to: .status(418), of: Backend())
    #expect((teapot.status, text) == (418, #"{"title":"I'm a teapot","status":418}"#))
    let named = HTTPErrorStyle { rejected in
      if case .conflict = rejected.reason { return try .json("taken", status: 400) }
      return try .json(rejected.title, status: rejected.status)
    }
    let shop = Shop(errorStyle: named)
    for (status, body) in [(409, #""taken""#), (502, #""Bad Gateway""#), (599, #""""#)] {
      let (response, text) = try await Self.answer(to: .status(status), of: shop)
      #expect((response.status, text) == (status, body))
      #expect(Fault.status(status).symptom == Fault.status(status, body: Data("a".utf8)).symptom)
    }
    for fault in [
      Fault.status(204), .status(302), .status(418, fields: ["A": "b"]), .status(418, body: Data()),
    ] {
      #expect(try await Self.answer(to: fault, of: shop).text == "")
    }
  }

  @Test func aFaultIsAnAnswerOrAnErrorOfATransport() {
    for fault in Fault.all(of: .webSocket) + Fault.all(of: .stream) {
      #expect(fault.response(in: .problemDetails) == nil || fault.transportError == nil, "\(fault)")
    }
    for (fault, status, _) in Self.refusals {
      #expect(fault.response(in: .problemDetails)?.status == status)
    }
    #expect(Fault.status(418, body: Data("tea".utf8)).response(in: .problemDetails)?.status == 418)
    #expect(Fault.offline.transportError?.code == .offline)
    #expect(Fault.answerLost.transportError?.code == .timedOut)
    #expect(Fault.unreadableAnswer.transportError == nil)
  }
}
