import Foundation
import UnderstudyHTTP

/// An index of the texts in a journal, which shows in which lines a secret may be that is detected late.
///
/// Each part of the journal has one bit for each hash of a ``ByteWindow``. A text that is in the part has all its bits
/// there, so a new secret costs a few lookups for each part, and the parts are not read again. A long line has several
/// parts.
struct JournalIndex: ArchiveEditor {
  /// A line of the journal.
  struct Line {
    let offset: Int
    let length: Int
    /// Whether the entry contains base64, in which copies of a secret cannot be detected.
    let hasBase64: Bool
  }

  private struct Part {
    let hashBits: UInt64
    var bits: [UInt64]
    /// The number of bytes of its texts.
    var count = 0
    var lines: [Line] = []

    init(hashBits: UInt64) {
      self.hashBits = hashBits
      bits = [UInt64](repeating: 0, count: 1 << (hashBits - 6))
    }
  }

  private static let hashBits: UInt64 = 17
  /// The number for the parts of a long line, of whose bits less than four tenths are set.
  ///
  /// It has hundreds of parts, and is read as a whole if only one of them seems to have a secret.
  private static let longHashBits: UInt64 = 18
  /// The number of bytes of a part: of its bits, less than two thirds are set.
  private static let size = 1 << 17
  /// The number of bytes that two parts of a text have in common, so that the start of a secret is whole in one of them.
  private static let overlap = 1 << 10

  private var parts: [Part] = []
  /// The line that is being added.
  private var line: Line?

  /// Adds a line with the texts of its entry.
  ///
  /// - Parameter bytes: The line as it is written. Only texts in base64 are looked for in the entry.
  mutating func add(_ entry: JSONValue, written bytes: [UInt8], at line: Line) {
    self.line = line
    let hashBits = line.length > 2 * Self.size ? Self.longHashBits : Self.hashBits
    if let last = parts.indices.last, parts[last].count < Self.size, parts[last].hashBits == hashBits {
      parts[last].lines.append(line)
    } else {
      beginPart(hashBits)
    }
    guard line.hasBase64 else { return bytes.withUnsafeBufferPointer { add($0) } }
    var texts = ArchiveTexts(self)
    parts = []
    _ = texts.entry(entry)
    self = texts.editor
  }

  private mutating func beginPart(_ hashBits: UInt64) {
    var part = Part(hashBits: hashBits)
    if let line { part.lines.append(line) }
    parts.append(part)
  }

  func isSecret(memberNamed name: String) -> Bool { false }

  mutating func edits(in text: SecretScanner.Bytes, _ place: ArchivePlace) -> [ByteEdit] {
    add(text)
    return []
  }

  private mutating func add(_ text: SecretScanner.Bytes) {
    var start = 0
    while true {
      // A text that exceeds the part by a little does not begin another one.
      let room = max(0, Self.size - parts[parts.count - 1].count)
      let end = text.count - start <= max(room, Self.size) ? text.count : start + max(room, Self.overlap)
      addToLastPart(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { return }
      start = max(0, end - Self.overlap)
      beginPart(parts[parts.count - 1].hashBits)
    }
  }

  private mutating func addToLastPart(_ text: SecretScanner.Bytes) {
    let last = parts.count - 1
    let (hashBits, width) = (parts[last].hashBits, ByteWindow.width)
    parts[last].count += text.count
    parts[last].bits.withUnsafeMutableBufferPointer { bits in
      guard let bits = bits.baseAddress, let bytes = text.baseAddress, text.count >= width else { return }
      // Without closures and collections, because this is also fast in code that is not optimized.
      let shift = UInt64(8 * (width - 1))
      var window: UInt64 = 0
      var position = 0
      while position < width - 1 {
        window = window &>> 8 | UInt64(bytes[position]) &<< shift
        position &+= 1
      }
      while position < text.count {
        window = window &>> 8 | UInt64(bytes[position]) &<< shift
        position &+= 1
        let place = ByteWindow.hash(window, bits: hashBits)
        bits[place &>> 6] |= 1 &<< UInt64(place & 63)
      }
    }
  }

  /// Returns the lines of the parts in which one of the texts may be.
  func lines(with texts: [[UInt8]]) -> [Line] {
    guard !parts.isEmpty else { return [] }
    let texts = texts.filter { $0.count >= ByteWindow.width }.map { text in
      (0...(min(text.count, Self.overlap) - ByteWindow.width)).map { start in
        ByteWindow.hash(ByteWindow.window(of: text, at: start), bits: Self.longHashBits)
      }
    }
    var found: Set<Int> = []
    return parts.filter { part in
      // The bits of a hash are the first ones of a longer hash.
      let shift = Int(Self.longHashBits - part.hashBits)
      return texts.contains { places in
        places.allSatisfy { place in
          let place = place >> shift
          return part.bits[place >> 6] & (1 << UInt64(place & 63)) != 0
        }
      }
    }.flatMap(\.lines).filter { line in
      // A long line is in several parts.
      found.insert(line.offset).inserted
    }
  }
}
