import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The server of this package in a typical test setup: routes, a log of all requests and a fault plan.
///
/// It runs in a separate process, `benchmarks worker serve`, to measure its memory separately.
enum UnderstudyPeer {
  static func run(port: UInt16) async throws {
    let router = StubBackend {
      Stub(.get, "/health") { _ in HTTP.Response(status: 204) }
      Stub(.post, "/todos") { _ in HTTP.Response(status: 201) }
      Stub(.get, "/todos/{id}") { _ in
        HTTP.Response(status: 200, body: Payload.json, contentType: "application/json")
      }
    }
    let server = try await MockServer(
      router, by: .log(CallLog(keepingLast: 10_000)), .faults(FaultPlan()), port: port)
    // The end of this input means that the benchmark has ended, also after an interrupt.
    while readLine() != nil {}
    await server.close(grace: .zero)
  }

  static func peer() throws -> Peer {
    Peer(name: "Understudy", program: try Worker.program) { ["worker", "serve", "\($0)"] }
  }
}

/// The response of every server.
enum Payload {
  static let path = "/todos/1"
  /// 1,024 bytes.
  static let json = Data(text.utf8)
  static let text: String = {
    let (head, tail) = (#"{"id":1,"title":""#, #"","isDone":false}"#)
    return head + String(repeating: "a", count: 1_024 - head.utf8.count - tail.utf8.count) + tail
  }()
}
