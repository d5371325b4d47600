import Foundation
import TestSupport
import Testing

import Understudy
import UnderstudyTesting
@testable import UnderstudyHTTP

/// The ends of events, independent of the line terminators and the chunks.
@Suite(.stallLimit()) struct EventBlocksTests {
  static let streams: [(String, events: Int)] = [
    ("data: 1\n\ndata: 2\n\n", 2),
    ("data: 1\r\rdata: 2\r\r", 2),
    ("data: 1\r\n\r\ndata: 2\r\n\r\n", 2),
    ("\u{FEFF}data: 1\n\n: comment\n\nid: 7\n\ndata\n\ndatabase: 1\n\n", 2),
    ("\n\n\r\n\rdata:1\n\r\ndata: not ended\n", 1),
    ("event: x\ndata: 1\r\ndata: 2\rid: 1\n\n", 1),
    ("", 0),
  ]

  /// Catches a CRLF that counts as two line ends, also when it is split between chunks, and lost bytes.
  @Test(arguments: streams)
  func eventsDoNotDependOnTheChunks(_ text: String, _ events: Int) {
    let bytes = Data(text.utf8)
    for first in 0...bytes.count {
      for second in Effort.some(of: first...bytes.count, every: 3) {
        var parser = EventBlocks()
        var blocks = parser.append(Data(bytes[..<first]))
        blocks += parser.append(Data(bytes[first..<second])) + parser.append(Data(bytes[second...]))
        blocks += parser.finish()
        #expect(blocks.filter(\.isEvent).count == events, "cut at \(first) and \(second)")
        #expect(blocks.map(\.bytes).reduce(Data(), +) == bytes, "cut at \(first) and \(second)")
      }
    }
  }

  /// Catches a byte order mark that is treated as part of the first event, and moves with it.
  @Test func theByteOrderMarkStaysFirst() {
    var parser = EventBlocks()
    let blocks = parser.append(Data("\u{FEFF}data: 1\n\n".utf8))
    #expect(blocks.map(\.isEvent) == [false, true])
    #expect(blocks.last?.bytes == Data("data: 1\n\n".utf8))
  }

  @Test(arguments: [
    ("id: 1\ndata: 1\n\n", "id: 1\ndata: 1\n"), ("data: 1\r\n\r\n", "data: 1\r\n"),
    ("data: 1\r\r", "data: 1\r"), ("\n\ndata: 1\r\n\n", "\n\ndata: 1\r\n"),
  ])
  func anUnterminatedBlockLacksOnlyItsBlankLine(_ block: String, _ expected: String) {
    let unterminated = FramedBytes(bytes: Data(block.utf8), isEvent: true).unterminated
    #expect(String(decoding: unterminated.bytes, as: UTF8.self) == expected)
  }
}

/// Faults in streams that are not server-sent events.
@Suite(.stallLimit()) struct FramedStreamFaultTests {
  /// A backend whose body has three events, in chunks that are not events.
  private static func seen(
    _ fault: Fault, _ framing: EventFraming?, contentType: String, _ chunks: [Data]
  ) async -> (body: Data, error: TransportError?) {
    let backend = StubBackend {
      Stub(.get, "/events", framing: framing) { _ in
        HTTP.Response(status: 200, fields: ["Content-Type": contentType], body: HTTP.Body(chunks: chunks))
      }
    }
    let transport = Intercepted(InProcessTransport(to: backend), by: .faults(.on(.any, fault)))
    guard let url = URL(string: "http://events.invalid/events") else { return (Data(), nil) }
    var body = Data()
    do {
      let response = try await transport.send(HTTP.Request(.get, url, timeout: nil))
      for try await chunk in response.body { body += chunk }
      return (body, nil)
    } catch {
      return (body, TransportError(wrapping: error))
    }
  }

  private static let lines = [Data(#"{"n":1}"#.utf8), Data("\n{\"n\":2}\n{\"n".utf8), Data("\":3}\n".utf8)]

  /// Catches a drop that truncates a line after one byte.
  @Test(arguments: ["application/x-ndjson", "application/jsonl; charset=utf-8"])
  func aDroppedStreamOfLinesHasCompleteLines(_ contentType: String) async {
    let seen = await Self.seen(.dropStream(afterEvents: 2), nil, contentType: contentType, Self.lines)
    #expect(String(decoding: seen.body, as: UTF8.self) == "{\"n\":1}\n{\"n\":2}\n")
    #expect(seen.error?.code == .connectionLost)
  }

  @Test func aCorruptLineIsALineOfInvalidJSON() async {
    let seen = await Self.seen(.corruptEvent(2), nil, contentType: "application/x-ndjson", Self.lines)
    #expect(
      String(decoding: seen.body, as: UTF8.self) == "{\"n\":1}\n{\"unfinished\": [\n{\"n\":3}\n")
    #expect(seen.error == nil)
  }

  /// Catches a declared framing that is ignored.
  @Test func aDeclaredFramingAppliesWhateverTheContentType() async {
    let events = ["one", "two", "three"].map { Data([0, 0, 0, UInt8($0.utf8.count)]) + Data($0.utf8) }
    let whole = events.reduce(Data(), +)
    let chunks = [Data(whole.prefix(5)), Data(whole.dropFirst(5))]
    let type = "application/octet-stream"
    let dropped = await Self.seen(.dropStream(afterEvents: 2), .lengthPrefixed, contentType: type, chunks)
    #expect(dropped.body == events[0] + events[1])
    #expect(dropped.error?.code == .connectionLost)
    let twice = await Self.seen(.duplicateEvent(1), .lengthPrefixed, contentType: type, chunks)
    #expect(twice.body == events[0] + whole && twice.error == nil)
    let unterminated = await Self.seen(
      Fault(.stream(.unterminated)), .lengthPrefixed, contentType: type, chunks)
    #expect(unterminated.body == Data(whole.dropLast()))
    let cut = await Self.seen(.dropStream(afterEvents: 1), .chunks, contentType: type, chunks)
    #expect(cut.body == chunks[0] && cut.error?.code == .connectionLost)
    // Without a framing the body is not a stream of events.
    let plain = await Self.seen(.dropStream(afterEvents: 2), nil, contentType: type, chunks)
    #expect(plain.body.count == 1 && plain.error?.code == .connectionLost)
  }

  /// Catches lines that are lost or split because of the chunks.
  @Test func linesDoNotDependOnTheChunks() {
    let bytes = Data("{\"n\":1}\n\n{\"n\":2}\r\n{\"n\":3}".utf8)
    for cut in 0...bytes.count {
      var parser = EventBlocks(.lines)
      var blocks = parser.append(Data(bytes[..<cut]))
      blocks += parser.append(Data(bytes[cut...])) + parser.finish()
      #expect(blocks.map(\.bytes).reduce(Data(), +) == bytes, "cut at \(cut)")
      #expect(blocks.filter(\.isEvent).count == 3, "cut at \(cut)")
    }
  }
}
