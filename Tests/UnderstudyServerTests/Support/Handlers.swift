import Foundation
import UnderstudyTransport

/// Answers with a closure.
struct Answering: HTTPHandler {
  let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  func respond(to request: HTTPRequest) async throws -> HTTPResponse { try await answer(request) }

  /// Answers with what it was asked: the method, the URL, and the body.
  static let echo = Answering { request in
    let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? "no body"
    return text("\(request.method) \(request.url) \(body)")
  }
}

func text(_ text: String, status: Int = 200) -> HTTPResponse {
  HTTPResponse(status: status, body: Data(text.utf8), contentType: "text/plain")
}
