extension SecretScanner {
  /// A filter of the positions where a secret may begin, by two bytes; it excludes most positions.
  struct Beginnings: Sendable {
    private var first = [Bool](repeating: false, count: 256)
    /// One bit for each pair of bytes.
    private var pairs = [UInt64](repeating: 0, count: 1024)

    init(prefixes: [[UInt8]], fieldNames: NameSet, webTokens: Bool, privateKeys: Bool) {
      // The name of a member, a field or an item, whose first byte may be percent-encoded.
      let names = fieldNames.beginnings.union("%".utf8)
      for byte in "\"?&#".utf8 { for next in names { add(byte, next) } }
      // A separator escaped in HTML or JSON.
      add(UInt8(ascii: "&"), UInt8(ascii: "a"))
      add(UInt8(ascii: "\\"), UInt8(ascii: "u"))
      add(UInt8(ascii: ":"), UInt8(ascii: "/"))
      // A placeholder.
      add(UInt8(ascii: "r"), UInt8(ascii: "e"))
      if webTokens { add(UInt8(ascii: "e"), UInt8(ascii: "y")) }
      if privateKeys { add(UInt8(ascii: "-"), UInt8(ascii: "-")) }
      for prefix in prefixes {
        if prefix.count > 1 {
          add(prefix[0], prefix[1])
        } else {
          for next in UInt8.min...UInt8.max { add(prefix[0], next) }
        }
      }
    }

    private mutating func add(_ byte: UInt8, _ next: UInt8) {
      first[Int(byte)] = true
      let pair = Int(byte) << 8 | Int(next)
      pairs[pair >> 6] |= 1 << UInt64(pair & 63)
    }

    /// Returns the next such position, which is never the last byte.
    func next(in bytes: Bytes, from start: Int) -> Int? {
      first.withUnsafeBufferPointer { first in
        pairs.withUnsafeBufferPointer { pairs in
          var position = start
          let last = bytes.count - 1
          while position < last {
            let byte = Int(bytes[position])
            if first[byte] {
              let pair = byte << 8 | Int(bytes[position + 1])
              if pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0 { return position }
            }
            position += 1
          }
          return nil
        }
      }
    }
  }
}
