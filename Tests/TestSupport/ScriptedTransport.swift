import Understudy
package import UnderstudyHTTP

/// A transport that answers each request with a closure, and records the requests.
package final class ScriptedTransport: HTTPTransport {
  private let answer: @Sendable (HTTP.Request, Int) async throws -> HTTP.Response
  private let received = Locked<[HTTP.Request]>([])

  package init(_ answer: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response) {
    self.answer = { request, _ in try await answer(request) }
  }

  /// - Parameter answer: Also receives the number of the request, from 0.
  package init(numbering answer: @escaping @Sendable (HTTP.Request, Int) async throws -> HTTP.Response) {
    self.answer = answer
  }

  /// The same answer to every request.
  package convenience init(_ response: HTTP.Response) {
    self.init { _ in response }
  }

  /// Never answers; opens a latch at the request, and one at its cancellation.
  package static func waiting(_ received: Latch, cancelled: Latch) -> ScriptedTransport {
    ScriptedTransport { _ in
      received.open()
      await Latch().wait()
      cancelled.open()
      throw TransportError(.cancelled, "The transport was cancelled.")
    }
  }

  package var requests: [HTTP.Request] { received.withLock { $0 } }

  package func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let number = received.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    do { return try await answer(request, number) } catch { throw TransportError(wrapping: error) }
  }
}
