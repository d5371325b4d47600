import Foundation
import UnderstudyRecording
import UnderstudyHTTP

extension Benchmark {
  static let recording = Benchmark(
    "recording", "Recording an exchange of JSON into a file and finishing it, in processor time."
  ) { extent in
    try await withTemporaryFolder { folder in
      try await extent.rounds(5) {
        var rows: [Row] = []
        for size in extent.isShort ? [500] : [500, 5_000, 20_000] {
          let (recorded, written) = try await microseconds(size, in: folder)
          let name = "\(size) exchanges"
          rows.append(Row(name, recorded, .microseconds, aim: 50))
          rows.append(
            Row(
              "\(name), beside writes", recorded, .microseconds,
              beside: ("as many writes", written)))
          guard size == 500 else { continue }
          let peer = try await ifInstalled { try VcrpyPeer.measure(size, in: folder) }
          rows.append(
            Row("\(name), beside vcrpy", recorded, .microseconds, beside: "vcrpy, at the end", peer, aim: 1))
        }
        return rows
      }
    }
  }

  /// The processor time of recording an exchange, without those of sending it, and of plain writes.
  private static func microseconds(
    _ size: Int, in folder: URL
  ) async throws -> (recorded: Double, written: Double) {
    let requests = try (0..<size).map { try request($0) }
    let file = folder.appending(path: "recording.har")
    let bare = try await processorTime { try await send(requests, over: ImmediateBackend()) }
    let whole = try await processorTime {
      let recorder = try RecordingTransport(around: ImmediateBackend(), into: file)
      try await send(requests, over: recorder)
      try recorder.finish()
    }
    let length = try Data(contentsOf: file).count
    try FileManager.default.removeItem(at: file)
    let written = try await measureWrites(of: length / size, count: size, to: folder.appending(path: "bytes"))
    return ((whole - bare) / .microseconds(size), written / .microseconds(size))
  }

  private static func request(_ number: Int) throws -> HTTP.Request {
    guard let url = URL(string: "https://api.example/rest/v1/children?select=*&id=eq.\(number)") else {
      throw TransportError(.invalidRequest, "\(number)")
    }
    let text = String(repeating: "What was said, word for word. ", count: 40)
    return HTTP.Request(
      .post, url,
      fields: [
        "Authorization": "Bearer session-token-of-the-benchmark", "apikey": "project-key-of-the-benchmark",
        "Content-Type": "application/json", "Accept": "application/json", "X-Number": "\(number)",
      ], body: Data(#"{"number":\#(number),"text":"\#(text)"}"#.utf8))
  }

  private static func send(_ requests: [HTTP.Request], over transport: some HTTPTransport) async throws {
    for request in requests { _ = try await transport.data(for: request) }
  }

  private static func measureWrites(of length: Int, count: Int, to file: URL) async throws -> Duration {
    let bytes = Data(repeating: UInt8(ascii: "x"), count: length)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    return try await processorTime {
      for _ in 0..<count { try handle.write(contentsOf: bytes) }
    }
  }
}

/// A backend that responds immediately, with a body of about 1.5 KB that sometimes contains a token.
private struct ImmediateBackend: HTTPTransport {
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let number = request.fields["X-Number"].flatMap(Int.init) ?? 0
    let rows = (0..<10).map { row in
      """
      {"id":"a0000000-0000-4000-8000-\(100_000_000_000 + number * 10 + row)","name":"Mia \(row)","age":\(row),\
      "goals":["sleep","friends"],"created_at":"2026-01-03T12:00:00+00:00"}
      """
    }
    let token = number % 50 == 0 ? #","access_token":"token-\#(number)-of-the-session""# : ""
    return HTTP.Response(
      status: 200, body: Data(#"{"rows":[\#(rows.joined(separator: ","))]\#(token)}"#.utf8),
      contentType: "application/json")
  }
}
