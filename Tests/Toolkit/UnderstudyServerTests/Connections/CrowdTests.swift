import Dispatch
import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// A valid client that is served correctly beside many invalid ones.
@Suite(.stallLimit()) struct CrowdTests {
  /// What an invalid client sends before the connection ends.
  static let rubbish: [String] = [
    "", "G", "GET / HTTP/1.1\r\nHost: a\r\n", "\u{16}\u{3}\u{1}\u{2}", get() + get() + get(),
    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n",
    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc",
    "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    "GET /\(String(repeating: "a", count: 20_000))", get("/forever"),
    "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
  ]

  @Test func aGoodClientIsServedBesideAThousandBadOnes() async throws {
    let server = try await MockServer(
      Handler { request in
        if request.url.path() == "/forever" { await Latch().wait() }
        return text(request.url.path())
      })
    let network = try RawClient.Network()
    let good = try await RawClient.connect(to: server.port)
    let rest = Locked<[RawClient]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<10 {
        group.addTask {
          for number in 0..<100 {
            let client = try await RawClient.connect(to: server.port, on: network)
            try? await client.send(Self.rubbish[(worker + number) % Self.rubbish.count])
            switch number % 4 {
            case 0: client.socket.abort()
            case 1: await client.socket.close()
            case 2: client.socket.endWriting()
            default: rest.withLock { $0.append(client) }
            }
          }
        }
      }
      for number in 1...200 {
        #expect(try await good.exchange(get("/\(number)")).body == "/\(number)")
      }
      try await group.waitForAll()
    }
    #expect(try await good.exchange(get("/after")).body == "/after")
    // Disconnected clients and their handlers have ended; the others are closed with the server.
    for client in rest.withLock({ $0 }) { client.socket.abort() }
    await server.close()
    #expect(server.connections.isEmpty)
  }

  /// Catches an ended connection that is kept in the server or in the system.
  @Test func endedConnectionsAreReleased() async throws {
    let ended = Locked(0)
    let server = try await MockServer(
      Handler { _ in
        defer { ended.withLock { $0 += 1 } }
        return text("")
      })
    let network = try RawClient.Network()
    for _ in 1...500 {
      let client = try await RawClient.connect(to: server.port, on: network)
      #expect(try await client.exchange(get("/", "Connection: close\r\n")).status == 200)
      #expect(try await client.ending() == ("", .closed))
    }
    // The last one's task may still be ending.
    #expect(server.connections.count <= 2)
    #expect(ended.withLock { $0 } == 500)
    await server.close()
    #expect(server.connections.isEmpty)
  }

  /// Catches a refused client that blocks the server by sending without a pause.
  @Test func aClientThatSendsWithoutPauseDoesNotBlockOthers() async throws {
    let server = try await MockServer(Handler.echo)
    let networks = [try RawClient.Network(), try RawClient.Network()]
    let floods = networks.map { network in
      network.task {
        let client = try await RawClient.connect(to: server.port, on: network)
        try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
        let block = [UInt8](repeating: 0, count: 1 << 20)
        while true { try await client.socket.write(block) }
      }
    }
    #expect(try await answersWhileBusy(of: server, untilCancelling: floods) == 50)
    for flood in floods { await flood.value }
    await server.close()
  }

  /// Catches a body that is always ready, and that blocks the server because its client always reads.
  @Test func anEndlessAnswerDoesNotBlockOthers() async throws {
    let server = try await MockServer(
      Handler { request in
        guard request.url.path() == "/endless" else { return text("") }
        return HTTP.Response(status: 200, body: HTTP.Body(unfolding: { Data(count: 1) }))
      })
    let network = try RawClient.Network()
    let reading = network.task {
      let reader = try await RawClient.connect(to: server.port, on: network)
      try await reader.send(get("/endless"))
      while try await reader.socket.read() != nil {}
    }
    #expect(try await answersWhileBusy(of: server, untilCancelling: [reading]) == 50)
    await reading.value
    await server.close(grace: .zero)
  }

  private static func block(signalling began: DispatchSemaphore, until mayGoOn: DispatchSemaphore) {
    began.signal()
    mayGoOn.wait()
  }

  /// Catches buffered requests that are answered without a pause.
  @Test func pipelinedRequestsDoNotBlockOthers() async throws {
    let (began, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = Locked(0)
    let countAtOther = Locked<Int?>(nil)
    let server = try await MockServer(
      Handler { request in
        switch request.url.path() {
        case "/other":
          countAtOther.withLock { $0 = count.withLock { $0 } }
        case "/first":
          // Blocks the thread of the server, so that it finds the other request while it answers the rest.
          Self.block(signalling: began, until: mayGoOn)
        default:
          count.withLock { $0 += 1 }
        }
        return text("")
      })
    let other = try await RawClient.connect(to: server.port)
    #expect(try await other.exchange(get()).status == 200)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get("/first") + String(repeating: get(), count: 300))
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        began.wait()
        continuation.resume()
      }
    }
    try await other.send(get("/other"))
    mayGoOn.signal()
    #expect(try await other.response().status == 200)
    #expect(try #require(countAtOther.withLock { $0 }) < 100)
    for _ in 0...300 { #expect(try await client.response().status == 200) }
    await server.close()
  }

  /// The number of fifty requests that are answered while other clients, which are then cancelled, keep a server busy.
  ///
  /// The requests are sent on a separate thread: while other tests occupy the threads of all tasks, the busy clients
  /// would otherwise have a processor each.
  private func answersWhileBusy(
    of server: MockServer<Handler>, untilCancelling busy: [Task<Void, Never>]
  ) async throws -> Int {
    let network = try RawClient.Network()
    let answers = Locked(0)
    await network.task {
      defer { for task in busy { task.cancel() } }
      let good = try await RawClient.connect(to: server.port, on: network)
      for _ in 1...50 where try await good.exchange(get()).status == 200 { answers.withLock { $0 += 1 } }
    }.value
    return answers.withLock { $0 }
  }

  @Test func itClosesWhileThousandsConnect() async throws {
    let reservation = try PortReservation(port: 0)
    let server = try await MockServer(Handler.echo, port: reservation.port)
    let network = try RawClient.Network()
    let served = Latch()
    let isServed = Locked(false)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          // A client that fails does not leave the server waiting.
          defer { served.open() }
          var count = 0
          while count < 3_000, let client = try? await RawClient.connect(to: server.port, on: network) {
            count += 1
            try? await client.send(get())
            guard count == 20 else { continue }
            isServed.withLock { $0 = true }
            served.open()
          }
        }
      }
      // On a separate thread, because the clients do not wait for the threads of all tasks.
      await network.task {
        await served.wait()
        await server.close(grace: .zero)
      }.value
      #expect(server.connections.isEmpty)
    }
    #expect(isServed.withLock { $0 }, "A client could not connect twenty times before the server closed.")
    await #expect(throws: SocketError.self) { try await RawClient.connect(to: server.port) }
    withExtendedLifetime(reservation) {}
  }
}
