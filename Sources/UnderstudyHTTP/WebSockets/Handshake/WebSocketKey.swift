import Foundation

/// The key by which a client recognizes the answer to its own handshake (RFC 6455 §4.1).
package struct WebSocketKey: Sendable, Hashable {
  /// Sixteen bytes in Base64.
  package let text: String

  /// Creates a key from sixteen random bytes.
  package init(_ random: () -> UInt32) {
    var bytes = Data()
    for _ in 0..<4 {
      let word = random()
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    text = bytes.base64EncodedString()
  }

  /// Creates a key from the text that a client has sent; `nil` if it is invalid.
  package init?(_ text: String) {
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
    self.text = text
  }

  /// The server's answer to the key (RFC 6455 §4.2.2).
  package var accept: String {
    Data(SHA1.hash(Array((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }
}
