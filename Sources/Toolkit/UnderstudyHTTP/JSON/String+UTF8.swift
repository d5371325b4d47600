import Foundation

extension String {
  /// Creates a string from UTF-8 bytes; `nil` if they are invalid.
  ///
  /// All bytes are preserved: Foundation's `String(bytes:encoding:)` and `String(data:encoding:)` drop U+FEFF at the
  /// start.
  package init?(exactlyUTF8 bytes: some Collection<UInt8>) {
    // Generic code over bytes is slow if it is called from another module.
    let text =
      bytes.withContiguousStorageIfAvailable(Self.exactly)
      ?? Array(bytes).withUnsafeBufferPointer(Self.exactly)
    guard let text else { return nil }
    self = text
  }

  private static func exactly(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: bytes, as: UTF8.self)
    // Invalid UTF-8 has been replaced by U+FFFD.
    return text.withUTF8 { decoded in
      guard decoded.count == bytes.count, let one = decoded.baseAddress, let other = bytes.baseAddress else {
        return decoded.count == bytes.count
      }
      return memcmp(one, other, bytes.count) == 0
    } ? text : nil
  }
}
