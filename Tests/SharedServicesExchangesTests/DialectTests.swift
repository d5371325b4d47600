import Foundation
import SharedServices
import SharedServicesInMemory
import Testing
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyRecording
import UnderstudyTransport

/// The emulator answers each exchange as the document says.
struct DialectTests {
  @Test(arguments: try Documents.exchanges)
  func honours(_ exchange: Exchange) async throws {
    let time = ManualTime(.jumping)
    var backend = try DocumentedBackend(time: time.time)
    for condition in exchange.conditions {
      let isKnown = try backend.bringAbout(condition)
      #expect(
        isKnown,
        "Nobody knows how to bring about \"\(condition)\". Add it to DocumentedBackend, or correct the document."
      )
    }
    let server = try #require(URL(string: "http://emulator.invalid"))
    let request = try exchange.request.request(to: server, filling: backend.values)
    // Breaking a connection and falling silent is nothing that the dialect does: a fault of the plan does it.
    let handler = Intercepted(backend.emulator, by: .faults(backend.faults), time: time.time)
    let response = try await InProcessTransport(to: handler, time: time.time).send(request)
    let (body, ending) = await Self.read(response.body)
    #expect(exchange.response.differences(from: response, body: body) == [])
    #expect(ending == exchange.response.ending)
    #expect(backend.faults.complaint == nil)
  }

  /// What came of a body, and how it ended; `nil` for an end that no document can describe.
  private static func read(_ body: HTTPBody) async -> (Data, ExchangeResponse.Ending?) {
    var bytes = Data()
    do {
      for try await chunk in body { bytes.append(chunk) }
      return (bytes, .complete)
    } catch {
      switch (error as? TransportError)?.code {
      case .connectionLost: return (bytes, .dropped)
      case .timedOut: return (bytes, .timedOut)
      default: return (bytes, nil)
      }
    }
  }
}
