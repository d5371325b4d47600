import Foundation
import Testing

@testable import UnderstudyHTTP

/// Where events end, whatever ends their lines and wherever the chunks are cut.
@Suite struct EventBlocksTests {
  static let streams: [(String, events: Int)] = [
    ("data: 1\n\ndata: 2\n\n", 2),
    ("data: 1\r\rdata: 2\r\r", 2),
    ("data: 1\r\n\r\ndata: 2\r\n\r\n", 2),
    ("\u{FEFF}data: 1\n\n: comment\n\nid: 7\n\ndata\n\ndatabase: 1\n\n", 2),
    ("\n\n\r\n\rdata:1\n\r\ndata: not ended\n", 1),
    ("event: x\ndata: 1\r\ndata: 2\rid: 1\n\n", 1),
    ("", 0),
  ]

  /// Catches a CRLF that is taken for two line ends, also when the chunks cut it, and bytes that get lost.
  @Test(arguments: streams)
  func theEventsAreTheSameWhereverTheChunksAreCut(_ text: String, _ events: Int) {
    let bytes = Data(text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = EventBlocks()
        var blocks = parser.append(Data(bytes[..<first]))
        blocks += parser.append(Data(bytes[first..<second])) + parser.append(Data(bytes[second...]))
        blocks += parser.finish()
        #expect(blocks.filter(\.isEvent).count == events, "cut at \(first) and \(second)")
        #expect(blocks.map(\.bytes).reduce(Data(), +) == bytes, "cut at \(first) and \(second)")
      }
    }
  }

  /// Catches a blank line that is taken for an event, and a last line without a line feed that is.
  @Test func aLineIsAnEventIfItHasData() {
    let bytes = Data("{}\n\n \t\r\n[1]\r\n2".utf8)
    for place in 0...bytes.count {
      var parser = EventBlocks(.lines)
      let blocks =
        parser.append(Data(bytes[..<place])) + parser.append(Data(bytes[place...])) + parser.finish()
      #expect(
        blocks.filter(\.isEvent).map(\.bytes) == [Data("{}\n".utf8), Data("[1]\r\n".utf8)], "cut at \(place)")
      #expect(blocks.map(\.bytes).reduce(Data(), +) == bytes, "cut at \(place)")
    }
  }

  @Test(arguments: [
    ("text/event-stream", EventFraming.serverSentEvents),
    ("Text/Event-Stream ; charset=utf-8", .serverSentEvents),
    ("application/x-ndjson", .lines), ("application/jsonl;charset=utf-8", .lines),
  ])
  func aMediaTypeHasAFraming(_ mediaType: String, _ framing: EventFraming) {
    #expect(EventFraming(mediaType: mediaType) == framing)
  }

  @Test(arguments: ["", "application/json", "text/event-streams", "text/plain; application/x-ndjson", nil])
  func anotherMediaTypeHasNone(_ mediaType: String?) {
    #expect(EventFraming(mediaType: mediaType) == nil)
  }

  /// Catches a byte order mark that is taken for a part of the first event, and moves with it.
  @Test func theByteOrderMarkStaysInFront() {
    var parser = EventBlocks()
    let blocks = parser.append(Data("\u{FEFF}data: 1\n\n".utf8))
    #expect(blocks.map(\.isEvent) == [false, true])
    #expect(blocks.last?.bytes == Data("data: 1\n\n".utf8))
  }

  @Test(arguments: [
    ("id: 1\ndata: 1\n\n", "id: 1\ndata: 1\n"), ("data: 1\r\n\r\n", "data: 1\r\n"),
    ("data: 1\r\r", "data: 1\r"), ("\n\ndata: 1\r\n\n", "\n\ndata: 1\r\n"),
  ])
  func anUnterminatedBlockLacksItsBlankLineAlone(_ block: String, _ expected: String) {
    let unterminated = EventBlocks.Block(bytes: Data(block.utf8), isEvent: true).unterminated
    #expect(String(decoding: unterminated.bytes, as: UTF8.self) == expected)
  }
}
