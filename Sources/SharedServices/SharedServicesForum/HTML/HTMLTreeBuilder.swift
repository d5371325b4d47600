import SharedServices

#if canImport(libxml2)
  import libxml2
#else
  import SharedServicesLibXML2
#endif

/// Parses a page with libxml2 and builds nodes from its events.
///
/// libxml2 parses HTML 4: it reports no `body` tag after the body has begun, drops its attributes, and ends elements
/// at the tags of the frame. It therefore receives these tags as those of elements that it does not know
/// (``FrameTag``), and the nodes of the frame are built here, as the HTML standard says.
///
/// libxml2 compares each attribute of a tag with all previous ones, so parsing may take quadratic time. Only libxml2
/// knows where a tag ends, because quotes, comments and scripts may contain `<` and `>`. The page is therefore passed
/// in pieces, and the limit applies to the number of pieces that libxml2 reads without reporting an event.
final class HTMLTreeBuilder {
  typealias Node = HTMLDocument.Node

  /// The size of a piece, in bytes.
  private static let pieceLength = 1_024
  /// The maximum number of pieces without an event: a tag or a comment of 64 kB.
  private static let silenceLimit = 64
  /// The maximum total cost of pieces without an event, about n² / 2 for n in a row: four tags of 64 kB, or any number
  /// of 1 kB.
  private static let workLimit = 8_192
  /// The maximum number of nodes of a page: far more than forty threads need.
  private static let nodeLimit = 200_000
  /// The maximum nesting depth of elements.
  private static let depthLimit = 256

  private let bytes: [UInt8]
  private var place = 0
  private var silence = 0
  private var work = 0

  /// The first node is the `html` element.
  private var nodes = [Node(content: .element("html", []), parent: nil, end: 1)]
  /// The index of the body, once it has begun.
  private var body: Int?
  /// The indices of the elements that libxml2 has open; `nil` for one that has no node of its own, or none any more.
  private var open: [Int?] = []
  private var isWhole = false
  /// The text since the last tag, in UTF-8.
  private var text: [UInt8] = []
  private var failure: HTMLParsingError?

  private init(_ bytes: [UInt8]) {
    self.bytes = FrameTag.marked(in: bytes)
  }

  /// Returns the nodes of a page in UTF-8, and whether the page has a tag at its end.
  static func nodes(ofUTF8 bytes: [UInt8]) throws(HTMLParsingError) -> ([Node], isWhole: Bool) {
    _ = libraryIsReady
    guard let context = htmlNewParserCtxt(), let handler = context.pointee.sax else {
      throw .unreadable("libxml2 has no memory for a parser.")
    }
    defer { htmlFreeParserCtxt(context) }
    let builder = HTMLTreeBuilder(bytes)
    let options = [
      HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_IGNORE_ENC,
      HTML_PARSE_NOIMPLIED,
    ].reduce(0) { $0 | Int32(truncatingIfNeeded: $1.rawValue) }
    withExtendedLifetime(builder) {
      let pointer = Unmanaged.passUnretained(builder).toOpaque()
      handler.pointee = events
      context.pointee.userData = pointer
      // No document is created, because no event handler creates one.
      xmlFreeDoc(htmlCtxtReadIO(context, read, nil, pointer, nil, "UTF-8", options))
    }
    if let failure = builder.failure { throw failure }
    // The parser stopped in the middle; this flag is the only sign of it.
    guard context.pointee.disableSAX == 0 else { throw .unreadable("libxml2 has no memory for the page.") }
    builder.endText()
    while !builder.open.isEmpty { builder.close() }
    if let body = builder.body { builder.nodes[body].end = builder.nodes.count }
    builder.nodes[0].end = builder.nodes.count
    return (builder.nodes, builder.isWhole)
  }

  // MARK: - libxml2 callbacks

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
    // Scripts, styles and comments are not part of the page's text.
    events.cdataBlock = { pointer, _, _ in HTMLTreeBuilder.of(pointer)?.silence = 0 }
    events.comment = { pointer, _ in HTMLTreeBuilder.of(pointer)?.silence = 0 }
    return events
  }

  // MARK: - Reading bytes

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

  // MARK: - Building nodes

  private func start(_ name: UnsafePointer<xmlChar>?, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?)
  {
    silence = 0
    endText()
    guard open.count < Self.depthLimit else { return fail(.unreadable("The page is nested too deep.")) }
    var attributes: [HTMLDocument.Attribute] = []
    var place = 0
    // The list alternates names and values and ends with `nil`. In HTML a value may be missing.
    while let list, let name = list[place] {
      let value = list[place + 1].map {
        Self.text(of: UnsafeBufferPointer(start: $0, count: Int(xmlStrlen($0))))
      }
      attributes.append(
        HTMLDocument.Attribute(name: String(cString: name), value: FrameTag.unmarked(in: value ?? "")))
      place += 2
    }
    start(name.map { String(cString: $0) } ?? "", attributes)
  }

  private func start(_ name: String, _ attributes: [HTMLDocument.Attribute]) {
    switch FrameTag(marked: name) {
    case .start("html"):
      addMissing(attributes, to: 0)
      open.append(nil)
    case .start("body"):
      startBody()
      if let body { addMissing(attributes, to: body) }
      open.append(nil)
    case .end("html"):
      isWhole = true
      open.append(nil)
    // The head needs no node, and the body ends with the page (WHATWG HTML §13.2.6.4.19).
    case .start, .end: open.append(nil)
    case nil:
      if !Self.namesInHead.contains(name) { startBody() }
      endTableParts(before: name)
      let number = nodes.count
      add(.element(name, attributes))
      open.append(failure == nil ? number : nil)
    }
  }

  /// The elements that do not end the head (WHATWG HTML §13.2.6.4.4).
  private static let namesInHead: Set<String> = [
    "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template",
    "title",
  ]

  /// Begins the body if it has not begun, which ends the head with everything that is open in it.
  private func startBody() {
    guard body == nil else { return }
    for place in open.indices { endNode(at: place) }
    body = nodes.count
    add(.element("body", []))
  }

  /// Ends what a cell, a row or a group of rows ends by its beginning, with everything that is open in it (WHATWG HTML
  /// §13.2.6.4.13 to 15).
  ///
  /// libxml2 ends only cells and rows in which nothing else is open.
  private func endTableParts(before name: String) {
    let kept: Set<String>
    switch name {
    case "td", "th": kept = ["table", "tbody", "thead", "tfoot", "tr"]
    case "tr": kept = ["table", "tbody", "thead", "tfoot"]
    case "tbody", "thead", "tfoot": kept = ["table"]
    default: return
    }
    func place(of names: Set<String>) -> Int? {
      open.lastIndex { number in
        guard let number, case .element(let name, _) = nodes[number].content else { return false }
        return names.contains(name)
      }
    }
    guard let table = place(of: ["table"]), let last = place(of: kept) else { return }
    for place in (max(table, last) + 1)..<open.count { endNode(at: place) }
  }

  /// Ends the node of an element that libxml2 still has open.
  private func endNode(at place: Int) {
    if let number = open[place] { nodes[number].end = nodes.count }
    open[place] = nil
  }

  /// Adds the attributes that an element lacks, as a tag of an element does that may not be repeated.
  private func addMissing(_ attributes: [HTMLDocument.Attribute], to number: Int) {
    guard case .element(let name, var all) = nodes[number].content else { return }
    for attribute in attributes where !all.contains(where: { $0.name == attribute.name }) {
      all.append(attribute)
    }
    nodes[number].content = .element(name, all)
  }

  private func end() {
    silence = 0
    endText()
    close()
  }

  private func close() {
    if let number = open.popLast() ?? nil { nodes[number].end = nodes.count }
  }

  private func add(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
    silence = 0
    if failure == nil { text.append(contentsOf: UnsafeBufferPointer(start: characters, count: Int(count))) }
  }

  private func endText() {
    if text.isEmpty { return }
    defer { text.removeAll(keepingCapacity: true) }
    if body == nil, !open.contains(where: { $0 != nil }) {
      // White space before the body belongs to no element.
      if text.allSatisfy({ $0 <= 0x20 }) { return }
      startBody()
    }
    add(.text(Self.text(of: text)))
  }

  private func add(_ content: HTMLDocument.Content) {
    guard failure == nil else { return }
    guard nodes.count < Self.nodeLimit else {
      return fail(.unreadable("The page has more than \(Self.nodeLimit) elements and texts."))
    }
    let parent = open.last { $0 != nil } ?? body ?? 0
    nodes.append(Node(content: content, parent: parent, end: nodes.count + 1))
  }

  private static func text(of utf8: some Collection<UInt8>) -> String {
    let text = String(decoding: utf8, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
    // `&#146;` is the character that windows-1252 assigns to 146 (WHATWG HTML §13.2.5.80).
    var repaired = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = (0x80...0x9F).contains(scalar.value)
      repaired.append(isControl ? Windows1252.scalar(of: UInt8(scalar.value)) : scalar)
    }
    return String(repaired)
  }
}
