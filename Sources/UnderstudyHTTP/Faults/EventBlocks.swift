import Foundation

/// What ends an event in the body of a stream, by its media type.
enum EventFraming: Sendable, Equatable {
  /// `text/event-stream`: a blank line (WHATWG HTML §9.2.5).
  case serverSentEvents
  /// `application/x-ndjson` and its synonyms: a line feed (ndjson-spec §3.1).
  case lines

  /// The framing of a media type, with or without parameters, or `nil` for one that is not a stream of events.
  init?(mediaType: String?) {
    let type = (mediaType ?? "").prefix { $0 != ";" }
    switch type.trimmingCharacters(in: .whitespaces).lowercased() {
    case "text/event-stream": self = .serverSentEvents
    case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
      self = .lines
    default: return nil
    }
  }
}

/// Cuts the bytes of a stream of events into blocks, each up to and with what ends it.
///
/// Server-sent events end with a blank line, whose lines end with LF, CR or CRLF (WHATWG HTML §9.2.5). A CR at the end
/// of a chunk ends its line at once; an LF that follows it is the first byte of the next block, where it does no harm.
struct EventBlocks: Sendable {
  /// Some bytes of the stream.
  struct Block: Sendable, Equatable {
    let bytes: Data
    /// Whether a reader makes an event of it: whether it is ended, and has data.
    let isEvent: Bool
    var framing = EventFraming.serverSentEvents
  }

  private let framing: EventFraming

  init(_ framing: EventFraming = .serverSentEvents) {
    self.framing = framing
  }

  private static let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
  private static let whitespace = Set(" \t\r\n".utf8)
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private var bytes = Data()
  /// Whether no block has been ended.
  private var isAtStart = true
  /// The bytes of the current line, as far as it takes to know its field.
  private var line: [UInt8] = []
  private var hasData = false
  private var lastWasReturn = false

  /// Takes a chunk.
  ///
  /// - Returns: The blocks that it ends.
  mutating func append(_ chunk: Data) -> [Block] {
    var blocks: [Block] = []
    for byte in chunk {
      bytes.append(byte)
      if framing == .lines {
        // A CR before the LF, spaces and tabs alone are not data.
        hasData = hasData || !Self.whitespace.contains(byte)
        if byte == Self.lineFeed { blocks += endBlock(isEvent: hasData) }
        continue
      }
      let isSecondOfPair = byte == Self.lineFeed && lastWasReturn
      lastWasReturn = byte == Self.carriageReturn
      if isSecondOfPair { continue }
      if byte == Self.lineFeed || byte == Self.carriageReturn {
        if endLine() { blocks += endBlock(isEvent: hasData) }
      } else if line.count < 8 {
        line.append(byte)
      }
    }
    return blocks
  }

  /// What follows the last event, which is not terminated.
  mutating func finish() -> [Block] {
    bytes.isEmpty ? [] : endBlock(isEvent: false)
  }

  /// - Returns: Whether the line was blank.
  private mutating func endLine() -> Bool {
    defer { line = [] }
    let mark = isAtStart && line.starts(with: Self.byteOrderMark) ? 3 : 0
    let field = line.dropFirst(mark)
    if field.elementsEqual("data".utf8) || field.starts(with: "data:".utf8) { hasData = true }
    return field.isEmpty
  }

  private mutating func endBlock(isEvent: Bool) -> [Block] {
    defer {
      bytes = Data()
      hasData = false
      isAtStart = false
    }
    // The mark stays where it is, whatever becomes of the event behind it.
    if isAtStart, bytes.starts(with: Self.byteOrderMark) {
      return [
        Block(bytes: Self.byteOrderMark, isEvent: false, framing: framing),
        Block(bytes: Data(bytes.dropFirst(3)), isEvent: isEvent, framing: framing),
      ]
    }
    return [Block(bytes: bytes, isEvent: isEvent, framing: framing)]
  }
}

extension EventBlocks.Block {
  /// The block with data that is no JSON; its other fields stay.
  var corrupted: Self {
    if framing == .lines {
      return Self(bytes: Data("{\"unfinished\": [\n".utf8), isEvent: true, framing: framing)
    }
    var lines = lines
    let unfinished = Data(#"data: {"unfinished": ["#.utf8) + Data("\n".utf8)
    guard let first = lines.firstIndex(where: Self.isData) else { return self }
    lines[first] = unfinished
    var kept = Array(lines[...first])
    kept += lines[(first + 1)...].filter { !Self.isData($0) }
    return Self(bytes: kept.reduce(Data(), +), isEvent: true)
  }

  /// The block without the blank line, or the line feed, that ends it.
  var unterminated: Self {
    if framing == .lines {
      return Self(
        bytes: Data(bytes.prefix { $0 != UInt8(ascii: "\n") }), isEvent: false, framing: framing)
    }
    let lines = lines
    let end = lines.lastIndex { !Self.isBlank($0) } ?? lines.startIndex
    return Self(bytes: lines.prefix(end + 1).reduce(Data(), +), isEvent: false)
  }

  /// The lines, each with what ends it.
  private var lines: [Data] {
    var lines: [Data] = []
    var line = Data()
    var lastWasReturn = false
    for byte in bytes {
      if lastWasReturn, byte != UInt8(ascii: "\n") {
        lines.append(line)
        line = Data()
      }
      line.append(byte)
      lastWasReturn = byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") {
        lines.append(line)
        line = Data()
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func isData(_ line: Data) -> Bool {
    let text = line.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return text.elementsEqual("data".utf8) || text.starts(with: "data:".utf8)
  }

  private static func isBlank(_ line: Data) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }
}
