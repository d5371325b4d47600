import Foundation
import UnderstudyHTTP

/// One condition of a binding's `filter`: `name=eq.Mia`, `age=not.in.(6,7)`.
struct RealtimeCondition: Sendable, CustomStringConvertible {
  let column: String
  private let operation: String
  private let value: String
  private let isNegated: Bool

  /// Why a text is no condition.
  struct Malformed: Error {
    let reason: String
  }

  private static let operations: Set = [
    "eq", "neq", "lt", "lte", "gt", "gte", "in", "like", "ilike", "is", "match", "imatch", "isdistinct",
  ]

  /// Conditions with commas between them, of which a row must meet all.
  static func list(_ text: String) throws(Malformed) -> [RealtimeCondition] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { return [] }
    var conditions: [RealtimeCondition] = []
    for part in parts(of: text) { conditions.append(try RealtimeCondition(part)) }
    return conditions
  }

  /// Cut at the commas outside of parentheses and quotes.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var (depth, isQuoted, isEscaped) = (0, false, false)
    var last: Character?
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if character == "\\" { isEscaped = true }
        if character == "\"" { isQuoted = false }
      } else if character == "\"" {
        // Elsewhere it is a character like any other.
        if let last, ".(,".contains(last) { isQuoted = true }
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth = max(0, depth - 1)
      } else if character == ",", depth == 0 {
        parts.append("")
        last = nil
        continue
      }
      parts[parts.count - 1].append(character)
      last = character
    }
    return parts
  }

  private init(_ text: String) throws(Malformed) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else {
      throw Malformed(reason: "filter must not contain empty segments (check for extra commas)")
    }
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2 else { throw Malformed(reason: "[\"\(text)\"]") }
    isNegated = sides[1].hasPrefix("not.")
    let parts = (isNegated ? sides[1].dropFirst(4) : sides[1][...])
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, Self.operations.contains(parts[0]) else {
      throw Malformed(reason: "[\(parts.map { "\"\($0)\"" }.joined(separator: ", "))]")
    }
    column = sides[0]
    operation = parts[0]
    if operation == "in" {
      guard parts[1].count >= 2, parts[1].hasPrefix("("), parts[1].hasSuffix(")") else {
        throw Malformed(reason: "`in` filter value must be wrapped by parentheses")
      }
      value = "{" + parts[1].dropFirst().dropLast() + "}"
    } else {
      value = Self.unquoted(parts[1])
    }
  }

  /// What is between quotes, if the whole text is.
  private static func unquoted(_ text: String) -> String {
    guard text.first == "\"" else { return text }
    var content = ""
    var isEscaped = false
    for (index, character) in text.enumerated().dropFirst() {
      if isEscaped {
        content.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return index == text.count - 1 ? content : text
      } else {
        content.append(character)
      }
    }
    return text
  }

  /// The condition for the rows of a table (`realtime.check_equality_op`, `realtime.subscription_check_filters`).
  ///
  /// - Throws: P0001 for a column or a value that the server refuses, and for a regular expression, which this one
  ///   does not read; class 22 for a value that the column's type does not have.
  func filter(for layout: RowLayout) throws(PostgRESTError) -> RowFilter {
    guard layout.positions[column] != nil else {
      throw PostgRESTError(code: "P0001", message: "invalid column for filter \(column)")
    }
    let filter: Filter
    switch operation {
    case "in":
      let values = try ArrayLiteral.elements(of: value)
      guard values.count <= 100 else {
        throw PostgRESTError(code: "P0001", message: "too many values for `in` filter. Maximum 100")
      }
      filter = .among(column: column, values.map { $0.map(DatabaseValue.text) ?? .null })
    case "is":
      guard let state = Filter.State(rawValue: value), state != .notNull else {
        throw PostgRESTError(
          code: "P0001", message: "invalid value for is filter: must be null, true, false, or unknown")
      }
      filter = .state(column: column, state)
    case "like", "ilike":
      filter = .like(column: column, pattern: value, ignoresCase: operation == "ilike")
    default:
      guard let comparison = Filter.Comparison(rawValue: operation) else {
        throw PostgRESTError(
          code: "P0001", message: "This emulator reads no regular expressions, so no \(operation) filter.")
      }
      filter = .comparison(column: column, comparison, .text(value))
    }
    return try RowFilter(isNegated ? .not(filter) : filter, for: layout)
  }

  /// As the server's messages show it.
  var description: String { "{\"\(column)\", \"\(operation)\", \"\(value)\", \(isNegated)}" }
}
