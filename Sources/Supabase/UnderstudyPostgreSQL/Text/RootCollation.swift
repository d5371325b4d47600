/// The order of Unicode's root collation (UTS #10), as ICU has it for `en-US`.
///
/// It is exact for the characters of ``CollationWeights``: Latin, Greek and Cyrillic letters with their accents, digits,
/// punctuation, and signs of currencies. Other symbols come after those, and other letters after Cyrillic, both by
/// their code points.
enum RootCollation {
  /// Primary weights in the upper 32 bits, then 16 bits each for the secondary and the tertiary one.
  private typealias Element = UInt64

  /// -1, 0 or 1; 0 also for texts that differ in characters without weights.
  static func compare(_ left: String, _ right: String) -> Int {
    let (one, other) = (elements(of: left), elements(of: right))
    for (shift, mask) in [(32, 0xFFFF_FFFF), (16, 0xFFFF), (0, 0xFFFF)] as [(UInt64, UInt64)] {
      let order = compare(one, other) { $0 >> shift & mask }
      if order != 0 { return order }
    }
    return 0
  }

  private static func compare(
    _ left: [Element], _ right: [Element], _ weight: (Element) -> UInt64
  ) -> Int {
    var (first, second) = (left.startIndex, right.startIndex)
    func next(_ elements: [Element], _ index: inout Int) -> UInt64 {
      while index < elements.endIndex {
        let weight = weight(elements[index])
        index += 1
        if weight != 0 { return weight }
      }
      return 0
    }
    while true {
      let (one, other) = (next(left, &first), next(right, &second))
      if one != other { return one < other ? -1 : 1 }
      if one == 0 { return 0 }
    }
  }

  private static func elements(of text: String) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(text.utf8.count)
    var previous: (scalar: UInt32, start: Int)?
    for scalar in text.unicodeScalars {
      if let last = previous, let pair = pairs[UInt64(last.scalar) << 32 | UInt64(scalar.value)] {
        elements.replaceSubrange(last.start..., with: pair)
        previous = nil
        continue
      }
      previous = firsts.contains(scalar.value) ? (scalar.value, elements.count) : nil
      if let known = table[scalar.value] {
        elements += known
      } else if let element = element(ofUnknown: scalar) {
        elements.append(element)
      }
    }
    return elements
  }

  private static func element(ofUnknown scalar: Unicode.Scalar) -> Element? {
    let common: Element = 1 << 16 | 1
    let last: UInt64
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate: return nil
    case .nonspacingMark, .enclosingMark:
      // Marks have no primary weight. These follow the known ones.
      return (0x8000 | UInt64(scalar.value & 0x7FFF)) << 16 | 1
    case .otherSymbol, .mathSymbol, .modifierSymbol, .currencySymbol, .otherPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .connectorPunctuation:
      last = CollationWeights.firstCurrency - 1
    default: last = CollationWeights.primaryCount
    }
    return primary(last, UInt64(scalar.value) + 1) | common
  }

  /// A primary weight, with room for every code point between two.
  private static func primary(_ rank: UInt64, _ offset: UInt64 = 0) -> Element { (rank << 21 + offset) << 32 }

  private static let table: [UInt32: [Element]] = {
    var table: [UInt32: [Element]] = [:]
    var next: UInt32 = 0
    for token in CollationWeights.text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if token.first == "@" {
        guard let start = UInt32(token.dropFirst(), radix: 16) else {
          preconditionFailure("A code point is hexadecimal, but \(token) is not.")
        }
        next = start
      } else {
        table[next] = elements(token)
        next += 1
      }
    }
    return table
  }()

  private static let pairs = Dictionary(
    uniqueKeysWithValues: CollationWeights.pairs.map {
      (UInt64($0.first) << 32 | UInt64($0.second), elements(Substring($0.elements)))
    })

  private static let firsts = Set(CollationWeights.pairs.map(\.first))

  private static func elements(_ token: Substring) -> [Element] {
    guard token != "-" else { return [] }
    return token.split(separator: "+").map { element in
      let weights = element.split(separator: ".", omittingEmptySubsequences: false).map { part in
        part.isEmpty ? 1 : UInt64(part)
      }
      guard let first = weights[0], let second = weights.count > 1 ? weights[1] : 1,
        let third = weights.count > 2 ? weights[2] : 1
      else { preconditionFailure("Weights are numbers, but \(element) are not.") }
      return primary(first) | second << 16 | third
    }
  }
}
