import Foundation
import UnderstudyHTTP

/// The metadata of a journal line, besides its entry.
///
/// ```json
/// {"order":4,"secrets":2,"placeholders":{"redacted-2":"request header apikey"},"entry":{"startedDateTime":…}}
/// ```
struct JournalLine: Sendable {
  /// The number of the request; lines are in the order in which exchanges ended.
  var order: Int
  /// The number of secrets that were known when the line was written.
  var secretCount: Int
  /// Whether the entry contains base64, in which copies of a secret cannot be detected.
  var hasBase64: Bool
  /// The new placeholders, and where their secrets were first seen.
  var placeholders: [Redactor.Row]
  /// The placeholders that represent other secrets from this line on, with their new names in earlier lines.
  var renamed: [(old: String, new: String)]
  /// Whether the entry is in a later line with the same order, because it has become longer.
  var isMoved = false

  /// The number of spaces at the end of a new line.
  ///
  /// A placeholder that is longer than its secret can then be inserted into the line where it is.
  private static let reserve = 48

  private static let mark = Array(#","entry":"#.utf8)

  /// Writes the line.
  ///
  /// - Parameter length: The length of the line, if it replaces one.
  /// - Returns: Whether it has this length.
  @discardableResult func write(with entry: JSONValue, into bytes: inout [UInt8], length: Int? = nil) -> Bool
  {
    let start = bytes.count
    var members: [JSONValue.Member] = [
      .init("order", JSONValue(order)), .init("secrets", JSONValue(secretCount)),
    ]
    if hasBase64 { members.append(.init("hasBase64", .boolean(true))) }
    if isMoved { members.append(.init("isMoved", .boolean(true))) }
    func add(_ name: String, _ pairs: [(String, String)]) {
      guard !pairs.isEmpty else { return }
      members.append(.init(name, .object(pairs.map { .init($0, .string($1)) })))
    }
    add("placeholders", placeholders.filter { !$0.isKept }.map { ($0.placeholder, $0.origin) })
    add("kept", placeholders.filter { $0.isKept }.map { ($0.placeholder, $0.origin) })
    add("renamed", renamed.map { ($0.old, $0.new) })
    JSONValue.object(members + [.init("entry", entry)]).write(into: &bytes)
    let missing = length.map { $0 - 1 - (bytes.count - start) } ?? Self.reserve
    guard missing >= 0 else { return false }
    bytes += repeatElement(0x20, count: missing)
    bytes.append(0x0A)
    return true
  }

  /// Parses a line without its line end; `nil` if it is invalid.
  ///
  /// - Returns: The metadata, and the range of the entry, which is not parsed.
  static func read(_ bytes: ArraySlice<UInt8>) -> (line: JournalLine, entry: Range<Int>)? {
    let bytes = bytes[..<(bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? bytes.startIndex)]
    // No string can contain the mark, because its quotes would be escaped.
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      bytes.last == UInt8(ascii: "}"),
      let head = try? JSONValue(parsing: Data(bytes[..<start] + [UInt8(ascii: "}")])),
      let order = head["order"]?.integerValue, let secretCount = head["secrets"]?.integerValue
    else { return nil }
    let line = JournalLine(
      order: order, secretCount: secretCount, hasBase64: head["hasBase64"] != nil,
      placeholders: pairs(head["placeholders"]).map { .init(placeholder: $0.0, origin: $0.1) }
        + pairs(head["kept"]).map { .init(placeholder: $0.0, origin: $0.1, isKept: true) },
      renamed: pairs(head["renamed"]).map { (old: $0.0, new: $0.1) }, isMoved: head["isMoved"] != nil)
    return (line, (start + mark.count)..<(bytes.endIndex - 1))
  }

  private static func pairs(_ object: JSONValue?) -> [(String, String)] {
    guard case .object(let members) = object else { return [] }
    return members.map { ($0.name, $0.value.stringValue ?? "") }
  }
}
