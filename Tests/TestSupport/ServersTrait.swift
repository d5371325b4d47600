import Foundation
package import Testing
import Understudy
package import UnderstudyHTTP
import UnderstudyServer

/// The servers of a test, which end with it.
package struct ServersTrait: TestTrait, SuiteTrait, TestScoping {
  private final class Servers: Sendable {
    let ends = Locked<[@Sendable () async -> Void]>([])
  }

  @TaskLocal private static var running: Servers?

  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let servers = Servers()
    let result = await Self.$running.withValue(servers) {
      do { return Result<Void, any Error>.success(try await function()) } catch { return .failure(error) }
    }
    for end in servers.ends.withLock({ $0 }) { await end() }
    try result.get()
  }

  /// A server that runs until the test ends.
  package static func start(_ handler: some HTTPHandler) async throws -> Int {
    let server = try await MockServer(handler)
    try atEnd { await server.close(grace: .zero) }
    return server.port
  }

  /// Ends something when the test ends, however it ends.
  package static func atEnd(_ end: @escaping @Sendable () async -> Void) throws {
    let servers = try #require(running, "The suite lacks the trait .servers.")
    servers.ends.withLock { $0.append(end) }
  }
}

extension Trait where Self == ServersTrait {
  /// The test may start servers.
  package static var servers: Self { Self() }
}

/// Opens WebSockets to a handler behind a server, over real sockets.
package struct ServerTransport: WebSocketTransport {
  package let handler: any HTTPHandler
  private let client = URLSessionTransport()

  package init(handler: any HTTPHandler) {
    self.handler = handler
  }

  package func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    do {
      let handler = handler
      let port = try await ServersTrait.start(Handler { try await handler.respond(to: $0) })
      var request = request
      request.url = try #require(
        URL(string: request.url.absoluteString.replacing("server.test", with: "127.0.0.1:\(port)")))
      return try await client.connect(to: request)
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}
