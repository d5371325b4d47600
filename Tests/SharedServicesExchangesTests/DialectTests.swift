import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import Testing
import UnderstudyRecording

/// The emulator answers each exchange as the document says.
struct DialectTests {
  @Test(arguments: try Documents.exchanges)
  func honours(_ exchange: Exchange) async throws {
    let time = ManualTime(.jumping)
    let backend = DocumentedBackend(seed: 1, time: time.time)
    var values: [String: String] = [:]
    for condition in exchange.conditions { values = try backend.bringAbout(condition) }
    let server = try #require(URL(string: "http://emulator.invalid"))
    let request = try exchange.request.request(to: server, filling: values)
    let response = try await InProcessTransport(to: backend, time: time.time).send(request)
    let (body, ending) = await Self.read(response.body)
    #expect(exchange.response.differences(from: response, body: body) == [])
    #expect(ending == exchange.response.ending)
    #expect(backend.complaint == nil)
  }

  /// What came of a body, and how it ended; `nil` for an end that no document can describe.
  static func read(_ body: HTTPBody) async -> (Data, ExchangeResponse.Ending?) {
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
