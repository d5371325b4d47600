import Foundation

/// A reader of compressed data in the format of gzip (RFC 1952, RFC 1951).
///
/// Uploads may be compressed, and a recording contains them as they were sent.
struct Inflater {
  /// The data is not of this format, is damaged, or exceeds the limit.
  private struct Invalid: Error {}

  /// More output than any recorded body has.
  private static let limit = 64 << 20

  private let input: SecretScanner.Bytes
  private var position = 0
  private var buffer: UInt32 = 0
  private var bitCount: UInt32 = 0
  private var output: [UInt8] = []

  private init(_ input: SecretScanner.Bytes) { self.input = input }

  /// Returns the contents of a gzip file; `nil` if it is not a valid one.
  static func contents(ofGzip bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var inflater = Inflater(bytes)
      do {
        try inflater.skipHeader()
        try inflater.inflate()
        let checksum = try (0..<4).reduce(UInt32(0)) { try $0 | UInt32(inflater.byte()) << UInt32(8 * $1) }
        return checksum == CRC32.value(of: inflater.output) ? inflater.output : nil
      } catch {
        return nil
      }
    }
  }

  /// Returns a gzip file with these contents, which are stored without compression.
  static func gzip(_ contents: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    func add(_ value: Int, _ bytes: Int) {
      for byte in 0..<bytes { file.append(UInt8(value >> (8 * byte) & 0xFF)) }
    }
    let size = 0xFFFF
    var start = 0
    repeat {
      let end = min(start + size, contents.count)
      file.append(end == contents.count ? 1 : 0)
      add(end - start, 2)
      add(~(end - start) & 0xFFFF, 2)
      file += contents[start..<end]
      start = end
    } while start < contents.count
    add(Int(CRC32.value(of: contents)), 4)
    add(contents.count & 0xFFFF_FFFF, 4)
    return file
  }

  private mutating func byte() throws(Invalid) -> UInt8 {
    guard position < input.count else { throw Invalid() }
    defer { position += 1 }
    return input[position]
  }

  private mutating func skipHeader() throws(Invalid) {
    position = 3
    let flags = try byte()
    position = 10
    if flags & 4 != 0 {
      let length = Int(try byte()) | Int(try byte()) << 8
      position += length
    }
    // The name and the comment.
    for flag in [UInt8(8), 16] where flags & flag != 0 {
      while try byte() != 0 {}
    }
    if flags & 2 != 0 { position += 2 }
  }

  private mutating func bits(_ count: UInt32) throws(Invalid) -> Int {
    while bitCount < count {
      buffer |= UInt32(try byte()) << bitCount
      bitCount += 8
    }
    let value = buffer & ((1 << count) - 1)
    buffer >>= count
    bitCount -= count
    return Int(value)
  }

  // MARK: Blocks

  private mutating func inflate() throws(Invalid) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try stored()
      case 1: try compressed(.fixedLengths, .fixedDistances)
      case 2:
        let (lengths, distances) = try codes()
        try compressed(lengths, distances)
      default: throw Invalid()
      }
    }
  }

  private mutating func stored() throws(Invalid) {
    (buffer, bitCount) = (0, 0)
    let length = Int(try byte()) | Int(try byte()) << 8
    let complement = Int(try byte()) | Int(try byte()) << 8
    guard length == ~complement & 0xFFFF, position + length <= input.count,
      output.count + length <= Self.limit
    else {
      throw Invalid()
    }
    output += input[position..<(position + length)]
    position += length
  }

  /// A canonical Huffman code (RFC 1951 §3.2.2).
  private struct Code {
    /// The numbers of codes of each length.
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      symbols = lengths.enumerated().filter { $0.element > 0 }
        .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    }

    static let fixedLengths = Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = Code([Int](repeating: 5, count: 30))
  }

  private mutating func symbol(_ code: Code) throws(Invalid) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try bits(1)
      let count = code.counts[length]
      if value - count < first {
        guard code.symbols.indices.contains(index + value - first) else { throw Invalid() }
        return code.symbols[index + value - first]
      }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Invalid()
  }

  private static let orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func codes() throws(Invalid) -> (Code, Code) {
    let (literals, distances, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    guard literals <= 286, distances <= 30 else { throw Invalid() }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<count { lengths[Self.orderOfLengths[index]] = try bits(3) }
    let code = Code(lengths)
    lengths = []
    while lengths.count < literals + distances {
      let (value, times): (Int, Int)
      switch try symbol(code) {
      case 16:
        guard let last = lengths.last else { throw Invalid() }
        (value, times) = (last, try bits(2) + 3)
      case 17: (value, times) = (0, try bits(3) + 3)
      case 18: (value, times) = (0, try bits(7) + 11)
      case let length: (value, times) = (length, 1)
      }
      guard lengths.count + times <= literals + distances else { throw Invalid() }
      lengths += repeatElement(value, count: times)
    }
    return (Code(lengths[..<literals]), Code(lengths[literals...]))
  }

  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145,
    8193, 12289, 16385, 24577,
  ]

  private mutating func compressed(_ lengths: Code, _ distances: Code) throws(Invalid) {
    while true {
      let symbol = try symbol(lengths)
      if symbol == 256 { return }
      guard symbol > 256 else {
        guard output.count < Self.limit else { throw Invalid() }
        output.append(UInt8(symbol))
        continue
      }
      let index = symbol - 257
      guard index < Self.lengths.count else { throw Invalid() }
      let extra = index < 8 || index == 28 ? 0 : (index - 4) / 4
      let length = Self.lengths[index] + (try bits(UInt32(extra)))
      let code = try self.symbol(distances)
      guard code < Self.distances.count else { throw Invalid() }
      let distance = Self.distances[code] + (try bits(UInt32(code < 4 ? 0 : (code - 2) / 2)))
      guard distance <= output.count, output.count + length <= Self.limit else { throw Invalid() }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }
}
