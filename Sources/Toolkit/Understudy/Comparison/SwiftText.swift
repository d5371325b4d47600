import Foundation
import UnderstudyText

/// Values as Swift code.
enum SwiftText {
  /// The value as an expression; `nil` if it may have no initializer that code could call.
  ///
  /// - Parameters:
  ///   - isTyped: Whether the context gives the type of a case of an enumeration.
  ///   - replace: Returns the code for a part, such as a reference to an earlier answer; `nil` to write its value.
  static func of(
    _ value: Any, isTyped: Bool = true, label: String = "",
    replacing replace: (_ part: Any, _ label: String) -> String? = { _, _ in nil }
  ) -> String? {
    if let text = replace(value, label) ?? simple(value) { return text }
    let mirror = Mirror(reflecting: value)
    let outer = label
    func parts(_ children: Mirror.Children) -> String? {
      var texts: [String] = []
      for child in children {
        guard let text = of(child.value, label: child.label ?? outer, replacing: replace) else { return nil }
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
        if label?.hasPrefix("_") == true || label?.hasPrefix("$") == true { return nil }
        texts.append((label.map { "\($0): " } ?? "") + text)
      }
      return texts.joined(separator: ", ")
    }
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { of($0.value, isTyped: isTyped, label: label, replacing: replace) }
        ?? "nil"
    case .collection, .set: return parts(mirror.children).map { "[\($0)]" }
    case .dictionary:
      let pairs = mirror.children.map {
        Mirror(reflecting: $0.value).children.map { of($0.value, replacing: replace) }
      }
      guard pairs.allSatisfy({ $0.count == 2 && $0[0] != nil && $0[1] != nil }) else { return nil }
      return pairs.isEmpty
        ? "[:]" : "[" + pairs.map { "\($0[0] ?? ""): \($0[1] ?? "")" }.sorted().joined(separator: ", ") + "]"
    case .tuple: return parts(mirror.children).map { "(\($0))" }
    case .struct:
      guard !isOfLibrary(type(of: value)) else { return nil }
      return parts(mirror.children).map { "\(name(of: type(of: value)))(\($0))" }
    case .enum:
      let type = isTyped ? "" : name(of: type(of: value))
      guard let child = mirror.children.first, let label = child.label else {
        return caseName(of: value).map { "\(type).\($0)" }
      }
      let isTuple = Mirror(reflecting: child.value).displayStyle == .tuple
      // A single value with a label is a tuple for the mirror, too.
      guard
        let inner = isTuple
          ? parts(Mirror(reflecting: child.value).children) : of(child.value, replacing: replace)
      else { return nil }
      return "\(type).\(label)(\(inner))"
    default: return nil
    }
  }

  private static func simple(_ value: Any) -> String? {
    switch value {
    case is Void: "()"
    case let value as Bool: "\(value)"
    case let value as String: literal(value)
    case let value as Character: "Character(\(literal(String(value))))"
    case let value as Double: number(value, "Double")
    case let value as Float: number(Double(value), "Float")
    case let value as any FixedWidthInteger: "\(value)"
    case let value as Date: "Date(timeIntervalSinceReferenceDate: \(value.timeIntervalSinceReferenceDate))"
    case let value as UUID: "UUID(uuidString: \"\(value)\")!"
    case let value as URL: "URL(string: \(literal(value.absoluteString)))!"
    case let value as Data:
      value.isEmpty ? "Data()" : "Data([\(value.map { "\($0)" }.joined(separator: ", "))])"
    case let value as Decimal: "Decimal(string: \"\(value)\")!"
    case let value as Duration: "Duration\(value.swift.hasPrefix(".") ? value.swift : "." + value.swift)"
    default: nil
    }
  }

  private static func number(_ value: Double, _ type: String) -> String {
    value.isNaN ? "\(type).nan" : value.isInfinite ? "\(value < 0 ? "-" : "")\(type).infinity" : "\(value)"
  }

  private static func isOfLibrary(_ type: Any.Type) -> Bool {
    ["Swift.", "Foundation.", "FoundationEssentials.", "Synchronization."].contains {
      String(reflecting: type).hasPrefix($0)
    }
  }

  /// A text as a literal in which every scalar can be read.
  static func literal(_ text: String) -> String {
    if text.utf8.count > 40, let one = text.unicodeScalars.first,
      text.unicodeScalars.allSatisfy({ $0 == one })
    {
      return "String(repeating: \(literal(String(one))), count: \(text.unicodeScalars.count))"
    }
    return "\""
      + text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case " "..."~": "\(scalar)"
        default: scalar.spelledOut
        }
      }.joined() + "\""
  }

  /// The name of a type without its module.
  static func name(of type: Any.Type) -> String {
    if type == Void.self { return "Void" }
    let parts = String(reflecting: type).split(separator: ".", omittingEmptySubsequences: false)
    // A private type has its file in parentheses.
    return parts.dropFirst().filter { !$0.hasPrefix("(") && !$0.hasPrefix("$") }.joined(separator: ".")
  }

  /// The name of the case of an enumeration; `nil` for other values.
  static func caseName(of value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
      return enumCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name)
  }

  /// The type and the case of an error, without what the case carries but other cases.
  static func kind(of error: any Error) -> String {
    func cases(_ value: Any) -> String {
      guard let name = caseName(of: value) else { return "" }
      let inner = Mirror(reflecting: value).children.first.map { cases($0.value) } ?? ""
      return ".\(name)" + (inner.isEmpty ? "" : "(\(inner))")
    }
    return name(of: type(of: error)) + cases(error)
  }

  /// The properties by which code reaches a part of a value: those of a path, or else those of an equal part.
  static func path(
    in value: Any, along path: [PathStep], to tree: ValueTree, of type: Any.Type? = nil
  ) -> String? {
    let isWanted = { (part: Any) in
      ValueTree(of: part) == tree && type.map { $0 == Swift.type(of: part) } ?? true
    }
    return walk(value, path[...], to: isWanted) ?? search(value, for: isWanted)
  }

  private static func walk(_ value: Any, _ path: ArraySlice<PathStep>, to isWanted: (Any) -> Bool) -> String?
  {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, !path.isEmpty {
      return mirror.children.first.flatMap { walk($0.value, path, to: isWanted) }.map { "!" + $0 }
    }
    switch (path.first, mirror.displayStyle) {
    case (nil, _): return isWanted(value) ? "" : nil
    case (.member(let name)?, .struct), (.member(let name)?, .class):
      return mirror.children.first { $0.label == name }.flatMap {
        walk($0.value, path.dropFirst(), to: isWanted)
      }
      .map { ".\(name)\($0)" }
    case (.element(let place)?, .collection):
      return mirror.children.dropFirst(place).first.flatMap { walk($0.value, path.dropFirst(), to: isWanted) }
        .map { "[\(place)]\($0)" }
    default: return nil
    }
  }

  private static func search(_ value: Any, for isWanted: (Any) -> Bool) -> String? {
    if isWanted(value) { return "" }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { search($0.value, for: isWanted) }.map { "!" + $0 }
    case .collection:
      for (place, child) in mirror.children.enumerated() {
        if let path = search(child.value, for: isWanted) { return "[\(place)]\(path)" }
      }
      return nil
    case .struct where !isOfLibrary(type(of: value)):
      for child in mirror.children {
        guard let label = child.label, !label.hasPrefix("_"), !label.hasPrefix("$") else { continue }
        if let path = search(child.value, for: isWanted) { return ".\(label)\(path)" }
      }
      return nil
    default: return nil
    }
  }
}

/// The runtime's function behind the description of an enumeration, which a `description` of its own hides.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
