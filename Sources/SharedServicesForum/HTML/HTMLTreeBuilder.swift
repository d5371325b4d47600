import SharedServices

#if canImport(libxml2)
  import libxml2
#else
  import CLibXML2
#endif

/// Has libxml2 read a page, and makes nodes of what it finds.
///
/// libxml2 compares each attribute of a tag with all before it, so a page can cost the square of its length. Where a tag
/// ends only libxml2 knows, for quotes, comments and scripts may hold any `<` and `>`. So nothing is guessed here. It gets
/// the page in pieces and is silent inside a tag: what is limited is how many pieces it takes without saying anything.
final class HTMLTreeBuilder {
  typealias Node = HTMLDocument.Node

  /// How many bytes a piece has.
  private static let pieceLength = 1_024
  /// The most pieces that are taken in silence: a tag or a comment of 64 kB.
  private static let silenceLimit = 64
  /// The most that all silences may cost, one of n pieces about n² / 2: four tags of 64 kB, or any number of 1 kB.
  private static let workLimit = 8_192
  /// The most nodes that a page may have: far above what forty threads need.
  private static let nodeLimit = 200_000
  /// The most elements around each other.
  private static let depthLimit = 256

  private let bytes: [UInt8]
  private var place = 0
  private var silence = 0
  private var work = 0

  private var nodes: [Node] = []
  /// The numbers of the elements that are not closed.
  private var open: [Int] = []
  /// What is shown since the last tag, in UTF-8.
  private var text: [UInt8] = []
  private var failure: HTMLParsingError?

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The nodes of a page in UTF-8.
  static func nodes(ofUTF8 bytes: [UInt8]) throws(HTMLParsingError) -> [Node] {
    _ = libraryIsReady
    guard let context = htmlNewParserCtxt(), let handler = context.pointee.sax else {
      throw .unreadable("libxml2 has no memory for a parser.")
    }
    defer { htmlFreeParserCtxt(context) }
    let builder = HTMLTreeBuilder(bytes)
    let options = [
      HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_IGNORE_ENC,
    ].reduce(0) { $0 | Int32(truncatingIfNeeded: $1.rawValue) }
    withExtendedLifetime(builder) {
      let pointer = Unmanaged.passUnretained(builder).toOpaque()
      handler.pointee = events
      context.pointee.userData = pointer
      // No document is made, because no event makes one.
      xmlFreeDoc(htmlCtxtReadIO(context, read, nil, pointer, nil, "UTF-8", options))
    }
    if let failure = builder.failure { throw failure }
    // It has given up in the middle, and says so nowhere else.
    guard context.pointee.disableSAX == 0 else { throw .unreadable("libxml2 has no memory for the page.") }
    builder.endText()
    while !builder.open.isEmpty { builder.close() }
    return builder.nodes
  }

  // MARK: - What libxml2 calls

  private static let libraryIsReady: Void = xmlInitParser()

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTMLTreeBuilder? {
    pointer.map { Unmanaged<HTMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let read: xmlInputReadCallback = { pointer, buffer, length in
    guard let buffer, let builder = HTMLTreeBuilder.of(pointer) else { return -1 }
    return builder.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(length)))
  }

  private static var events: xmlSAXHandler {
    var events = xmlSAXHandler()
    events.startElement = { HTMLTreeBuilder.of($0)?.start($1, $2) }
    events.endElement = { pointer, _ in HTMLTreeBuilder.of(pointer)?.end() }
    events.characters = { HTMLTreeBuilder.of($0)?.add($1, $2) }
    events.ignorableWhitespace = events.characters
    // Scripts and styles are no text of the page, and comments are nothing.
    events.cdataBlock = { pointer, _, _ in HTMLTreeBuilder.of(pointer)?.silence = 0 }
    events.comment = { pointer, _ in HTMLTreeBuilder.of(pointer)?.silence = 0 }
    return events
  }

  // MARK: - The bytes

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    silence += 1
    work += silence - 1
    if Task.isCancelled {
      fail(.cancelled)
    } else if silence > Self.silenceLimit {
      let length = Self.silenceLimit * Self.pieceLength
      fail(.unreadable("The page has a tag or a comment of more than \(length) bytes."))
    } else if work > Self.workLimit {
      fail(.unreadable("The page has too many long tags or comments."))
    }
    let end = min(bytes.count, place + min(Self.pieceLength, buffer.count))
    guard failure == nil, place < end else { return 0 }
    buffer.copyBytes(from: bytes[place..<end])
    defer { place = end }
    return Int32(end - place)
  }

  private func fail(_ error: HTMLParsingError) {
    if failure == nil { failure = error }
  }

  // MARK: - The nodes

  private func start(_ name: UnsafePointer<xmlChar>?, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?)
  {
    silence = 0
    endText()
    guard open.count < Self.depthLimit else { return fail(.unreadable("The page is nested too deep.")) }
    var attributes: [HTMLDocument.Attribute] = []
    var place = 0
    // A name and a value, and so on; a nil ends them. In HTML a value may be missing.
    while let list, let name = list[place] {
      let value = list[place + 1].map {
        Self.text(of: UnsafeBufferPointer(start: $0, count: Int(xmlStrlen($0))))
      }
      attributes.append(HTMLDocument.Attribute(name: String(cString: name), value: value ?? ""))
      place += 2
    }
    let number = nodes.count
    add(.element(name.map { String(cString: $0) } ?? "", attributes))
    if failure == nil { open.append(number) }
  }

  private func end() {
    silence = 0
    endText()
    close()
  }

  private func close() {
    if let number = open.popLast() { nodes[number].end = nodes.count }
  }

  private func add(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
    silence = 0
    if failure == nil { text.append(contentsOf: UnsafeBufferPointer(start: characters, count: Int(count))) }
  }

  private func endText() {
    if text.isEmpty { return }
    add(.text(Self.text(of: text)))
    text.removeAll(keepingCapacity: true)
  }

  private func add(_ content: HTMLDocument.Content) {
    guard failure == nil else { return }
    guard nodes.count < Self.nodeLimit else {
      return fail(.unreadable("The page has more than \(Self.nodeLimit) elements and texts."))
    }
    nodes.append(Node(content: content, parent: open.last, end: nodes.count + 1))
  }

  private static func text(of utf8: some Collection<UInt8>) -> String {
    let text = String(decoding: utf8, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
    // `&#146;` stands for the character that windows-1252 has there (WHATWG HTML §13.2.5.80).
    var repaired = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = (0x80...0x9F).contains(scalar.value)
      repaired.append(isControl ? Windows1252.scalar(of: UInt8(scalar.value)) : scalar)
    }
    return String(repaired)
  }
}
