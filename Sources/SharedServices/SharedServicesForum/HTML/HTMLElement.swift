/// An element of a page, with its descendants.
struct HTMLElement: Sendable {
  let document: HTMLDocument
  let index: Int

  private var node: HTMLDocument.Node { document.nodes[index] }

  /// The name in lower case; `nil` for a node that is not an element.
  var name: String? {
    if case .element(let name, _) = node.content { name } else { nil }
  }

  /// The value of an attribute with its entities decoded.
  subscript(attribute: String) -> String? {
    guard case .element(_, let attributes) = node.content else { return nil }
    return attributes.first { $0.name == attribute }?.value
  }

  /// The names in the `class` attribute.
  var classes: [Substring] {
    self["class"]?.htmlWords ?? []
  }

  /// Whether this is an element with a name, and with a class if one is given.
  func isElement(_ name: String, class className: String? = nil) -> Bool {
    self.name == name && isOf(class: className)
  }

  private func isOf(class className: String?) -> Bool {
    className.map { classes.contains(Substring($0)) } ?? true
  }

  /// The child elements.
  var children: [HTMLElement] {
    var children: [HTMLElement] = []
    var next = index + 1
    while next < node.end {
      let child = HTMLElement(document: document, index: next)
      if child.name != nil { children.append(child) }
      next = child.node.end
    }
    return children
  }

  /// Returns the descendants with a name.
  func all(_ name: String, class className: String? = nil) -> [HTMLElement] {
    var found: [HTMLElement] = []
    var position = index
    while let element = next(name, class: className, after: position) {
      found.append(element)
      position = element.index
    }
    return found
  }

  /// Returns the first descendant with a name.
  func first(_ name: String, class className: String? = nil) -> HTMLElement? {
    next(name, class: className, after: index)
  }

  /// Returns the first descendant with a name after a position.
  ///
  /// Most nodes are checked several times for each page, so the name is compared without copying it.
  private func next(_ name: String, class className: String?, after position: Int) -> HTMLElement? {
    var place = position + 1
    while place < node.end {
      if case .element(name, _) = document.nodes[place].content {
        let element = HTMLElement(document: document, index: place)
        if element.isOf(class: className) { return element }
      }
      place += 1
    }
    return nil
  }

  /// The text of all descendants as displayed: white space is collapsed and trimmed.
  var text: String {
    var text = ""
    for node in document.nodes[index..<max(index + 1, node.end)] {
      if case .text(let piece) = node.content { text += piece }
    }
    return text.htmlWords.joined(separator: " ")
  }
}

extension HTMLElement {
  /// The text of all descendants as it is written: the spaces in it are kept, those at its ends are not.
  var verbatimText: String {
    var text = ""
    for node in document.nodes[index..<max(index + 1, node.end)] {
      if case .text(let piece) = node.content { text += piece }
    }
    return text.withoutOuterSpaces
  }

  /// The text up to the first line break or the end of the first block that has text, as displayed.
  var firstParagraph: String {
    var text = ""
    var ends: Set<Int> = []
    for place in (index + 1)..<max(index + 1, node.end) {
      if ends.contains(place), !text.htmlWords.isEmpty { break }
      switch document.nodes[place].content {
      case .text(let piece): text += piece
      case .element(let name, _):
        guard Self.breaks.contains(name) else { continue }
        if !text.htmlWords.isEmpty { return text.htmlWords.joined(separator: " ") }
        ends.insert(document.nodes[place].end)
      }
    }
    return text.htmlWords.joined(separator: " ")
  }

  private static let breaks: Set<String> = [
    "br", "hr", "p", "div", "center", "blockquote", "ul", "ol", "li", "table", "tr", "td", "h1", "h2", "h3",
    "form",
  ]

  /// Whether an element is inside this one.
  func contains(_ other: HTMLElement) -> Bool { other.index > index && other.index < node.end }
}

extension StringProtocol {
  /// The text without ASCII whitespace at its ends.
  fileprivate var withoutOuterSpaces: String {
    guard let first = htmlWords.first, let last = htmlWords.last else { return "" }
    return String(self[first.startIndex..<last.endIndex])
  }

  /// The parts between ASCII whitespace (WHATWG Infra), which does not include the no-break space.
  var htmlWords: [Substring] {
    Substring(self).utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B }.map(Substring.init)
  }
}
