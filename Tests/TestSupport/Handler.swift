package import UnderstudyHTTP

/// A handler that answers by a closure.
package struct Handler: HTTPHandler {
  private let answer: @Sendable (HTTP.Request) async throws -> HTTP.Response

  package init(_ answer: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response) {
    self.answer = answer
  }

  package func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    try await answer(request)
  }
}

/// The code of the error that the work throws, or `nil`; `.unknown` for any other error than a transport error.
package func code(of work: () async throws -> Void) async -> TransportError.Code? {
  do {
    try await work()
    return nil
  } catch {
    return (error as? TransportError)?.code ?? .unknown
  }
}
