/// An element of a page, with what is inside of it.
struct HTMLElement: Sendable {
  let document: HTMLDocument
  let index: Int

  private var node: HTMLDocument.Node { document.nodes[index] }

  /// The name in lower case; `nil` for what is no element.
  var name: String? {
    if case .element(let name, _) = node.content { name } else { nil }
  }

  /// The value of an attribute, as it stands in the page with its entities decoded.
  subscript(attribute: String) -> String? {
    guard case .element(_, let attributes) = node.content else { return nil }
    return attributes.first { $0.name == attribute }?.value
  }

  /// The names in the attribute `class`.
  var classes: [Substring] {
    self["class"]?.htmlWords ?? []
  }

  /// Whether it is an element of a name, and of a class if one is asked for.
  func isElement(_ name: String, class className: String? = nil) -> Bool {
    self.name == name && isOf(class: className)
  }

  private func isOf(class className: String?) -> Bool {
    className.map { classes.contains(Substring($0)) } ?? true
  }

  /// The elements directly inside.
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

  /// The elements of a name inside.
  func all(_ name: String, class className: String? = nil) -> [HTMLElement] {
    var found: [HTMLElement] = []
    var position = index
    while let element = next(name, class: className, after: position) {
      found.append(element)
      position = element.index
    }
    return found
  }

  /// The first element of a name inside.
  func first(_ name: String, class className: String? = nil) -> HTMLElement? {
    next(name, class: className, after: index)
  }

  /// The next element of a name inside, behind a place.
  ///
  /// Most nodes are looked at several times for each page, so the name is compared where it lies.
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

  /// All text inside, as it is shown: white space of any length is one space, and there is none at the ends.
  var text: String {
    var text = ""
    for node in document.nodes[index..<max(index + 1, node.end)] {
      if case .text(let piece) = node.content { text += piece }
    }
    return text.htmlWords.joined(separator: " ")
  }
}

extension StringProtocol {
  /// The parts between white space of HTML (WHATWG Infra, ASCII whitespace); a no-break space is none.
  var htmlWords: [Substring] {
    Substring(self).utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B }.map(Substring.init)
  }
}
