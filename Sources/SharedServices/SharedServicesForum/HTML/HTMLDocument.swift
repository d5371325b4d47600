import Foundation
import SharedServices

/// An HTML page as a tree of values, independent of the parser.
struct HTMLDocument: Sendable {
  /// An attribute of an element.
  struct Attribute: Sendable {
    let name: String
    let value: String
  }

  /// The content of a node.
  enum Content: Sendable {
    /// An element, with its name in lower case.
    case element(String, [Attribute])
    case text(String)
  }

  /// A node of the tree.
  struct Node: Sendable {
    var content: Content
    /// The index of the parent node.
    let parent: Int?
    /// The index after the last descendant.
    var end: Int
  }

  /// The nodes in document order, each before its descendants.
  let nodes: [Node]
  /// Whether the page has an `</html>` that is a tag, not text of a comment, a script or an attribute.
  let isWhole: Bool

  /// The elements in document order.
  var elements: some Sequence<HTMLElement> {
    nodes.indices.lazy.map { HTMLElement(document: self, index: $0) }.filter { $0.name != nil }
  }
}

/// An error for a page that cannot be parsed.
enum HTMLParsingError: Error, Equatable {
  /// The page is unreadable; with a description for developers.
  case unreadable(String)
  /// The task was cancelled before the page was parsed.
  case cancelled
}

extension HTMLDocument {
  /// Parses a page in windows-1252, regardless of its meta tags, and recovers from errors as a browser does.
  ///
  /// There is one body, with the attributes of every `body` tag (WHATWG HTML §13.2.6.4.7). It begins with the first
  /// element or text that does not belong in a head, also before that tag.
  ///
  /// The parser fetches nothing and prints nothing. It rejects a page that it could not read completely: one whose
  /// elements are nested more than 256 levels deep, one with more than 200,000 nodes, one with a tag or a comment of
  /// more than 64 kB, and one with many tags of nearly that size, which could take minutes. Cancelling the task stops
  /// the parser.
  init(windows1252 bytes: Data) throws(HTMLParsingError) {
    guard !bytes.isEmpty else { throw .unreadable("The page has 0 bytes.") }
    // Decoded here, because libxml2 uses iconv, whose tables are incomplete and not installed everywhere.
    (nodes, isWhole) = try HTMLTreeBuilder.nodes(ofUTF8: Self.utf8(windows1252: bytes))
  }

  private static func utf8(windows1252 bytes: Data) -> [UInt8] {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count + bytes.count / 8)
    var follows: UInt8 = 0
    for byte in bytes {
      defer { follows = byte }
      switch byte {
      case 0x20..<0x7F, 0x09: utf8.append(byte)
      // Every line break is one LF (WHATWG HTML §13.2.3.5).
      case 0x0A where follows == 0x0D: break
      case 0x0A, 0x0D: utf8.append(0x0A)
      case 0x0C: utf8.append(0x20)
      // libxml2 stops reading at a NUL; browsers display this replacement character.
      case 0..<0x20, 0x7F: utf8.append(contentsOf: [0xEF, 0xBF, 0xBD])
      default: utf8.append(contentsOf: String(Character(Windows1252.scalar(of: byte))).utf8)
      }
    }
    return utf8
  }
}
