import Understudy

extension [UInt8] {
  /// Mutates a few positions: bits and bytes, and parts that are removed, duplicated, moved or generated.
  mutating func spoil(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !isEmpty else { return append(UInt8.random(in: .min ... .max, using: &random)) }
      let place = Int.random(in: 0..<count, using: &random)
      let end = Swift.min(count, place + Int.random(in: 1...12, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: self[place] = .random(in: .min ... .max, using: &random)
      case 2: self[place] = Self.tellingBytes.randomElement(using: &random) ?? 0
      case 3: insert(Self.tellingBytes.randomElement(using: &random) ?? 0, at: place)
      case 4: removeSubrange(place..<end)
      case 5: insert(contentsOf: self[place..<end], at: Int.random(in: 0...count, using: &random))
      case 6:
        let part = self[place..<end]
        removeSubrange(place..<end)
        insert(contentsOf: part, at: Int.random(in: 0...count, using: &random))
      default: removeLast(count - place)
      }
    }
  }

  /// Bytes at the boundaries of rules.
  private static let tellingBytes: [UInt8] =
    [0x00, 0x01, 0x7D, 0x7E, 0x7F, 0x80, 0x81, 0x88, 0x89, 0xC0, 0xED, 0xF4, 0xFE, 0xFF]
    + Array("\r\n\t :;,%0Af\"".utf8)

  /// Random bytes.
  static func random(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}
