import Foundation

/// A decoder of gzip (RFC 1952), zlib (RFC 1950) and deflate (RFC 1951).
///
/// A service may compress a body although the recorder asks for one that is not.
enum Inflate {
  /// The maximum size of a decoded body, so that a small body cannot exhaust the memory.
  static let limit = 256 << 20

  /// Returns the decoded bytes; `nil` if they are invalid or exceed the limit.
  ///
  /// The checksum is not compared, as by most clients that read a stream.
  static func decode(_ data: Data) -> Data? {
    let bytes = [UInt8](data)
    if bytes.isEmpty { return data }
    guard let start = start(of: bytes) else { return nil }
    var bits = Bits(bytes: bytes, position: start)
    var output: [UInt8] = []
    while true {
      guard let isLast = bits.take(1), let kind = bits.take(2) else { return nil }
      switch kind {
      case 0:
        guard bits.copyStored(to: &output) else { return nil }
      case 1:
        guard inflate(&bits, .fixedLengths, .fixedDistances, into: &output) else { return nil }
      case 2:
        guard let (lengths, distances) = codes(&bits), inflate(&bits, lengths, distances, into: &output)
        else {
          return nil
        }
      default: return nil
      }
      guard output.count <= limit else { return nil }
      if isLast == 1 { return Data(output) }
    }
  }

  /// The start of the compressed data after the header, if there is one.
  private static func start(of bytes: [UInt8]) -> Int? {
    if bytes.count > 2, bytes[0] & 15 == 8, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 { return 2 }
    guard bytes.starts(with: [0x1F, 0x8B]) else { return 0 }
    guard bytes.count > 10, bytes[2] == 8 else { return nil }
    var position = 10
    let flags = bytes[3]
    if flags & 4 != 0 {
      guard position + 2 <= bytes.count else { return nil }
      position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8
    }
    // The name and the comment end with a zero.
    for flag in [8, 16] as [UInt8] where flags & flag != 0 {
      guard position < bytes.count, let zero = bytes[position...].firstIndex(of: 0) else { return nil }
      position = zero + 1
    }
    if flags & 2 != 0 { position += 2 }
    return position <= bytes.count ? position : nil
  }

  /// RFC 1951 §3.2.5: the base and the number of extra bits of lengths and distances.
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227,
    258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097,
    6145, 8193, 12_289, 16_385, 24_577,
  ]

  private static func inflate(
    _ bits: inout Bits, _ lengths: HuffmanCode, _ distances: HuffmanCode, into output: inout [UInt8]
  ) -> Bool {
    while output.count <= limit {
      guard let symbol = lengths.next(&bits) else { return false }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      guard symbol - 257 < lengthBases.count, let extra = bits.take(lengthBits[symbol - 257]),
        let code = distances.next(&bits), code < distanceBases.count,
        let more = bits.take(max(0, code / 2 - 1))
      else { return false }
      let distance = distanceBases[code] + more
      guard distance <= output.count else { return false }
      for _ in 0..<lengthBases[symbol - 257] + extra { output.append(output[output.count - distance]) }
    }
    return true
  }

  /// Reads the codes of a block (RFC 1951 §3.2.7).
  private static func codes(_ bits: inout Bits) -> (HuffmanCode, HuffmanCode)? {
    guard let literals = bits.take(5), let distances = bits.take(5), let count = bits.take(4) else {
      return nil
    }
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var sizes = [Int](repeating: 0, count: 19)
    for index in 0..<count + 4 {
      guard let size = bits.take(3) else { return nil }
      sizes[order[index]] = size
    }
    let code = HuffmanCode(sizes[...])
    let total = literals + 257 + distances + 1
    var all: [Int] = []
    while all.count < total {
      guard let symbol = code.next(&bits) else { return nil }
      switch symbol {
      case 0...15: all.append(symbol)
      case 16:
        guard let last = all.last, let count = bits.take(2) else { return nil }
        all += Array(repeating: last, count: count + 3)
      default:
        guard let count = bits.take(symbol == 17 ? 3 : 7) else { return nil }
        all += Array(repeating: 0, count: count + (symbol == 17 ? 3 : 11))
      }
    }
    guard all.count == total else { return nil }
    return (HuffmanCode(all[..<(literals + 257)]), HuffmanCode(all[(literals + 257)...]))
  }
}

/// A reader of bits, the least significant of a byte first.
private struct Bits {
  let bytes: [UInt8]
  var position: Int
  private var used = 0

  init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func take(_ count: Int) -> Int? {
    var value = 0
    for shift in 0..<count {
      guard position < bytes.count else { return nil }
      value |= (Int(bytes[position]) >> used & 1) << shift
      used += 1
      if used == 8 { (used, position) = (0, position + 1) }
    }
    return value
  }

  /// Copies a block without compression (RFC 1951 §3.2.4).
  mutating func copyStored(to output: inout [UInt8]) -> Bool {
    if used > 0 { (used, position) = (0, position + 1) }
    guard position + 4 <= bytes.count else { return false }
    let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
    position += 4
    guard position + count <= bytes.count else { return false }
    output += bytes[position..<position + count]
    position += count
    return true
  }
}

/// A canonical Huffman code (RFC 1951 §3.2.2).
private struct HuffmanCode {
  static let fixedLengths = HuffmanCode(
    ([Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))[...])
  static let fixedDistances = HuffmanCode([Int](repeating: 5, count: 30)[...])

  /// The number of codes of each size, and the symbols by size and value.
  private var counts = [Int](repeating: 0, count: 16)
  private var symbols: [Int]

  init(_ sizes: ArraySlice<Int>) {
    for size in sizes { counts[size] += 1 }
    counts[0] = 0
    symbols = sizes.enumerated().filter { $0.element > 0 }
      .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
  }

  func next(_ bits: inout Bits) -> Int? {
    var (code, first, index) = (0, 0, 0)
    for size in 1...15 {
      guard let bit = bits.take(1) else { return nil }
      code |= bit
      if code - first < counts[size] { return symbols[index + code - first] }
      index += counts[size]
      first = (first + counts[size]) << 1
      code <<= 1
    }
    return nil
  }
}
