import Foundation

extension String {
  /// The text that these bytes are in UTF-8; `nil` if they are none.
  ///
  /// Each byte stays: Foundation's `String(bytes:encoding:)` and `String(data:encoding:)` drop U+FEFF at the start.
  package init?(exactlyUTF8 bytes: some Collection<UInt8>) {
    // Generic code over bytes is slow in another module than the caller's.
    let text =
      bytes.withContiguousStorageIfAvailable(Self.exactly)
      ?? Array(bytes).withUnsafeBufferPointer(Self.exactly)
    guard let text else { return nil }
    self = text
  }

  private static func exactly(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 has become U+FFFD.
    return text.withUTF8 { decoded in
      guard decoded.count == bytes.count, let one = decoded.baseAddress, let other = bytes.baseAddress else {
        return decoded.count == bytes.count
      }
      return memcmp(one, other, bytes.count) == 0
    } ? text : nil
  }
}
