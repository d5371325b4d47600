import UnderstudyZlib
package import Foundation

/// The decompression of deflate (RFC 1951), zlib (RFC 1950) and gzip (RFC 1952).
package enum Inflation {
  /// The formats, by zlib's number of window bits.
  package enum Format: Int32 {
    case deflate = -15
    /// Zlib or gzip, whichever the header shows.
    case detected = 47
  }

  /// The maximum size of a result in bytes, so that a small file cannot fill the memory.
  package static let sizeLimit = 512 << 20

  /// Returns the bytes decoded from a content coding (RFC 9110 §8.4.1); `nil` if the coding is not supported, or the data
  /// is invalid.
  package static func bytes(of data: Data, coding: some StringProtocol) -> Data? {
    switch coding {
    case "gzip", "x-gzip": bytes(of: data, .detected)
    // Some servers send deflate without the header of zlib.
    case "deflate": bytes(of: data, .detected) ?? bytes(of: data, .deflate)
    default: nil
    }
  }

  /// Returns the decompressed bytes; `nil` if the data is invalid, incomplete or expands beyond the limit.
  ///
  /// The members of a gzip file are joined (RFC 1952 §2.2).
  package static func bytes(of data: Data, _ format: Format, atMost limit: Int = sizeLimit) -> Data? {
    var stream = z_stream()
    guard czlib_inflate_begin(&stream, format.rawValue) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let inputCount = input.count
    guard inputCount <= Int(UInt32.max) else { return nil }
    return input.withUnsafeMutableBufferPointer { input -> Data? in
      var result = Data()
      stream.next_in = input.baseAddress
      stream.avail_in = uInt(inputCount)
      while true {
        let (status, count) = chunk.withUnsafeMutableBufferPointer { chunk -> (Int32, Int) in
          stream.next_out = chunk.baseAddress
          stream.avail_out = uInt(chunk.count)
          let status = inflate(&stream, Z_NO_FLUSH)
          return (status, chunk.count - Int(stream.avail_out))
        }
        result += chunk[..<count]
        guard result.count <= limit else { return nil }
        switch status {
        case Z_OK: continue
        case Z_STREAM_END:
          // Another member may follow.
          guard format == .detected, stream.avail_in > 1, stream.next_in?.pointee == 0x1F else {
            return result
          }
          guard inflateReset(&stream) == Z_OK else { return nil }
        default: return nil
        }
      }
    }
  }

  /// Returns the CRC-32 (RFC 1952 §8).
  package static func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
  }
}
