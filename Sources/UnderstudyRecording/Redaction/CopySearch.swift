import Foundation

/// Finds copies of known texts in one pass, however many texts there are.
///
/// Each is filed under six bytes of its own that no other is filed under, if it has such: thousands of tokens that
/// begin alike cost no more than one. Texts can be added at any time.
struct CopySearch: Sendable {
  struct Match {
    var range: Range<Int>
    /// What the text was added as.
    var number: Int
    fileprivate let entry: Int
  }

  private struct Entry: Sendable {
    let text: [UInt8]
    let number: Int
    /// Where the bytes that it is filed under end.
    let end: Int
    /// Another one that is filed under the same bytes.
    let next: Int?
  }

  private static let width = 6
  /// How many places of a text are tried before it shares one.
  private static let trials = 64

  private var entries: [Entry] = []
  private var filed: [UInt64: Int] = [:]
  /// Tells of most windows that nothing is filed under them.
  private var filter = [UInt64](repeating: 0, count: 64)
  private var shift: UInt64 = 52
  /// Those of less than six bytes, by their first.
  private var short: [UInt8: [Int]] = [:]

  private(set) var isEmpty = true

  /// Adds a text, unless it is empty.
  mutating func insert(_ text: [UInt8], as number: Int) {
    guard let first = text.first else { return }
    isEmpty = false
    guard text.count >= Self.width else {
      short[first, default: []].append(entries.count)
      entries.append(Entry(text: text, number: number, end: 0, next: nil))
      return
    }
    // The end first: of tokens it differs most.
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
    (window &* 0x9E37_79B9_7F4A_7C15) >> shift
  }

  /// The copies, in the order of their ends; those of different texts may overlap.
  func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    var matches: [Match] = []
    guard !isEmpty else { return matches }
    if !filed.isEmpty && bytes.count >= Self.width {
      filter.withUnsafeBufferPointer { filter in
        var window: UInt64 = 0
        for index in 0..<bytes.count {
          window = (window << 8 | UInt64(bytes[index])) & 0xFFFF_FFFF_FFFF
          let place = Self.place(of: window, shift)
          guard filter[Int(place >> 6)] & (1 << (place & 63)) != 0, index >= Self.width - 1 else { continue }
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
    // Of copies of one text that overlap the first counts.
    if let last = matches.last, last.entry == index, last.range.upperBound > start { return }
    let isCopy = entry.text.withUnsafeBufferPointer { text in
      text.baseAddress.map { memcmp($0, base + start, text.count) == 0 } ?? false
    }
    guard isCopy else { return }
    let range = start..<(start + entry.text.count)
    matches.append(Match(range: range, number: entry.number, entry: index))
  }
}
