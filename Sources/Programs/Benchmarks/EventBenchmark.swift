import Foundation
import UnderstudyConsole
import UnderstudyHTTP

extension Benchmark {
  static let events = Benchmark(
    "events", "Reading server-sent events of 80 bytes, beside a scan for line ends that makes the strings."
  ) { extent in
    let count = extent.size(200_000, short: 20_000)
    var text = ""
    for number in 0..<count {
      let head = #"data: {"text":"\#(number) "#
      let tail = #"","isDone":false}"# + "\n\n"
      text += head + String(repeating: "a", count: max(0, 80 - head.utf8.count - tail.utf8.count)) + tail
    }
    let bytes = Data(text.utf8)
    // A typical size of a connection's chunks.
    let chunks = stride(from: 0, to: bytes.count, by: 64 << 10).map { start in
      Data(bytes[start..<min(start + (64 << 10), bytes.count)])
    }
    let body = HTTP.Body(chunks: chunks)
    func rate(_ read: () async throws -> Int) async throws -> Double {
      var found = 0
      let time = try await processorTime { found = try await read() }
      guard found == count else { throw CommandError("\(found) of \(count) events were read.") }
      return Double(bytes.count) / (time / .microseconds(1))
    }
    return try await extent.rounds(15, short: 5) {
      let plain = ("newline scan", try await rate { scan(bytes) })
      return [
        Row("parser", try await rate { try parse(chunks) }, .megabytesPerSecond, beside: plain, aim: 0.4),
        Row(
          "body.serverSentEvents",
          try await rate {
            try await body.serverSentEvents.reduce(0) { count, event in count + min(1, event.data.utf8.count)
            }
          }, .megabytesPerSecond, beside: plain, aim: 0.25),
      ]
    }
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
