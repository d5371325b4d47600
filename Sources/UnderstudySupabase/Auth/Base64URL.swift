import Foundation

/// Base64 with the alphabet for URLs and without padding (RFC 4648 §5), as JSON Web Tokens use it.
enum Base64URL {
  static func text(of bytes: some Sequence<UInt8>) -> String {
    // Byte by byte: the algorithms of strings made this most of what it takes to sign a token.
    var text = Array(Data(bytes).base64EncodedData())
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: "+"): text[place] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[place] = UInt8(ascii: "_")
      default: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func bytes(of text: Substring) -> Data? {
    var padded = Data(text.utf8)
    for place in padded.indices {
      switch padded[place] {
      case UInt8(ascii: "-"): padded[place] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): padded[place] = UInt8(ascii: "/")
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: break
      }
    }
    padded.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - padded.count % 4) % 4))
    return Data(base64Encoded: padded)
  }
}
