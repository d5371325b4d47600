import Foundation
import SharedServices

#if canImport(libxml2)
  import libxml2
#else
  import CLibXML2
#endif

extension HTMLDocument {
  /// The most nodes that a page may have: far above what forty threads need.
  private static let nodeLimit = 200_000

  /// The most bytes of a tag: libxml2 compares each attribute with all before it.
  private static let tagLimit = 1 << 16

  /// Reads a page in windows-1252, whatever its meta tags say, as forgiving as a browser.
  ///
  /// Nothing is fetched and nothing is printed. A page that is nested deeper than libxml2 goes (256 elements), or has
  /// more than two hundred thousand nodes, is refused, because the rest of it would be missing; so is one with a tag of
  /// more than 64 kB, which could take minutes.
  init(windows1252 bytes: Data) throws(HTMLParsingError) {
    guard !Self.hasOverlongTag(bytes) else {
      throw HTMLParsingError(message: "The page has a tag of more than \(Self.tagLimit) bytes.")
    }
    // Decoded here, because libxml2 asks iconv, whose tables are not installed everywhere and have holes.
    nodes = try Self.nodes(ofUTF8: Self.utf8(windows1252: bytes))
  }

  private static func hasOverlongTag(_ bytes: Data) -> Bool {
    var length: Int?
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): length = 0
      case UInt8(ascii: ">"): length = nil
      default:
        guard let count = length else { continue }
        if count == tagLimit { return true }
        length = count + 1
      }
    }
    return false
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

  private static func nodes(ofUTF8 utf8: [UInt8]) throws(HTMLParsingError) -> [Node] {
    _ = libraryIsReady
    guard let length = Int32(exactly: utf8.count), length > 0 else {
      throw HTMLParsingError(message: "The page has \(utf8.count) bytes.")
    }
    guard let context = htmlNewParserCtxt() else {
      throw HTMLParsingError(message: "libxml2 has no memory for a parser.")
    }
    defer { htmlFreeParserCtxt(context) }
    let options = [
      HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_IGNORE_ENC,
    ].reduce(0) { $0 | Int32(truncatingIfNeeded: $1.rawValue) }
    let document = utf8.withUnsafeBytes { bytes in
      htmlCtxtReadMemory(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length, nil, "UTF-8", options)
    }
    defer { if let document { xmlFreeDoc(document) } }
    // It has given up in the middle, and says so nowhere else.
    guard context.pointee.disableSAX == 0 else {
      throw HTMLParsingError(message: "The page is nested too deep, or libxml2 has no memory for it.")
    }
    // A page of nothing but white space has no root.
    guard let root = document.flatMap({ xmlDocGetRootElement($0) }) else { return [] }
    return try nodes(from: root)
  }

  /// Walks through the tree without recursion, so that no depth is too deep.
  private static func nodes(from root: xmlNodePtr) throws(HTMLParsingError) -> [Node] {
    var nodes: [Node] = []
    var open: [Int] = []
    var next: xmlNodePtr? = root
    while let current = next {
      guard nodes.count < nodeLimit else {
        throw HTMLParsingError(message: "The page has more than \(nodeLimit) elements and texts.")
      }
      let number = nodes.count
      if let content = content(of: current) {
        nodes.append(Node(content: content, parent: open.last, end: number + 1))
      }
      let isElement = current.pointee.type == XML_ELEMENT_NODE
      if isElement, let child = current.pointee.children {
        open.append(number)
        next = child
        continue
      }
      next = current.pointee.next
      var place = current
      while next == nil, !open.isEmpty, let parent = place.pointee.parent {
        nodes[open.removeLast()].end = nodes.count
        place = parent
        next = parent.pointee.next
      }
      if open.isEmpty { next = nil }
    }
    return nodes
  }

  /// An element or a text; `nil` for comments, and for scripts and styles, which are no text of the page.
  private static func content(of node: xmlNodePtr) -> Content? {
    switch node.pointee.type {
    case XML_ELEMENT_NODE: .element(string(node.pointee.name), attributes(of: node))
    case XML_TEXT_NODE: .text(string(node.pointee.content))
    default: nil
    }
  }

  private static func attributes(of node: xmlNodePtr) -> [Attribute] {
    var attributes: [Attribute] = []
    var next = node.pointee.properties
    while let attribute = next {
      var value = ""
      // In HTML a value is one text, its entities decoded, or nothing.
      var text = attribute.pointee.children
      while let piece = text {
        value += string(piece.pointee.content)
        text = piece.pointee.next
      }
      attributes.append(Attribute(name: string(attribute.pointee.name), value: value))
      next = attribute.pointee.next
    }
    return attributes
  }

  private static func string(_ characters: UnsafePointer<xmlChar>?) -> String {
    guard let characters else { return "" }
    let text = String(cString: characters)
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
    // `&#146;` stands for the character that windows-1252 has there (WHATWG HTML §13.2.5.80).
    var repaired = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = (0x80...0x9F).contains(scalar.value)
      repaired.append(isControl ? Windows1252.scalar(of: UInt8(scalar.value)) : scalar)
    }
    return String(repaired)
  }

  private static let libraryIsReady: Void = xmlInitParser()
}
