/// A random number generator whose sequence depends only on its seed.
///
/// It is SplitMix64 (Steele, Lea and Flood 2014), which passes through all 2⁶⁴ states.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next sixteen bytes as a version 4 UUID (RFC 9562 §5.4), in its canonical lower-case form.
  package mutating func nextUUIDString() -> String {
    let high = (next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    var digits = [high, low].flatMap { word in
      let digits = String(word, radix: 16).utf8
      return repeatElement(UInt8(ascii: "0"), count: 16 - digits.count) + Array(digits)
    }
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}
