import Foundation
import UnderstudyRecording
import UnderstudyHTTP

/// A benchmark of recording per exchange, including finishing the file.
///
/// It is compared with writing the same number of bytes, and with vcrpy.
enum RecordingBenchmark {
  private static let sizes = [500, 5_000, 20_000]

  /// A backend that responds immediately, with a body of about 1.5 KB that sometimes contains a token.
  private struct Backend: HTTPTransport {
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

  static func run(rounds: Int) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recording-benchmark-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var lines: [String] = []
    for size in sizes {
      let requests = try (0..<size).map { try request($0) }
      var whole = Measurement(name: "\(size): recorded into a file and finished", aim: 50)
      var finishing = Measurement(name: "\(size): of that finishing")
      var writing = Measurement(name: "\(size): as many bytes in as many writes", places: 2)
      for round in 0..<rounds {
        let file = folder.appending(path: "\(size)-\(round).har")
        let start = ProcessorTime.now
        try await send(requests, over: Backend())
        let bare = ProcessorTime.now - start
        let recorder = try RecordingTransport(around: Backend(), into: file)
        try await send(requests, over: recorder)
        let recorded = ProcessorTime.now
        try recorder.finish()
        let finished = ProcessorTime.now
        let length = try Data(contentsOf: file).count
        let written = try measureWrites(of: length / size, count: size, to: folder.appending(path: "bytes"))
        whole.figures.append((finished - start - 2 * bare) / Double(size))
        finishing.figures.append((finished - recorded) / Double(size))
        writing.figures.append(written / Double(size))
        try FileManager.default.removeItem(at: file)
      }
      lines += [whole.line, finishing.line, writing.line]
    }
    var others = Measurement(name: "500: vcrpy, its cassette saved once at the end")
    others.figures = try (0..<rounds).map { _ in try VcrpyPeer.measure(500, in: folder) }
    return lines + [others.line]
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

  private static func measureWrites(of length: Int, count: Int, to file: URL) throws -> Double {
    let bytes = Data(repeating: UInt8(ascii: "x"), count: length)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    let start = ProcessorTime.now
    for _ in 0..<count { try handle.write(contentsOf: bytes) }
    return ProcessorTime.now - start
  }
}
