import Foundation
import TestSupport
import UnderstudyHTTP

extension Handler {
  /// Answers with the request: its method, its URL and its body.
  static let echo = Handler { request in
    let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? "no body"
    return text("\(request.method) \(request.url) \(body)")
  }

  /// Never answers; opens a latch at the request, and one at its cancellation.
  static func waiting(_ asked: Latch = Latch(), cancelled: Latch = Latch()) -> Handler {
    Handler { _ in
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw CancellationError()
    }
  }
}

func text(_ text: String, status: Int = 200) -> HTTP.Response {
  HTTP.Response(status: status, body: Data(text.utf8), contentType: "text/plain")
}

/// A request without a body.
func get(_ path: String = "/", _ fields: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}
