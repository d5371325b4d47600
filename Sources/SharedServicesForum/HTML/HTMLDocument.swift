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
    let content: Content
    /// The index of the parent node.
    let parent: Int?
    /// The index after the last descendant.
    var end: Int
  }

  /// The nodes in document order, each before its descendants.
  let nodes: [Node]

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
