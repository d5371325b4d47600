import Foundation

/// Base64 with the alphabet for URLs and without padding (RFC 4648 §5), as JSON Web Tokens use it.
enum Base64URL {
  static func text(of bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  static func bytes(of text: Substring) -> Data? {
    guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
    let padded = String(text) + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: padded.replacing("-", with: "+").replacing("_", with: "/"))
  }
}
