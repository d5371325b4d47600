/// A range of bytes and its replacement.
typealias ByteEdit = (range: Range<Int>, with: [UInt8])

/// Bytes with replaced ranges, and a mapping of the original positions.
struct RedactedBytes {
  private(set) var bytes: [UInt8] = []
  private var edits: [(old: Range<Int>, new: Range<Int>)] = []

  /// Replaces ranges that are sorted and do not overlap.
  init(_ original: [UInt8], replacing replacements: [ByteEdit]) {
    self = original.withUnsafeBufferPointer { Self($0, replacing: replacements) }
  }

  /// Replaces ranges that are sorted and do not overlap.
  init(_ original: UnsafeBufferPointer<UInt8>, replacing replacements: [ByteEdit]) {
    bytes.reserveCapacity(replacements.reduce(original.count) { $0 + $1.with.count })
    var position = 0
    for replacement in replacements where replacement.range.lowerBound >= position {
      bytes.append(contentsOf: original[position..<replacement.range.lowerBound])
      edits.append((replacement.range, bytes.count..<(bytes.count + replacement.with.count)))
      bytes.append(contentsOf: replacement.with)
      position = replacement.range.upperBound
    }
    bytes.append(contentsOf: original[position...])
  }

  /// Returns the new position of an original one; inside a replaced range, it is limited to the replacement's length.
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
