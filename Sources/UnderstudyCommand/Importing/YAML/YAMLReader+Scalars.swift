import Foundation
import UnderstudyHTTP

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
