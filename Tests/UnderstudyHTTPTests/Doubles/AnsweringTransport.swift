import TestSupport
import Understudy
import UnderstudyHTTP

/// A transport that answers by a closure, and records the requests.
final class AnsweringTransport: HTTPTransport {
  private let answer: @Sendable (HTTP.Request) async throws(TransportError) -> HTTP.Response
  private let asked = Locked<[HTTP.Request]>([])

  init(_ answer: @escaping @Sendable (HTTP.Request) async throws(TransportError) -> HTTP.Response) {
    self.answer = answer
  }

  /// The same answer to every request.
  convenience init(_ response: HTTP.Response) {
    self.init { (_) throws(TransportError) in response }
  }

  var requests: [HTTP.Request] { asked.withLock { $0 } }

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    asked.withLock { $0.append(request) }
    return try await answer(request)
  }

  /// Never answers; opens a latch at the request, and one at its cancellation.
  static func waiting(_ asked: Latch, cancelled: Latch) -> AnsweringTransport {
    AnsweringTransport { (_) throws(TransportError) in
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw TransportError(.cancelled, "The transport was cancelled.")
    }
  }
}
