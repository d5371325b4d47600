import Foundation
import SharedServices

extension HTMLDocument {
  /// Reads a page in windows-1252, whatever its meta tags say, as forgiving as a browser.
  ///
  /// Nothing is fetched and nothing is printed. A page is refused, because the rest of it would be missing, if its elements
  /// are nested deeper than 256 or it has more than two hundred thousand nodes; so is one with a tag or a comment of more
  /// than 64 kB, or with many that are nearly so long, which could take minutes. The task's cancellation ends it.
  init(windows1252 bytes: Data) throws(HTMLParsingError) {
    guard !bytes.isEmpty else { throw .unreadable("The page has 0 bytes.") }
    // Decoded here, because libxml2 asks iconv, whose tables are not installed everywhere and have holes.
    nodes = try HTMLTreeBuilder.nodes(ofUTF8: Self.utf8(windows1252: bytes))
  }

  private static func utf8(windows1252 bytes: Data) -> [UInt8] {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      switch byte {
      case 0x20..<0x7F, 0x09, 0x0A, 0x0D: utf8.append(byte)
      case 0x0C: utf8.append(0x20)
      // At a NUL libxml2 would stop reading; browsers show this.
      case 0..<0x20, 0x7F: utf8.append(contentsOf: [0xEF, 0xBF, 0xBD])
      default: utf8.append(contentsOf: String(Character(Windows1252.scalar(of: byte))).utf8)
      }
    }
    return utf8
  }
}
