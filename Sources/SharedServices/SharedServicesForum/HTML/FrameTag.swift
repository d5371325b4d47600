/// A tag of `html`, `head` or `body`, which libxml2 would interpret by itself.
enum FrameTag: Equatable {
  case start(String)
  case end(String)

  private static let names = ["html", "head", "body"]
  private static let startSuffix = "-start"
  private static let endSuffix = "-end"

  /// The tag that a marked name stands for; `nil` for any other name.
  init?(marked name: String) {
    for frame in Self.names {
      switch name {
      case frame + Self.startSuffix: self = .start(frame)
      case frame + Self.endSuffix: self = .end(frame)
      default: continue
      }
      return
    }
    return nil
  }

  /// Returns the page with a mark at the name of every such tag.
  ///
  /// End tags become start tags, so that libxml2 reports them and ends no other element. A first tag makes it treat all
  /// text as text of an element, as it does not at the beginning of a page.
  static func marked(in page: [UInt8]) -> [UInt8] {
    var marked = Array("<html\(startSuffix)>".utf8)
    marked.reserveCapacity(page.count + 128)
    // A tag that does not end is not one.
    let lastEnd = page.lastIndex(of: UInt8(ascii: ">")) ?? -1
    var place = 0
    while let open = page[place...].firstIndex(of: UInt8(ascii: "<")) {
      let isEnd = open + 1 < page.count && page[open + 1] == UInt8(ascii: "/")
      let start = open + (isEnd ? 2 : 1)
      marked.append(contentsOf: page[place...open])
      if let end = endOfName(page, from: start), end <= lastEnd {
        marked.append(contentsOf: page[start..<end])
        marked.append(contentsOf: (isEnd ? endSuffix : startSuffix).utf8)
        // A slash separates attributes as a space does.
        let isSlash = page[end...].starts(with: "/".utf8) && !page[end...].starts(with: "/>".utf8)
        if isSlash { marked.append(UInt8(ascii: " ")) }
        place = isSlash ? end + 1 : end
      } else {
        place = open + 1
      }
    }
    marked.append(contentsOf: page[place...])
    return marked
  }

  /// Returns the text of an attribute without the marks that it has because it contains such a tag.
  static func unmarked(in value: String) -> String {
    guard value.contains("<"), value.contains(startSuffix) || value.contains(endSuffix) else { return value }
    return value.replacing(/<((?i:html|head|body))-(start|end)/) { match in
      (match.2 == "end" ? "</" : "<") + match.1
    }
  }

  /// The place after one of the names, if one is at a place and is a whole name.
  private static func endOfName(_ page: [UInt8], from start: Int) -> Int? {
    let end = start + 4
    guard end < page.count, [0x20, 0x09, 0x0A, 0x0C, 0x2F, 0x3E].contains(page[end]) else { return nil }
    // In ASCII, a letter and its lower-case form differ in this bit.
    let name = page[start..<end].lazy.map { $0 | 0x20 }
    return names.contains { $0.utf8.elementsEqual(name) } ? end : nil
  }
}
