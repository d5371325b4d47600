extension JSONValue {
  /// One step of the path from a document to a value in it.
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)

    /// The path as text, such as `log.entries[3].request`; the document itself is `the document`.
    package static func text(of path: [Step]) -> String {
      guard !path.isEmpty else { return "the document" }
      return path.reduce(into: "") { text, step in
        switch step {
        case .member(let name): text += text.isEmpty ? name : ".\(name)"
        case .element(let index): text += "[\(index)]"
        }
      }
    }
  }
}
