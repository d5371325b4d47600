import Foundation
import UnderstudyHTTP

/// An index of the texts in a journal, which shows in which lines a secret may be that is detected late.
///
/// Each part of the journal has one bit for each hash of six bytes. A text that is in the part has all its bits there,
/// so a new secret costs a few lookups for each part, and the parts are not read again.
struct JournalIndex: ArchiveEditor {
  /// A line of the journal.
  struct Line {
    let offset: Int
    let length: Int
    /// Whether the entry contains base64, in which copies of a secret cannot be detected.
    let hasBase64: Bool
  }

  private struct Part {
    var bits = [UInt64](repeating: 0, count: JournalIndex.bitCount / 64)
    /// The number of bytes of its texts.
    var count = 0
    var lines: [Line] = []
  }

  private static let width = 6
  private static let bitCount = 1 << 17
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
    guard text.count >= Self.width else { return }
    let last = parts.count - 1
    parts[last].count += text.count
    parts[last].bits.withUnsafeMutableBufferPointer { bits in
      var window: UInt64 = 0
      for (index, byte) in text.enumerated() {
        window = (window << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
        guard index >= Self.width - 1 else { continue }
        let place = Self.place(of: window)
        bits[place >> 6] |= 1 &<< UInt64(place & 63)
      }
    }
  }

  private static func place(of window: UInt64) -> Int {
    Int((window &* 0x9E37_79B9_7F4A_7C15) >> 47)
  }

  /// Returns the lines of the parts in which one of the texts may be.
  func lines(with texts: [[UInt8]]) -> [Line] {
    guard !parts.isEmpty else { return [] }
    let texts = texts.filter { $0.count >= Self.width }.map { text in
      (Self.width...text.count).map { end in
        Self.place(of: text[(end - Self.width)..<end].reduce(0) { $0 << 8 | UInt64($1) })
      }
    }
    return parts.filter { part in
      texts.contains { places in places.allSatisfy { part.bits[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 } }
    }.flatMap(\.lines)
  }
}
