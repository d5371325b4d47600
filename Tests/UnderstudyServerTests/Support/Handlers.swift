import Foundation
import UnderstudyHTTP

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

  /// Never answers; tells when it was asked, and when it was cancelled.
  static func waiting(_ asked: Latch = Latch(), cancelled: Latch = Latch()) -> Answering {
    Answering { _ in
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw CancellationError()
    }
  }
}

func text(_ text: String, status: Int = 200) -> HTTPResponse {
  HTTPResponse(status: status, body: Data(text.utf8), contentType: "text/plain")
}

/// A request without a body.
func get(_ path: String = "/", _ fields: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}
