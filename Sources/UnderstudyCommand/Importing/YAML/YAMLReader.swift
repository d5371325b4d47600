import Foundation
import UnderstudyHTTP

/// An error in a YAML document.
struct YAMLError: Error, Equatable {
  /// The problem, as a sentence without a full stop.
  let message: String
  /// The line, from 1.
  let line: Int
}

/// A reader of YAML 1.1 as Psych (Ruby) and PyYAML write it, into the same values as JSON.
///
/// It reads block and flow collections, all styles of scalars, anchors and aliases, and the tags of texts, symbols and
/// plain collections. A binary scalar that is not UTF-8 becomes `{"base64_string": "…"}`, as both tools' JSON cassettes
/// have it. Tags of other objects, merge keys and documents after the first are refused.
struct YAMLReader {
  /// The depth at which input is refused, so that none exhausts the stack.
  private static let depthLimit = 200
  /// The values that aliases may repeat, so that a small file cannot fill the memory.
  private static let repeatLimit = 1_000_000

  /// The tag and the anchor of a node.
  struct Properties {
    var tag: String?
    var anchor: String?
  }

  var text: YAMLText
  private var anchors: [String: (value: JSONValue, size: Int)] = [:]
  private var repeated = 0
  private var depth = 0

  /// Parses a document in UTF-8.
  static func value(of data: Data) throws(YAMLError) -> JSONValue {
    guard String(exactlyUTF8: data) != nil else { throw YAMLError(message: "It is not UTF-8", line: 1) }
    var reader = YAMLReader(text: YAMLText([UInt8](data)))
    return try reader.document()
  }

  private init(text: YAMLText) {
    self.text = text
  }

  private mutating func document() throws(YAMLError) -> JSONValue {
    try text.skipToContent()
    while text.current == UInt8(ascii: "%"), text.column == 0 {
      text.skipLine()
      try text.skipToContent()
    }
    let isMarked = text.isDocumentMarker("---")
    if isMarked { text.advance(by: 3) }
    let value = try node(parent: -1, isCompact: !isMarked)
    try text.skipToContent()
    if text.isDocumentMarker("...") {
      text.advance(by: 3)
      try text.skipToContent()
    }
    guard text.isAtEnd else {
      throw text.error(
        text.isDocumentMarker("---") ? "It has several documents" : "Unexpected text after the document")
    }
    return value
  }

  // MARK: - Nodes

  /// Reads a node.
  ///
  /// - Parameters:
  ///   - parent: The column of the enclosing collection.
  ///   - allowsListAtParent: Whether a sequence may be in the column of the parent, as the value of a mapping.
  ///   - isCompact: Whether a collection may begin on this line.
  mutating func node(
    parent: Int, allowsListAtParent: Bool = false, isCompact: Bool
  ) throws(YAMLError) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit else { throw text.error("It is nested too deeply") }
    text.skipSpaces()
    if isCompact, let value = try collection(at: text.column) { return value }
    let line = text.line
    var properties = try self.properties()
    if text.isAtLineEnd {
      try text.skipToContent()
      let isList = text.isIndicator(UInt8(ascii: "-")) && allowsListAtParent && text.column == parent
      guard !text.isAtEnd, !text.isAtDocumentMarker, text.column > parent || isList else {
        return try finish(.null, text: "", properties, isPlain: true)
      }
      let anchor = properties.anchor
      let isTagged = properties.tag != nil
      if let value = try collection(at: text.column) {
        try demandReadable(properties.tag, line: line)
        return keep(value, as: anchor)
      }
      let inner = try self.properties()
      if isTagged, inner.tag != nil { throw text.error("A value has two tags") }
      properties = Properties(tag: inner.tag ?? properties.tag, anchor: inner.anchor ?? anchor)
    }
    return try scalarOrFlow(parent: parent, properties)
  }

  /// Reads a block collection that begins here; `nil` if none does.
  private mutating func collection(at column: Int) throws(YAMLError) -> JSONValue? {
    if text.isIndicator(UInt8(ascii: "-")) { return try sequence(at: column) }
    if text.isIndicator(UInt8(ascii: "?")) { return try mapping(at: column) }
    let start = text
    // A key is on one line.
    let isKey = (try? key()) != nil
    text = start
    return isKey ? try mapping(at: column) : nil
  }

  private mutating func sequence(at column: Int) throws(YAMLError) -> JSONValue {
    var elements: [JSONValue] = []
    while text.column == column, text.isIndicator(UInt8(ascii: "-")), !text.isAtDocumentMarker {
      text.advance(by: 1)
      elements.append(try node(parent: column, isCompact: true))
      try endLine(of: column)
    }
    return .array(elements)
  }

  private mutating func mapping(at column: Int) throws(YAMLError) -> JSONValue {
    var members: [JSONValue.Member] = []
    while text.column == column, !text.isAtEnd, !text.isAtDocumentMarker {
      let name: String
      if text.isIndicator(UInt8(ascii: "?")) {
        text.advance(by: 1)
        name = try self.name(of: try node(parent: column, isCompact: true))
        try text.skipToContent()
        guard text.column == column, text.isIndicator(UInt8(ascii: ":")) else {
          throw text.error("Expected \":\" with the value of a key")
        }
        text.advance(by: 1)
        members.append(.init(name, try node(parent: column, allowsListAtParent: true, isCompact: true)))
      } else {
        name = try key()
        guard name != "<<" else { throw text.error("Merge keys are not supported") }
        members.append(.init(name, try node(parent: column, allowsListAtParent: true, isCompact: false)))
      }
      try endLine(of: column)
    }
    return .object(members)
  }

  /// Moves to the next line with content, which must not be further right than the collection.
  private mutating func endLine(of column: Int) throws(YAMLError) {
    text.skipSpaces()
    guard text.isAtLineEnd || text.isIndentedOnly else { throw text.error("Unexpected text after a value") }
    try text.skipToContent()
    guard text.isAtEnd || text.column <= column else { throw text.error("Unexpected indentation") }
  }

  /// Reads a key and its colon.
  private mutating func key() throws(YAMLError) -> String {
    let properties = try self.properties()
    let value: JSONValue
    let line = text.line
    switch text.current {
    case UInt8(ascii: "*"): value = try alias()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): value = try scalarOrFlow(parent: text.column, properties)
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"), nil:
      throw text.error("Expected a key")
    default:
      let plain = text.plainLine(inFlow: false)
      value = try finish(.string(plain), text: plain, properties, isPlain: false)
    }
    text.skipSpaces()
    guard text.line == line, text.isIndicator(UInt8(ascii: ":")) else { throw text.error("Expected a key") }
    text.advance(by: 1)
    return try name(of: value)
  }

  func name(of value: JSONValue) throws(YAMLError) -> String {
    switch value {
    case .string(let name), .number(let name): return name
    case .boolean(let value): return value ? "true" : "false"
    case .null: return ""
    case .array, .object: throw text.error("A key is not a text")
    }
  }

  // MARK: - Tags, anchors and aliases

  /// Reads a tag and an anchor, in any order.
  mutating func properties() throws(YAMLError) -> Properties {
    var properties = Properties()
    while let byte = text.current {
      if byte == UInt8(ascii: "!"), properties.tag == nil {
        properties.tag = text.word()
      } else if byte == UInt8(ascii: "&"), properties.anchor == nil {
        properties.anchor = String(text.word().dropFirst())
      } else {
        break
      }
      text.skipSpaces()
    }
    return properties
  }

  /// Reads an alias, which repeats an earlier value.
  mutating func alias() throws(YAMLError) -> JSONValue {
    let name = String(text.word().dropFirst())
    // The value that contains the alias is not known yet.
    guard let anchor = anchors[name] else {
      throw text.error("The alias *\(name) refers to no earlier value")
    }
    repeated += anchor.size
    guard repeated < Self.repeatLimit else { throw text.error("Its aliases repeat too many values") }
    return anchor.value
  }

  mutating func keep(_ value: JSONValue, as anchor: String?) -> JSONValue {
    if let anchor { anchors[anchor] = (value, value.size) }
    return value
  }

  /// Checks that a collection with a tag can be read as a plain one.
  func demandReadable(_ tag: String?, line: Int? = nil) throws(YAMLError) {
    guard let tag, !Self.plainCollections.contains(where: { YAMLScalar.name(of: tag).hasPrefix($0) }) else {
      return
    }
    throw YAMLError(message: "The tag \(tag) is of an object that is not supported", line: line ?? text.line)
  }

  /// The tags of collections whose contents are those of a plain one; Ruby also tags subclasses and hashes that have
  /// instance variables.
  private static let plainCollections = [
    "map", "seq", "omap", "ruby/hash", "ruby/array", "ruby/string", "str", "python/tuple", "python/list",
    "python/dict",
  ]

  /// Applies the properties to a scalar.
  mutating func finish(
    _ value: JSONValue, text content: String, _ properties: Properties, isPlain: Bool
  ) throws(YAMLError) -> JSONValue {
    guard let result = YAMLScalar.value(of: value, text: content, tag: properties.tag) else {
      throw text.error("The tag \(properties.tag ?? "!") is not supported, or its value is invalid")
    }
    return keep(result, as: properties.anchor)
  }
}

extension JSONValue {
  /// The number of values in it.
  fileprivate var size: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let members): members.reduce(1) { $0 + $1.value.size }
    default: 1
    }
  }
}

extension YAMLReader {
  /// Reads a scalar, a flow collection or an alias, which begins on this line.
  mutating func scalarOrFlow(parent: Int, _ properties: Properties) throws(YAMLError) -> JSONValue {
    switch text.current {
    case UInt8(ascii: "*"):
      return try alias()
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try demandReadable(properties.tag)
      return keep(try flow(depth: 0), as: properties.anchor)
    case UInt8(ascii: "\""):
      let content = try text.doubleQuoted()
      return try finish(.string(content), text: content, properties, isPlain: false)
    case UInt8(ascii: "'"):
      let content = try text.singleQuoted()
      return try finish(.string(content), text: content, properties, isPlain: false)
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let content = try text.blockScalar(parent: parent)
      return try finish(.string(content), text: content, properties, isPlain: false)
    case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
      throw text.error("A text begins with a reserved character")
    default:
      let content = try text.plain(parent: parent)
      return try finish(YAMLScalar.plain(content), text: content, properties, isPlain: true)
    }
  }

  /// Reads `[…]` or `{…}`.
  private mutating func flow(depth: Int) throws(YAMLError) -> JSONValue {
    guard depth < 100 else { throw text.error("It is nested too deeply") }
    let isList = text.current == UInt8(ascii: "[")
    let end = isList ? UInt8(ascii: "]") : UInt8(ascii: "}")
    text.advance(by: 1)
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    while true {
      try text.skipFlowSpace()
      if text.current == end { break }
      if text.isIndicator(UInt8(ascii: "?")) {
        // A key that is long or has several lines.
        text.advance(by: 1)
        try text.skipFlowSpace()
      }
      let value = text.isIndicator(UInt8(ascii: ":")) ? .null : try flowNode(depth: depth)
      try text.skipFlowSpace()
      if isList {
        elements.append(value)
      } else {
        var member = JSONValue.null
        if text.current == UInt8(ascii: ":") {
          text.advance(by: 1)
          try text.skipFlowSpace()
          if text.current != UInt8(ascii: ","), text.current != end { member = try flowNode(depth: depth) }
          try text.skipFlowSpace()
        }
        members.append(.init(try name(of: value), member))
      }
      if text.current == end { break }
      guard text.current == UInt8(ascii: ",") else {
        throw text.error("Expected \",\" or \"\(isList ? "]" : "}")\"")
      }
      text.advance(by: 1)
    }
    text.advance(by: 1)
    return isList ? .array(elements) : .object(members)
  }

  private mutating func flowNode(depth: Int) throws(YAMLError) -> JSONValue {
    let properties = try self.properties()
    switch text.current {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try demandReadable(properties.tag)
      return keep(try flow(depth: depth + 1), as: properties.anchor)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "*"):
      return try scalarOrFlow(parent: -1, properties)
    default:
      let content = try text.plainInFlow()
      return try finish(YAMLScalar.plain(content), text: content, properties, isPlain: true)
    }
  }
}

/// The values of scalars.
enum YAMLScalar {
  /// Returns the name of a tag without its mark, such as `binary` for `!!binary`, `!binary` and
  /// `!<tag:yaml.org,2002:binary>`.
  static func name(of tag: String) -> String {
    var name = tag.drop { $0 == "!" }
    if name.hasPrefix("<") { name = name.dropFirst().prefix { $0 != ">" } }
    if name.hasPrefix("tag:yaml.org,2002:") { name = name.dropFirst("tag:yaml.org,2002:".count) }
    return String(name)
  }

  /// Returns the value of a plain scalar: null, a boolean, a number in the notation of JSON, or a text.
  ///
  /// Other notations of numbers and dates remain texts, which have all their characters.
  static func plain(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .boolean(true)
    case "false", "False", "FALSE": return .boolean(false)
    default:
      return text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+([eE][-+]?[0-9]+)?)?/#) == nil
        ? .string(text) : .number(text)
    }
  }

  /// Returns the value of a scalar with a tag; `nil` if the tag is not supported, or the base64 is invalid.
  static func value(of value: JSONValue, text: String, tag: String?) -> JSONValue? {
    guard let tag else { return value }
    switch name(of: tag) {
    case "binary", "python/bytes":
      guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else { return nil }
      if let text = String(exactlyUTF8: data) { return .string(text) }
      return .object([.init("base64_string", .string(data.base64EncodedString()))])
    case "ruby/symbol", "ruby/sym":
      return .string(text.hasPrefix(":") ? String(text.dropFirst()) : text)
    case "", "str", "python/unicode", "python/str", "ruby/string", "timestamp": return .string(text)
    case let name where name.hasPrefix("ruby/string:"): return .string(text)
    case "int", "float", "bool", "null": return plain(text)
    default: return nil
    }
  }
}
