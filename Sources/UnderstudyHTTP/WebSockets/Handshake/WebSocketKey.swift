import Foundation

/// What a client sends to be sure that the answer is to its own handshake (RFC 6455 §4.1).
package struct WebSocketKey: Sendable, Hashable {
  /// Sixteen bytes in Base64.
  package let text: String

  /// A key from sixteen bytes.
  package init(_ random: () -> UInt32) {
    var bytes = Data()
    for _ in 0..<4 {
      let word = random()
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    text = bytes.base64EncodedString()
  }

  /// A key that a client has sent; `nil` if it is none.
  package init?(_ text: String) {
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
    self.text = text
  }

  /// What a server that has read the key answers (RFC 6455 §4.2.2).
  package var accept: String {
    Data(SHA1.hash(Array((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }
}
