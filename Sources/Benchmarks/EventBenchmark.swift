import Foundation
import UnderstudyHTTP

/// A benchmark of reading server-sent events of 80 bytes, compared with a minimal reader that finds line ends and
/// creates strings.
enum EventBenchmark {
  static let rounds = 15
  static let eventSize = 80
  static let events = 200_000
  /// A typical size of a connection's chunks.
  static let chunkSize = 64 << 10

  static func run() async throws -> [String] {
    var text = ""
    for number in 0..<events {
      let head = #"data: {"text":"\#(number) "#
      let tail = #"","isDone":false}"# + "\n\n"
      text +=
        head + String(repeating: "a", count: max(0, eventSize - head.utf8.count - tail.utf8.count)) + tail
    }
    let bytes = Data(text.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: chunkSize).map { start in
      Data(bytes[start..<min(start + chunkSize, bytes.count)])
    }
    let body = HTTP.Body(chunks: chunks)
    var measurements: [(Measurement, () async throws -> Int)] = [
      (Measurement(name: "newline scan that makes the strings"), { scan(bytes) }),
      (Measurement(name: "parser", atLeast: 500), { try parse(chunks) }),
      (
        Measurement(name: "body.serverSentEvents"),
        {
          try await body.serverSentEvents.reduce(0) { count, event in count + min(1, event.data.utf8.count) }
        }
      ),
    ]
    for _ in 0..<rounds {
      for index in measurements.indices {
        var count = 0
        let duration = try await ContinuousClock().measure { count = try await measurements[index].1() }
        guard count == events else { throw WrongCount(count: count) }
        measurements[index].0.figures.append(Double(bytes.count) / (duration / .microseconds(1)))
      }
    }
    return measurements.map(\.0.line)
  }

  struct WrongCount: Error {
    let count: Int
  }

  private static func scan(_ bytes: Data) -> Int {
    var count = 0
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start < bytes.count, let end = memchr(base + start, 0x0A, bytes.count - start) {
        let length = UnsafeRawPointer(end) - (base + start)
        if length > 0 {
          let line = String(
            decoding: UnsafeRawBufferPointer(start: base + start, count: length), as: UTF8.self)
          if !line.isEmpty { count += 1 }
        }
        start += length + 1
      }
    }
    return count
  }

  private static func parse(_ chunks: [Data]) throws -> Int {
    var parser = ServerSentEventParser()
    var count = 0
    for chunk in chunks {
      parser.append(chunk)
      while let event = try parser.next() {
        if !event.data.isEmpty { count += 1 }
      }
    }
    return count
  }
}
