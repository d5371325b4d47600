import Foundation
import UnderstudyHTTP

/// A search for the lines on which values of a JSON document start, in one pass over its text.
///
/// The text must be valid JSON; of two members with one name the last one counts.
struct JSONLines {
  private struct Node {
    var children: [JSONValue.Step: Int] = [:]
    /// The indices of the paths that end here.
    var paths: [Int] = []
  }

  private struct Container {
    let isArray: Bool
    /// The paths to find inside; `nil` without such paths.
    let node: Int?
    /// The number of elements so far.
    var count = 0
    /// The member whose value is next; `nil` if a name is next.
    var member: Int?
    var awaitsName = true
  }

  private var nodes = [Node()]
  private var found: [Int]
  private var containers: [Container] = []
  private var line = 1

  /// Returns the line of each value, from 1; 1 if the value is not found.
  static func lines(of paths: [[JSONValue.Step]], in text: Data) -> [Int] {
    var lines = JSONLines(paths)
    text.withUnsafeBytes { lines.scan($0) }
    return lines.found
  }

  private init(_ paths: [[JSONValue.Step]]) {
    found = paths.map { _ in 1 }
    for (number, path) in paths.enumerated() {
      var node = 0
      for step in path {
        if let child = nodes[node].children[step] {
          node = child
        } else {
          nodes.append(Node())
          nodes[node].children[step] = nodes.count - 1
          node = nodes.count - 1
        }
      }
      nodes[node].paths.append(number)
    }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ":"): break
      case UInt8(ascii: ","):
        if let last = containers.indices.last {
          containers[last].count += 1
          containers[last].awaitsName = true
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let node = begin()
        containers.append(Container(isArray: bytes[position] == UInt8(ascii: "["), node: node))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
      case UInt8(ascii: "\""):
        let end = Self.endOfString(from: position, in: bytes)
        let text = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        if !take(name: text) { _ = begin() }
        position = end - 1
      default:
        _ = begin()
        while position + 1 < bytes.count, !", \t\r\n]}".utf8.contains(bytes[position + 1]) { position += 1 }
      }
      position += 1
    }
  }

  /// Records the line of a value that starts here.
  ///
  /// - Returns: The paths to find inside.
  private mutating func begin() -> Int? {
    let node: Int?
    if let last = containers.last {
      let inside = last.node
      node = last.isArray ? inside.flatMap { nodes[$0].children[.element(last.count)] } : last.member
    } else {
      node = 0
    }
    if let node { for path in nodes[node].paths { found[path] = line } }
    return node
  }

  /// Reads a string as the name of a member, if a name is next.
  private mutating func take(name quoted: UnsafeRawBufferPointer) -> Bool {
    guard let last = containers.indices.last, !containers[last].isArray, containers[last].awaitsName else {
      return false
    }
    containers[last].awaitsName = false
    containers[last].member = nil
    if let node = containers[last].node, let name = (try? JSONValue(parsing: Data(quoted)))?.stringValue {
      containers[last].member = nodes[node].children[.member(name)]
    }
    return true
  }

  /// Returns the position after the closing quotation mark.
  private static func endOfString(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }
}
