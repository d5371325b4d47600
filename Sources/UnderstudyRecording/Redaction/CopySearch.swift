/// Finds copies of known secrets in one pass.
struct CopySearch: Sendable {
  private struct Copy: Sendable {
    let text: [UInt8]
    let placeholder: [UInt8]
  }

  /// By the first byte, the longest first, so that a secret that begins another does not hide it.
  private var copies: [[Copy]] = Array(repeating: [], count: 256)
  private let isEmpty: Bool

  init(_ spellings: [(text: [UInt8], placeholder: String)]) {
    isEmpty = spellings.isEmpty
    for (text, placeholder) in spellings.sorted(by: { $0.text.count > $1.text.count }) {
      guard let first = text.first else { continue }
      copies[Int(first)].append(Copy(text: text, placeholder: Array(placeholder.utf8)))
    }
  }

  /// The copies in a part of the bytes, in order, and what to put there.
  func replacements(in bytes: [UInt8], _ range: Range<Int>) -> [(range: Range<Int>, with: [UInt8])] {
    var found: [(range: Range<Int>, with: [UInt8])] = []
    guard !isEmpty else { return found }
    var position = range.lowerBound
    while position < range.upperBound {
      let candidates = copies[Int(bytes[position])]
      if !candidates.isEmpty {
        let rest = bytes[position..<range.upperBound]
        if let copy = candidates.first(where: { rest.starts(with: $0.text) }) {
          found.append((position..<(position + copy.text.count), copy.placeholder))
          position += copy.text.count
          continue
        }
      }
      position += 1
    }
    return found
  }
}
