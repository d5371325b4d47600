import Foundation
import Testing
import UnderstudyTransport

struct LiveWeather {
  let transport: any HTTPTransport

  func temperature(in city: URL) async throws(TransportError) -> Data {
    try await transport.data(for: HTTP.Request(.get, city, timeout: .seconds(10)), upTo: 1 << 20).0
  }
}

struct TransportExamples {
  private struct Thermometer: HTTPTransport {
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      HTTP.Response(
        status: 200, body: Data("21 in \(request.url.lastPathComponent)".utf8), contentType: "text/plain")
    }
  }

  @Test func aServiceNeedsTheTransportAlone() async throws {
    let weather = LiveWeather(transport: Thermometer())
    let city = try #require(URL(string: "https://weather.invalid/Oslo"))
    #expect(try await weather.temperature(in: city) == Data("21 in Oslo".utf8))
  }
}
