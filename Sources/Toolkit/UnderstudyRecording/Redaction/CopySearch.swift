import Foundation

/// A search for copies of known texts in a single pass, independent of their number.
///
/// Only every second position of the searched bytes is examined, so each text is indexed by a window at an even offset
/// and one at an odd offset. They are unique among the texts, if possible, so that thousands of tokens with the same
/// prefix are as fast as one. Texts can be added at any time.
struct CopySearch: Sendable {
  struct Match {
    var range: Range<Int>
    /// The number of the text.
    var number: Int
    /// The index of the text.
    fileprivate let text: Int
  }

  private struct Text: Sendable {
    let bytes: [UInt8]
    let number: Int
  }

  /// A window of a text.
  private struct Entry: Sendable {
    let text: Int
    let offset: Int
    /// The next entry with the same window.
    let next: Int?
  }

  private static let step = 2
  /// The length of the shortest text with windows at even and odd offsets.
  private static let shortestIndexed = ByteWindow.width + step - 1
  /// The maximum number of windows to try before a text shares one.
  private static let trials = 32

  private var texts: [Text] = []
  private var entries: [Entry] = []
  private var filed: [UInt64: Int] = [:]
  /// A filter that excludes most windows.
  private var filter = [UInt64](repeating: 0, count: 64)
  private var bits: UInt64 = 12
  /// The indices of texts without windows, by their first byte.
  private var short: [UInt8: [Int]] = [:]

  /// Adds a text; an empty text is ignored.
  mutating func insert(_ text: [UInt8], as number: Int) {
    guard let first = text.first else { return }
    texts.append(Text(bytes: text, number: number))
    guard text.count >= Self.shortestIndexed else {
      short[first, default: []].append(texts.count - 1)
      return
    }
    // The end is tried first, because tokens differ most there.
    for missing in 0..<Self.step {
      let last = text.count - ByteWindow.width - missing
      let offsets = stride(from: last, through: 0, by: -Self.step).prefix(Self.trials)
      file(offsets.first { filed[ByteWindow.window(of: text, at: $0)] == nil } ?? last)
    }
  }

  /// Adds a window of the last text.
  private mutating func file(_ offset: Int) {
    let text = texts.count - 1
    let window = ByteWindow.window(of: texts[text].bytes, at: offset)
    entries.append(Entry(text: text, offset: offset, next: filed[window]))
    filed[window] = entries.count - 1
    if filed.count > filter.count {
      bits += 2
      filter = [UInt64](repeating: 0, count: filter.count * 4)
      for window in filed.keys { note(window) }
    } else {
      note(window)
    }
  }

  private mutating func note(_ window: UInt64) {
    let place = ByteWindow.hash(window, bits: bits)
    filter[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// Returns the copies, sorted by their starts; copies of different texts may overlap.
  func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    var matches: [Match] = []
    if !filed.isEmpty {
      filter.withUnsafeBufferPointer { [bits] filter in
        guard let filter = filter.baseAddress else { return }
        ByteWindow.forEach(in: bytes, every: Self.step) { position, window in
          let place = ByteWindow.hash(window, bits: bits)
          guard filter[place >> 6] & (1 &<< UInt64(place & 63)) != 0 else { return }
          collect(window, at: position, in: bytes, into: &matches)
        }
      }
    }
    if !short.isEmpty {
      for start in 0..<bytes.count {
        for text in short[bytes[start]] ?? [] where isCopy(text, at: start, in: bytes) {
          append(text, at: start, to: &matches)
        }
      }
    }
    return matches.count > 1 ? Self.firstOfOverlapping(matches) : matches
  }

  // Apart from the loop, whose registers it would take.
  @inline(never)
  private func collect(
    _ window: UInt64, at position: Int, in bytes: UnsafeBufferPointer<UInt8>, into matches: inout [Match]
  ) {
    var next = filed[window]
    while let index = next {
      let entry = entries[index]
      let start = position - entry.offset
      if isCopy(entry.text, at: start, in: bytes) { append(entry.text, at: start, to: &matches) }
      next = entry.next
    }
  }

  private func isCopy(_ text: Int, at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = texts[text].bytes
    guard start >= 0, start + text.count <= bytes.count, let base = bytes.baseAddress else { return false }
    return text.withUnsafeBufferPointer { text in
      text.baseAddress.map { memcmp($0, base + start, text.count) == 0 } ?? false
    }
  }

  private func append(_ text: Int, at start: Int, to matches: inout [Match]) {
    let range = start..<(start + texts[text].bytes.count)
    matches.append(Match(range: range, number: texts[text].number, text: text))
  }

  /// Returns the matches by their starts; of overlapping copies of one text, only the first.
  private static func firstOfOverlapping(_ matches: [Match]) -> [Match] {
    var ends: [Int: Int] = [:]
    return matches.sorted { ($0.range.lowerBound, $0.text) < ($1.range.lowerBound, $1.text) }.filter {
      match in
      guard match.range.lowerBound >= ends[match.text] ?? 0 else { return false }
      ends[match.text] = match.range.upperBound
      return true
    }
  }
}

/// Five bytes of a text as a number, to find copies of texts without comparing them at each position.
enum ByteWindow {
  static let width = 5

  private static let mask: UInt64 = 1 << (8 * UInt64(width)) - 1

  /// Returns the window at a position of a text.
  static func window(of text: [UInt8], at start: Int) -> UInt64 {
    text[start..<(start + width)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a hash of a window with this many bits.
  @inline(__always)
  static func hash(_ window: UInt64, bits: UInt64) -> Int {
    Int(truncatingIfNeeded: (window &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
  }

  /// Calls a function with the window at each position that is a multiple of `step`.
  @inline(__always)
  static func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, every step: Int, _ body: (_ position: Int, _ window: UInt64) -> Void
  ) {
    guard let base = UnsafeRawPointer(bytes.baseAddress), bytes.count >= width else { return }
    // Windows are loaded with the three bytes after them, where there are any.
    let wide = bytes.count >= 8 ? (bytes.count - 8) / step + 1 : 0
    for index in 0..<wide {
      let word = base.loadUnaligned(fromByteOffset: index &* step, as: UInt64.self)
      body(index &* step, UInt64(littleEndian: word) & mask)
    }
    var position = wide * step
    while position <= bytes.count - width {
      body(position, bytes[position..<(position + width)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
      position += step
    }
  }
}
