/// Bytes in which parts were replaced, and where each place of the original went.
struct RedactedBytes {
  private(set) var bytes: [UInt8] = []
  private var edits: [(old: Range<Int>, new: Range<Int>)] = []

  /// Replaces ranges that are in order and do not overlap.
  init(_ original: [UInt8], replacing replacements: [(range: Range<Int>, with: [UInt8])]) {
    var position = 0
    for replacement in replacements where replacement.range.lowerBound >= position {
      bytes += original[position..<replacement.range.lowerBound]
      edits.append((replacement.range, bytes.count..<(bytes.count + replacement.with.count)))
      bytes += replacement.with
      position = replacement.range.upperBound
    }
    bytes += original[position...]
  }

  /// Where a place of the original is now; inside of what was replaced, as far in as there is room.
  func place(of old: Int) -> Int {
    var (low, high) = (0, edits.count)
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].old.lowerBound < old { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return old }
    let edit = edits[low - 1]
    guard old < edit.old.upperBound else { return edit.new.upperBound + (old - edit.old.upperBound) }
    return Swift.min(edit.new.lowerBound + (old - edit.old.lowerBound), edit.new.upperBound)
  }
}
