import Foundation

/// An encoding of a whole body in which text is not visible as bytes: gzip or UTF-16.
enum BodyCoding {
  case gzip
  case utf16(isBigEndian: Bool)

  /// Returns the text of a body that is encoded; `nil` for any other body.
  static func decoded(_ body: [UInt8]) -> (coding: BodyCoding, text: [UInt8])? {
    if let contents = contents(ofGzip: body) { return (.gzip, contents) }
    guard body.count >= 8, body.count % 2 == 0 else { return nil }
    let start = body.prefix(512)
    let isBigEndian: Bool
    switch (body[0], body[1]) {
    case (0xFE, 0xFF): isBigEndian = true
    case (0xFF, 0xFE): isBigEndian = false
    default:
      // Without a byte order mark, most characters of JSON, XML and forms still have a zero byte.
      let zeros = (0..<2).map { side in start.indices.count { $0 % 2 == side && start[$0] == 0 } }
      guard let side = (0..<2).first(where: { zeros[$0] * 10 > start.count * 4 && zeros[1 - $0] == 0 }) else {
        return nil
      }
      isBigEndian = side == 0
    }
    let units = stride(from: 0, to: body.count, by: 2).map { index -> UInt16 in
      let unit = UInt16(body[index]) << 8 | UInt16(body[index + 1])
      return isBigEndian ? unit : unit.byteSwapped
    }
    let text = Array(String(decoding: units, as: UTF16.self).utf8)
    let coding = BodyCoding.utf16(isBigEndian: isBigEndian)
    // A lone surrogate would be changed.
    return coding.encoded(text) == body ? (coding, text) : nil
  }

  /// Returns the contents of a gzip file (RFC 1952); `nil` if it is not a valid one.
  static func contents(ofGzip body: [UInt8]) -> [UInt8]? {
    guard body.starts(with: [0x1F, 0x8B]) else { return nil }
    // More than any recorded body has.
    return Inflation.bytes(of: Data(body), .detected, atMost: 64 << 20).map(Array.init)
  }

  /// Returns a gzip file with these contents, which are stored without compression.
  ///
  /// The bytes are the same with each version of zlib.
  static func gzip(_ contents: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    func add(_ value: UInt32, _ bytes: Int) {
      for byte in 0..<bytes { file.append(UInt8(value >> (8 * byte) & 0xFF)) }
    }
    let size = 0xFFFF
    var start = 0
    repeat {
      let end = min(start + size, contents.count)
      file.append(end == contents.count ? 1 : 0)
      add(UInt32(end - start), 2)
      add(~UInt32(end - start), 2)
      file += contents[start..<end]
      start = end
    } while start < contents.count
    add(Inflation.checksum(of: contents), 4)
    add(UInt32(truncatingIfNeeded: contents.count), 4)
    return file
  }

  /// Returns the encoded form of a text.
  func encoded(_ text: [UInt8]) -> [UInt8] {
    switch self {
    case .gzip: return Self.gzip(text)
    case .utf16(let isBigEndian):
      return String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBigEndian ? [high, low] : [low, high]
      }
    }
  }
}
