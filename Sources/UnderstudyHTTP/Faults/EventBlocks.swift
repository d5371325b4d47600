import Foundation

/// A parser that splits the bytes of an event stream into blocks, each including the blank line that ends it.
///
/// Lines end with LF, CR or CRLF (WHATWG HTML §9.2.5). A CR at the end of a chunk ends its line at once. An LF that
/// follows it is the first byte of the next block, where it has no effect.
struct EventBlocks: Sendable {
  /// A part of the stream.
  struct Block: Sendable, Equatable {
    let bytes: Data
    /// Whether a reader parses the block as an event: it is terminated and has a data line.
    let isEvent: Bool
  }

  private static let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private var bytes = Data()
  /// Whether no block has ended yet.
  private var isAtStart = true
  /// The first bytes of the current line, enough to identify its field.
  private var line: [UInt8] = []
  private var hasData = false
  private var lastWasReturn = false

  /// Parses a chunk.
  ///
  /// - Returns: The blocks that end in it.
  mutating func append(_ chunk: Data) -> [Block] {
    var blocks: [Block] = []
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
    // The byte order mark stays in place, whatever happens to the event after it.
    if isAtStart, bytes.starts(with: Self.byteOrderMark) {
      return [
        Block(bytes: Self.byteOrderMark, isEvent: false),
        Block(bytes: Data(bytes.dropFirst(3)), isEvent: isEvent),
      ]
    }
    return [Block(bytes: bytes, isEvent: isEvent)]
  }
}

extension EventBlocks.Block {
  /// The block with data that is not valid JSON; its other fields are unchanged.
  var corrupted: Self {
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
