package import Foundation

extension JSONValue {
  /// One step on the way from a document to a value in it.
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)

    /// A path as in `log.entries[3].request`; the document itself is `the document`.
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

  /// How many bytes stand before a value in the text of its document; 0 where there is none.
  ///
  /// Reads the text again, so that a value need not carry its place.
  package static func offset(of path: [Step], in data: Data) -> Int {
    var parser = JSONParser(data)
    return (try? parser.offset(of: path[...])) ?? 0
  }
}

extension JSONParser {
  fileprivate mutating func offset(of path: ArraySlice<JSONValue.Step>) throws(JSONValue.ParsingError) -> Int?
  {
    skipSpace()
    guard let step = path.first else { return position }
    let rest = path.dropFirst()
    var found: Int?
    var index = 0
    let isObject = skip("{")
    guard isObject || skip("[") else { return nil }
    while true {
      skipSpace()
      if skip("}") || skip("]") { return found }
      var here = JSONValue.Step.element(index)
      if isObject {
        here = .member(try string())
        skipSpace()
        guard skip(":") else { throw failure }
      }
      if here == step {
        var inner = self
        // Of two members with one name the last one counts.
        found = try inner.offset(of: rest)
      }
      _ = try value(depth: 0)
      skipSpace()
      _ = skip(",")
      index += 1
    }
  }
}
