/// Examines sixteen or sixty-four bytes at once.
///
/// Swift has no operation that extracts the sign bits of a vector's bytes, so this multiplies to gather eight of them.
enum JSONBlock {
  /// The index of the first byte for which the mask is true; 16 if there is no such byte.
  @inline(__always)
  static func first(_ mask: SIMDMask<SIMD16<Int8>>) -> Int {
    let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    // Branchless, because the half that contains it is unpredictable.
    let isInHighHalf = words[0] == 0
    let word = isInHighHalf ? words[1] : words[0]
    return (isInHighHalf ? 8 : 0) + word.trailingZeroBitCount / 8
  }

  /// The bytes that are not white space (RFC 8259 §2).
  @inline(__always)
  static func isNoSpace(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (block .!= SIMD16(repeating: 0x20)) .& (block .!= SIMD16(repeating: 0x0A))
      .& (block .!= SIMD16(repeating: 0x0D)) .& (block .!= SIMD16(repeating: 0x09))
  }

  /// The bytes of a string that need handling: quotes, backslashes, control characters (RFC 8259 §7), and the bytes of
  /// non-ASCII characters, which are validated.
  @inline(__always)
  static func specials(_ block: SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>> {
    // Non-ASCII bytes are negative. Both operands are vectors: with a scalar, the compiler generates code for single
    // bytes.
    (block .< SIMD16(repeating: 0x20)) .| (block .== SIMD16(repeating: 0x22))
      .| (block .== SIMD16(repeating: 0x5C))
  }

  /// The bytes of a string that must be escaped: quotes, backslashes and control characters (RFC 8259 §7).
  @inline(__always)
  static func isEscaped(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (block .< SIMD16(repeating: 0x20)) .| (block .== SIMD16(repeating: 0x22))
      .| (block .== SIMD16(repeating: 0x5C))
  }

  /// The special bytes of sixty-four, with one bit for each.
  @inline(__always)
  static func specials(in bytes: UnsafeRawBufferPointer, from position: Int) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<4 {
      let block = bytes.loadUnaligned(fromByteOffset: position + 16 * index, as: SIMD16<Int8>.self)
      let words = unsafeBitCast(specials(block), to: SIMD2<UInt64>.self)
      bits |= (gathered(words[0]) | gathered(words[1]) << 8) << UInt64(truncatingIfNeeded: 16 * index)
    }
    return bits
  }

  /// One bit for each of eight bytes that are all ones or all zeros.
  @inline(__always)
  static func gathered(_ word: UInt64) -> UInt64 {
    // Bit 8i is moved to bit 56 + i, and no two partial products overlap.
    ((word & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) >> 56
  }
}
