import Foundation

extension EventFraming {
  /// The framing that a media type names; `nil` for any other type.
  init?(contentType: String?) {
    guard let contentType else { return nil }
    let type = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    switch type {
    case "text/event-stream": self = .serverSentEvents
    case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
      "application/jsonlines", "application/json-lines", "application/stream+json":
      self = .lines
    default: return nil
    }
  }
}

extension HTTP.Response {
  /// The framing of the body, if it is a stream of events.
  var framing: EventFraming? {
    guard isSuccess else { return nil }
    return eventFraming ?? EventFraming(contentType: fields["Content-Type"])
  }
}

/// Some bytes of a stream of events.
struct FramedBytes: Sendable, Equatable {
  let bytes: Data
  /// Whether a reader makes an event of it: whether it is terminated, and has data.
  let isEvent: Bool
  let framing: EventFraming

  init(bytes: Data, isEvent: Bool, framing: EventFraming = .serverSentEvents) {
    self.bytes = bytes
    self.isEvent = isEvent
    self.framing = framing
  }
}

/// Divides the bytes of a stream into blocks, each with its terminator or its length.
struct EventBlocks: Sendable {
  private let framing: EventFraming
  private var serverSentEvents = ServerSentEventBlocks()
  /// The bytes of the current line, or of the current event after its length.
  private var bytes = Data()

  init(_ framing: EventFraming = .serverSentEvents) {
    self.framing = framing
  }

  /// Takes a chunk.
  ///
  /// - Returns: The blocks that it completes.
  mutating func append(_ chunk: Data) -> [FramedBytes] {
    switch framing {
    case .serverSentEvents: return serverSentEvents.append(chunk)
    case .chunks: return chunk.isEmpty ? [] : [block(chunk, isEvent: true)]
    case .lines:
      var blocks: [FramedBytes] = []
      var rest = chunk
      // The bytes of the current line have no line feed.
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes + rest[...end]
        blocks.append(block(line, isEvent: !line.isBlankLine))
        bytes = Data()
        rest = rest[rest.index(after: end)...]
      }
      bytes += rest
      return blocks
    case .lengthPrefixed:
      bytes += chunk
      var blocks: [FramedBytes] = []
      var rest = bytes
      while rest.count >= 4 {
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 4
        guard rest.count >= length else { break }
        blocks.append(block(Data(rest.prefix(length)), isEvent: true))
        rest = rest.dropFirst(length)
      }
      if !blocks.isEmpty { bytes = Data(rest) }
      return blocks
    }
  }

  /// The bytes after the last terminated event.
  mutating func finish() -> [FramedBytes] {
    if framing == .serverSentEvents { return serverSentEvents.finish() }
    defer { bytes = Data() }
    // A last line without a line feed is a line; a length without its bytes is not an event.
    return bytes.isEmpty ? [] : [block(bytes, isEvent: framing == .lines && !bytes.isBlankLine)]
  }

  private func block(_ bytes: Data, isEvent: Bool) -> FramedBytes {
    FramedBytes(bytes: bytes, isEvent: isEvent, framing: framing)
  }
}

extension Data {
  fileprivate var isBlankLine: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}

/// Divides the bytes of an event stream into blocks, each with the blank line that ends it.
///
/// Lines end with LF, CR or CRLF (WHATWG HTML §9.2.5). A CR at the end of a chunk ends its line at once; an LF that
/// follows it is the first byte of the next block, where it has no effect.
private struct ServerSentEventBlocks: Sendable {
  private static let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private var bytes = Data()
  /// Whether no block is complete yet.
  private var isAtStart = true
  /// The first bytes of the current line, enough to identify its field.
  private var line: [UInt8] = []
  private var hasData = false
  private var lastWasReturn = false

  /// Takes a chunk.
  ///
  /// - Returns: The blocks that it completes.
  mutating func append(_ chunk: Data) -> [FramedBytes] {
    var blocks: [FramedBytes] = []
    for byte in chunk {
      bytes.append(byte)
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

  /// The bytes after the last blank line, which are not an event.
  mutating func finish() -> [FramedBytes] {
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

  private mutating func endBlock(isEvent: Bool) -> [FramedBytes] {
    defer {
      bytes = Data()
      hasData = false
      isAtStart = false
    }
    // A block of its own, so that a fault of the first event does not affect the mark.
    if isAtStart, bytes.starts(with: Self.byteOrderMark) {
      return [
        FramedBytes(bytes: Self.byteOrderMark, isEvent: false),
        FramedBytes(bytes: Data(bytes.dropFirst(3)), isEvent: isEvent),
      ]
    }
    return [FramedBytes(bytes: bytes, isEvent: isEvent)]
  }
}

extension FramedBytes {
  /// The block with data that is not valid JSON; its other fields are unchanged.
  var corrupted: Self {
    let invalid = Data(#"{"unfinished": ["#.utf8)
    switch framing {
    case .serverSentEvents: return withInvalidData
    case .lines: return Self(bytes: invalid + Data("\n".utf8), isEvent: true, framing: framing)
    case .lengthPrefixed:
      return Self(bytes: Data([0, 0, 0, UInt8(invalid.count)]) + invalid, isEvent: true, framing: framing)
    case .chunks: return Self(bytes: invalid, isEvent: true, framing: framing)
    }
  }

  private var withInvalidData: Self {
    var lines = lines
    let unfinished = Data(#"data: {"unfinished": ["#.utf8) + Data("\n".utf8)
    guard let first = lines.firstIndex(where: Self.isData) else { return self }
    lines[first] = unfinished
    var kept = Array(lines[...first])
    kept += lines[(first + 1)...].filter { !Self.isData($0) }
    return Self(bytes: kept.reduce(Data(), +), isEvent: true)
  }

  /// The block without the blank line that ends it.
  var unterminated: Self {
    guard framing == .serverSentEvents else {
      return Self(bytes: Data(bytes.dropLast()), isEvent: false, framing: framing)
    }
    let lines = lines
    let end = lines.lastIndex { !Self.isBlank($0) } ?? lines.startIndex
    return Self(bytes: lines.prefix(end + 1).reduce(Data(), +), isEvent: false)
  }

  /// The lines, each with its terminator.
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
