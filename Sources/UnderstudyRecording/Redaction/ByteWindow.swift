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
