package import UnderstudyHTTP

/// Answers by a closure.
package struct Handler: HTTPHandler {
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  package init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  package func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    try await answer(request)
  }
}

/// The code of what the work throws, or `nil`; `.unknown` for what is not a transport error.
package func code(of work: () async throws -> Void) async -> TransportError.Code? {
  do {
    try await work()
    return nil
  } catch {
    return (error as? TransportError)?.code ?? .unknown
  }
}
