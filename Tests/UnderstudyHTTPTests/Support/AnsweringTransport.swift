import TestSupport
import Understudy
import UnderstudyHTTP

/// Answers by a closure, and remembers what it was asked.
final class AnsweringTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  private let asked = Locked<[HTTPRequest]>([])

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse) {
    self.answer = answer
  }

  /// The same answer to every request.
  convenience init(_ response: HTTPResponse) {
    self.init { (_) throws(TransportError) in response }
  }

  var requests: [HTTPRequest] { asked.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    asked.withLock { $0.append(request) }
    return try await answer(request)
  }

  /// Never answers; tells when it was asked, and when it was cancelled.
  static func waiting(_ asked: Latch, cancelled: Latch) -> AnsweringTransport {
    AnsweringTransport { (_) throws(TransportError) in
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw TransportError(.cancelled, "The transport was cancelled.")
    }
  }
}
