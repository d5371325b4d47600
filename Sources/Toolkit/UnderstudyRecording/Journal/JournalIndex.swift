import Foundation
import UnderstudyHTTP

/// An index of the texts in a journal, which shows in which lines a secret may be that is detected late.
///
/// Each part of the journal has one bit for each hash of a ``ByteWindow``. A text that is in the part has all its bits
/// there, so a new secret costs a few lookups for each part, and the parts are not read again.
struct JournalIndex: ArchiveEditor {
  /// A line of the journal.
  struct Line {
    let offset: Int
    let length: Int
    /// Whether the entry contains base64, in which copies of a secret cannot be detected.
    let hasBase64: Bool
  }

  private struct Part {
    var bits = [UInt64](repeating: 0, count: 1 << (JournalIndex.hashBits - 6))
    /// The number of bytes of its texts.
    var count = 0
    var lines: [Line] = []
  }

  private static let hashBits: UInt64 = 17
  /// The number of bytes of a part: of its bits, less than two thirds are set.
  private static let size = 1 << 17

  private var parts: [Part] = []

  /// Adds a line with the texts of its entry.
  ///
  /// - Parameter bytes: The line as it is written. Only texts in base64 are looked for in the entry.
  mutating func add(_ entry: JSONValue, written bytes: [UInt8], at line: Line) {
    if parts.last.map({ $0.count >= Self.size }) ?? true { parts.append(Part()) }
    parts[parts.count - 1].lines.append(line)
    guard line.hasBase64 else { return bytes.withUnsafeBufferPointer { add($0) } }
    var texts = ArchiveTexts(self)
    parts = []
    _ = texts.entry(entry)
    self = texts.editor
  }

  func isSecret(memberNamed name: String) -> Bool { false }

  mutating func edits(in text: SecretScanner.Bytes, _ place: ArchivePlace) -> [ByteEdit] {
    add(text)
    return []
  }

  private mutating func add(_ text: SecretScanner.Bytes) {
    let last = parts.count - 1
    parts[last].count += text.count
    parts[last].bits.withUnsafeMutableBufferPointer { bits in
      guard let bits = bits.baseAddress else { return }
      ByteWindow.forEach(in: text, every: 1) { _, window in
        let place = ByteWindow.hash(window, bits: Self.hashBits)
        bits[place >> 6] |= 1 &<< UInt64(place & 63)
      }
    }
  }

  /// Returns the lines of the parts in which one of the texts may be.
  func lines(with texts: [[UInt8]]) -> [Line] {
    guard !parts.isEmpty else { return [] }
    let texts = texts.filter { $0.count >= ByteWindow.width }.map { text in
      (0...(text.count - ByteWindow.width)).map { start in
        ByteWindow.hash(ByteWindow.window(of: text, at: start), bits: Self.hashBits)
      }
    }
    return parts.filter { part in
      texts.contains { places in places.allSatisfy { part.bits[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 } }
    }.flatMap(\.lines)
  }
}
