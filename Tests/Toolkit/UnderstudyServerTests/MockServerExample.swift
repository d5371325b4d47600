import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The code of MockServer's documentation.
struct MockServerExample {
  @Test func aServerInATest() async throws {
    let server = try await MockServer(StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } })
    let request = HTTP.Request(.get, server.url.appending(path: "todos"))
    let (data, response) = try await URLSessionTransport().data(for: request)
    await server.close()
    #expect(response.status == 200)
    #expect(String(decoding: data, as: UTF8.self) == #"["Milk"]"#)
  }

  @Test func faultsOfAServer() async throws {
    let backend = StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } }
    let log = CallLog<StubBackend>()
    let faulty = try await MockServer(
      backend, faults: .on(.get("/todos"), call: 2, .connectionLost), by: .log(log))
    let client = URLSessionTransport()
    let request = HTTP.Request(.get, faulty.url.appending(path: "todos"))
    #expect(try await client.data(for: request).1.status == 200)
    let error = await #expect(throws: TransportError.self) { try await client.data(for: request) }
    #expect(error?.code == .connectionLost)
    // The log also contains the requests that a fault kept from the backend.
    #expect(log.calls.count == 2)
    await faulty.close()
  }

  @Test func everyLineOfCodeInTheDocumentationIsCompiledHere() throws {
    let here = URL(filePath: #filePath)
    let source = try String(
      contentsOf: here.deletingLastPathComponent().appending(
        path: "../../../Sources/Toolkit/UnderstudyServer/MockServer.swift"), encoding: .utf8)
    let compiled = Set(try Self.lines(String(contentsOf: here, encoding: .utf8)))
    let comment = Self.lines(source).filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }
    let code = comment.joined(separator: "\n").components(separatedBy: "```").filter {
      $0.hasPrefix("swift\n")
    }
    .flatMap { Self.lines($0).dropFirst() }
    #expect(code.count >= 6)
    for line in code where !line.isEmpty {
      #expect(compiled.contains(line), "This line of MockServer's documentation is not in its example.")
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
