import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The server of this package as a test has it: routes, and a log of all requests and a plan for faults before them.
///
/// It runs in a process of its own, `benchmarks serve`, so that its memory is its own.
enum UnderstudyPeer {
  static func run(port: UInt16) async throws {
    let router = StubBackend {
      Stub(.get, "/health") { _ in HTTP.Response(status: 204) }
      Stub(.post, "/todos") { _ in HTTP.Response(status: 201) }
      Stub(.get, "/todos/{id}") { _ in
        HTTP.Response(status: 200, body: Payload.json, contentType: "application/json")
      }
    }
    let server = try await MockServer(router, by: .log(CallLog()), .faults(FaultPlan()), port: port)
    // The benchmark says by the end of this input that it is over, also when it was interrupted.
    while readLine() != nil {}
    await server.close(grace: .zero)
  }

  static func peer(_ folder: URL) throws -> Peer {
    guard let program = Bundle.main.executableURL else { throw Missing("the path of this program") }
    return Peer(name: "Understudy", program: program) { ["serve", "\($0)"] }
  }
}

/// What every server answers with.
enum Payload {
  static let path = "/todos/1"
  /// 1,024 bytes.
  static let json = Data(text.utf8)
  static let text: String = {
    let (head, tail) = (#"{"id":1,"title":""#, #"","isDone":false}"#)
    return head + String(repeating: "a", count: 1_024 - head.utf8.count - tail.utf8.count) + tail
  }()
}
