import Foundation

/// A search for copies of known texts in a single pass, independent of their number.
///
/// Each text is indexed by six of its bytes that are unique among the texts, if possible, so that thousands of tokens
/// with the same prefix are as fast as one. Texts can be added at any time.
struct CopySearch: Sendable {
  struct Match {
    var range: Range<Int>
    /// The number of the text.
    var number: Int
    fileprivate let entry: Int
  }

  private struct Entry: Sendable {
    let text: [UInt8]
    let number: Int
    /// The end of the indexed bytes.
    let end: Int
    /// The next entry with the same indexed bytes.
    let next: Int?
  }

  private static let width = 6
  /// The maximum number of windows to try before a text shares one.
  private static let trials = 64

  private var entries: [Entry] = []
  private var filed: [UInt64: Int] = [:]
  /// A filter that excludes most windows.
  private var filter = [UInt64](repeating: 0, count: 64)
  private var shift: UInt64 = 52
  /// Texts of less than six bytes, by their first byte.
  private var short: [UInt8: [Int]] = [:]

  private(set) var isEmpty = true

  /// Adds a text; an empty text is ignored.
  mutating func insert(_ text: [UInt8], as number: Int) {
    guard let first = text.first else { return }
    isEmpty = false
    guard text.count >= Self.width else {
      short[first, default: []].append(entries.count)
      entries.append(Entry(text: text, number: number, end: 0, next: nil))
      return
    }
    // The end is tried first, because tokens differ most there.
    var end = text.count
    while filed[Self.window(of: text, endingAt: end)] != nil, end > Self.width,
      text.count - end < Self.trials
    {
      end -= 1
    }
    if filed[Self.window(of: text, endingAt: end)] != nil { end = text.count }
    let window = Self.window(of: text, endingAt: end)
    entries.append(Entry(text: text, number: number, end: end, next: filed[window]))
    filed[window] = entries.count - 1
    if filed.count > filter.count {
      shift -= 2
      filter = [UInt64](repeating: 0, count: filter.count * 4)
      for window in filed.keys { note(window) }
    } else {
      note(window)
    }
  }

  private static func window(of text: [UInt8], endingAt end: Int) -> UInt64 {
    text[(end - width)..<end].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func note(_ window: UInt64) {
    let place = Self.place(of: window, shift)
    filter[Int(place >> 6)] |= 1 << (place & 63)
  }

  @inline(__always)
  private static func place(of window: UInt64, _ shift: UInt64) -> UInt64 {
    (window &* 0x9E37_79B9_7F4A_7C15) &>> shift
  }

  /// Returns the copies, sorted by their ends; copies of different texts may overlap.
  func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    var matches: [Match] = []
    guard !isEmpty else { return matches }
    if !filed.isEmpty && bytes.count >= Self.width {
      filter.withUnsafeBufferPointer { [shift] filter in
        var window: UInt64 = 0
        for index in 0..<bytes.count {
          window = (window << 8 | UInt64(bytes[index])) & 0xFFFF_FFFF_FFFF
          let place = Self.place(of: window, shift)
          guard filter[Int(place >> 6)] & (1 &<< (place & 63)) != 0, index >= Self.width - 1 else { continue }
          collect(window, endingAt: index + 1, in: bytes, into: &matches)
        }
      }
    }
    if !short.isEmpty {
      for start in 0..<bytes.count {
        for index in short[bytes[start]] ?? [] {
          add(index, at: start, in: bytes, to: &matches)
        }
      }
    }
    return matches
  }

  private func collect(
    _ window: UInt64, endingAt end: Int, in bytes: UnsafeBufferPointer<UInt8>, into matches: inout [Match]
  ) {
    var next = filed[window]
    while let index = next {
      add(index, at: end - entries[index].end, in: bytes, to: &matches)
      next = entries[index].next
    }
  }

  private func add(
    _ index: Int, at start: Int, in bytes: UnsafeBufferPointer<UInt8>, to matches: inout [Match]
  ) {
    let entry = entries[index]
    guard start >= 0, start + entry.text.count <= bytes.count, let base = bytes.baseAddress else { return }
    // Of overlapping copies of one text, the first counts.
    if let last = matches.last, last.entry == index, last.range.upperBound > start { return }
    let isCopy = entry.text.withUnsafeBufferPointer { text in
      text.baseAddress.map { memcmp($0, base + start, text.count) == 0 } ?? false
    }
    guard isCopy else { return }
    let range = start..<(start + entry.text.count)
    matches.append(Match(range: range, number: entry.number, entry: index))
  }
}
