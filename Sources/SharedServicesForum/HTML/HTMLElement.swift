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

extension StringProtocol {
  /// The parts between ASCII whitespace (WHATWG Infra), which does not include the no-break space.
  var htmlWords: [Substring] {
    Substring(self).utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B }.map(Substring.init)
  }
}
