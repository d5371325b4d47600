import Foundation
import TestSupport
import Testing
import UnderstudyTesting

@testable import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sessions over transports are isolated from each other, whatever their number.
@Suite(.stallLimit()) struct SessionIsolationTests {
  private func numbered(_ number: Int, _ token: Latch.Opener? = nil) -> ScriptedTransport {
    ScriptedTransport { request in
      token?.touch()
      return HTTP.Response(
        status: 200, body: Data("\(number) \(request.url.path)".utf8), contentType: "text/plain")
    }
  }

  @Test func eachSessionUsesItsOwnTransport() async throws {
    let sessions = (0..<200).map { URLSession(configuration: .over(numbered($0))) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, session) in sessions.enumerated() {
        group.addTask {
          for path in ["/a", "/b", "/c"] {
            let url = try #require(URL(string: "http://same.test\(path)"))
            let (data, _) = try await session.data(for: URLRequest(url: url))
            #expect(String(decoding: data, as: UTF8.self) == "\(number) \(path)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func sessionsOfOneConfigurationShareItsTransport() async throws {
    let transport = numbered(1)
    let configuration = URLSessionConfiguration.over(transport)
    let url = try #require(URL(string: "https://one.test/"))
    for _ in 0..<2 { _ = try await URLSession(configuration: configuration).data(for: URLRequest(url: url)) }
    #expect(transport.requests.count == 2)
  }

  /// A session looks up its tasks without a lock, so an event on another queue crashes the process.
  @Test func oneSessionSupportsManyTasksAndCancellations() async throws {
    let chunks = (0..<8).map { Data("\($0)".utf8) }
    let session = URLSession(
      configuration: .over(ScriptedTransport(HTTP.Response(status: 200, body: HTTP.Body(chunks: chunks)))))
    let url = try #require(URL(string: "http://busy.test/"))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for number in 0..<Effort.times(30) {
            let task = Task { try await session.data(for: URLRequest(url: url)).0 }
            if number.isMultiple(of: 3) { task.cancel() }
            switch await task.result {
            case .success(let data): #expect(data == Data("01234567".utf8))
            case .failure(let error):
              #expect((error as? URLError)?.code == .cancelled && number.isMultiple(of: 3))
            }
          }
        }
      }
    }
  }

  // On Apple's platforms it stays.
  #if canImport(FoundationNetworking)
    @Test func aTransportIsReleasedWithTheLastSession() async throws {
      let gone = Latch()
      let url = try #require(URL(string: "http://a.test/"))
      func useSession() async throws {
        let session = URLSession(configuration: .over(numbered(1, gone.opener())))
        // The configuration has been released, but the session still has its transport.
        let (data, _) = try await session.data(for: URLRequest(url: url))
        #expect(data == Data("1 /".utf8))
        session.finishTasksAndInvalidate()
      }
      try await useSession()
      await gone.wait()
    }
  #endif

  @Test func slotsAreReused() {
    let content = URLProtocolSlot.Content(transport: numbered(0), fields: [:])
    var numbers: Set<Int> = []
    for _ in 0..<2_000 { numbers.insert(URLProtocolSlot(content).number) }
    // Other tests may allocate slots meanwhile.
    #expect(numbers.count < 1_000)
  }

  @Test func allocatedSlotsDiffer() {
    let content = URLProtocolSlot.Content(transport: numbered(0), fields: [:])
    let slots = (0..<1_000).map { _ in URLProtocolSlot(content) }
    #expect(Set(slots.map { ObjectIdentifier($0.protocolClass) }).count == slots.count)
  }
}
