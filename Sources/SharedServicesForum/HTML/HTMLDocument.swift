/// A page of HTML as a tree, which is a value: nothing of the parser that read it is left.
struct HTMLDocument: Sendable {
  /// An attribute of an element.
  struct Attribute: Sendable {
    let name: String
    let value: String
  }

  /// What stands at a place of the tree.
  enum Content: Sendable {
    /// An element, its name in lower case.
    case element(String, [Attribute])
    case text(String)
  }

  /// A place of the tree.
  struct Node: Sendable {
    let content: Content
    /// The number of the node around it.
    let parent: Int?
    /// The number after that of the last node inside.
    var end: Int
  }

  /// The nodes in the order of the page, each before those inside of it.
  let nodes: [Node]

  /// The elements in the order of the page.
  var elements: some Sequence<HTMLElement> {
    nodes.indices.lazy.map { HTMLElement(document: self, index: $0) }.filter { $0.name != nil }
  }
}

/// A page that cannot be read as a tree.
enum HTMLParsingError: Error, Equatable {
  /// What is wrong, for a developer.
  case unreadable(String)
  /// The task was cancelled before the page was read.
  case cancelled
}
