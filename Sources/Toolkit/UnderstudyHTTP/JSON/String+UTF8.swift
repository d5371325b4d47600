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
    // Foundation returns at the first invalid byte, whereas decoding repairs each of them.
    guard let text = String(bytes: bytes, encoding: .utf8) else { return nil }
    // A U+FEFF may have been dropped.
    return text.utf8.count == bytes.count ? text : String(decoding: bytes, as: UTF8.self)
  }
}
