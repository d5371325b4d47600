import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

extension Benchmark {
  static let replay = Benchmark(
    "replay", "Answering the last request of a recording, whose number of entries must not matter."
  ) { extent in
    let (small, large) = (extent.size(10_000, short: 500), extent.size(100_000, short: 5_000))
    return try await withTemporaryFolder { folder in
      let (few, byHand) = try transports(entries: small, in: folder)
      let (many, _) = try transports(entries: large, in: folder)
      return try await extent.rounds(5) {
        let (figure, other) = (
          try await microseconds(few, entry: small - 1), try await microseconds(many, entry: large - 1)
        )
        let peer = ("a dictionary of responses", try await microseconds(byHand, entry: small - 1))
        return [
          Row("last of \(small) entries", figure, .microseconds, aim: 5),
          Row("last of \(small) entries, beside a stub", figure, .microseconds, beside: peer),
          Row("last of \(large) entries", other, .microseconds, beside: ("last of \(small)", figure), aim: 2),
        ]
      }
    }
  }

  /// A stub as tests without this package write it.
  private struct Stub: HTTPTransport {
    let responses: [String: HTTP.Response]

    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      guard let response = responses["\(request.method) \(request.url.absoluteString)"] else {
        throw TransportError(.invalidRequest, "\(request.url)")
      }
      return response
    }
  }

  /// A replay of a recording, and a stub with as many responses.
  private static func transports(
    entries count: Int, in folder: URL
  ) throws -> (replay: any HTTPTransport, byHand: any HTTPTransport) {
    let file = folder.appending(path: "\(count).har")
    try SyntheticArchive.write(to: file, entries: count, seed: 1)
    let archive = try IndexedArchive(contentsOf: file)
    var responses: [String: HTTP.Response] = [:]
    for number in 0..<count {
      let request = try SyntheticArchive.request(number)
      responses["\(request.method) \(request.url.absoluteString)"] = HTTP.Response(status: 200)
    }
    return (ReplayingTransport(archive, repetition: .repeatsLast), Stub(responses: responses))
  }

  /// The time of a request, of many.
  private static func microseconds(_ transport: any HTTPTransport, entry: Int) async throws -> Double {
    let request = try SyntheticArchive.request(entry)
    let time = try await processorTime {
      for _ in 0..<1_000 {
        let status = try await transport.send(request).status
        guard status == 200 else { throw CommandError("Entry \(entry) has the status \(status).") }
      }
    }
    return time / .microseconds(1_000)
  }
}
