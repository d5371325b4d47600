import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Recording and replaying app code that has its own session.
@Suite(.stallLimit()) struct RecordedSessionTests {
  private func use(_ session: URLSession) async throws -> [String] {
    var answers: [String] = []
    for (method, body) in [("GET", nil), ("POST", "{\"title\":\"Milk\"}"), ("GET", nil)]
      as [(String, String?)]
    {
      let url = try #require(URL(string: "https://todo.test/items"))
      var request = URLRequest(url: url)
      request.httpMethod = method
      let (data, response): (Data, URLResponse)
      if let body {
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        (data, response) = try await session.upload(for: request, from: Data(body.utf8))
      } else {
        (data, response) = try await session.data(for: request)
      }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      answers.append("\(status) \(String(decoding: data, as: UTF8.self))")
    }
    return answers
  }

  @Test func aRecordingIsReplayed() async throws {
    let backend = Handler { request in
      guard let body = request.body else {
        return HTTP.Response(
          status: 200, fields: ["Content-Type": "application/json"],
          body: HTTP.Body(chunks: [Data("[".utf8), Data("]".utf8)]))
      }
      return HTTP.Response(status: 201, body: body, contentType: "application/json")
    }
    let recorder = RecordingTransport(around: InProcessTransport(to: backend))
    let live = try await use(URLSession(configuration: .over(recorder)))
    #expect(live == ["200 []", "201 {\"title\":\"Milk\"}", "200 []"])
    #expect(recorder.recording.log.entries.count == 3)
    let replay = ReplayingTransport(recorder.recording)
    #expect(try await use(URLSession(configuration: .over(replay))) == live)
  }
}
