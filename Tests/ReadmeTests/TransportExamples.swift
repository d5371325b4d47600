import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTransport

struct LiveWeather {
  let transport: any HTTPTransport

  func temperature(in city: URL) async throws(TransportError) -> Data {
    try await transport.data(for: HTTP.Request(.get, city, timeout: .seconds(10)), upTo: 1 << 20).0
  }
}

/// Why the weather is not shown.
enum WeatherError: Error {
  case cancelled, offline, timedOut, unavailable
}

extension WeatherError {
  init(_ error: TransportError) {
    self =
      switch error.code {
      case .cancelled: .cancelled
      case .offline, .hostNotFound, .connectionRefused: .offline
      case .timedOut: .timedOut
      default: .unavailable
      }
  }
}

struct LiveNews {
  let transport: any HTTPTransport & WebSocketTransport

  func headlines(from url: URL) async throws -> [String] {
    let response = try await transport.send(HTTP.Request(.get, url, fields: ["Accept": "text/event-stream"]))
    guard response.isSuccess else { return [] }
    var headlines: [String] = []
    for try await event in response.body.serverSentEvents where event.type == "headline" {
      headlines.append(event.data)
    }
    return headlines
  }

  func answer(to question: String, in room: URL) async throws(TransportError) -> WebSocketMessage? {
    let socket = try await transport.connect(to: HTTP.Request(.get, room))
    try await socket.send(.text(question))
    let answer = try await socket.receive()
    await socket.close(WebSocketClosure(.normalClosure, "Thank you"))
    return answer
  }
}

/// A newspaper that reports snow, and repeats each question.
struct Newspaper: HTTPHandler {
  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    guard request.url.path() == "/room" else {
      return HTTP.Response(
        status: 200, body: Data("event: headline\ndata: Snow in Oslo\n\n".utf8),
        contentType: "text/event-stream")
    }
    return .webSocket { socket in
      while let message = try await socket.receive() { try await socket.send(message) }
    }
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

  @Test(arguments: [
    (TransportError.Code.hostNotFound, WeatherError.offline), (.timedOut, .timedOut),
    (.untrusted, .unavailable),
  ])
  func aCodeBecomesAnErrorOfTheDomain(_ code: TransportError.Code, _ error: WeatherError) {
    #expect(WeatherError(TransportError(code, "A test.")) == error)
  }

  @Test func aServiceReadsEventsAndMessages() async throws {
    let news = LiveNews(transport: InProcessTransport(to: Newspaper()))
    let url = try #require(URL(string: "http://news.invalid"))
    #expect(try await news.headlines(from: url) == ["Snow in Oslo"])
    let room = url.appending(path: "room")
    #expect(try await news.answer(to: "Where?", in: room) == .text("Where?"))
  }
}
