import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// Failures to open a WebSocket over the network; `WebSocketContractTests` covers the rest.
@Suite(.stallLimit(), .servers) struct URLSessionWebSocketTests {
  func open(_ text: String) async throws -> TransportError? {
    let url = try #require(URL(string: text))
    do throws(TransportError) {
      _ = try await URLSessionTransport().connect(to: HTTP.Request(.get, url))
      return nil
    } catch {
      return error
    }
  }

  @Test func connectionFailuresHaveDifferentCodes() async throws {
    let port = try BoundPort()
    #expect(try await open("ws://127.0.0.1:\(port.port)/")?.code == .connectionRefused)
    #expect(try await open("ws://nowhere.invalid/")?.code == .hostNotFound)
    #expect(try await open("ftp://127.0.0.1/")?.code == .invalidRequest)
    let served = try await ServersTrait.start(Handler { _ in .webSocket { _ in } })
    #expect(try await open("ws://localhost:\(served)/") == nil)
  }

  #if !canImport(Darwin)
    @Test func withoutTLSThereIsNoSecureWebSocket() async throws {
      let error = try await open("wss://127.0.0.1/")
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("ws://") == true)
    }
  #endif

  @Test func aCancelledTaskOpensNothing() async throws {
    let asked = Locked(0)
    let port = try await ServersTrait.start(
      Handler { _ in
        asked.withLock { $0 += 1 }
        return .webSocket { _ in }
      })
    let opening = Task {
      for await _ in AsyncStream<Never>.makeStream().stream {}
      return try await open("ws://127.0.0.1:\(port)/")?.code
    }
    opening.cancel()
    #expect(try await opening.value == .cancelled)
    #expect(asked.withLock { $0 } == 0)
  }
}
