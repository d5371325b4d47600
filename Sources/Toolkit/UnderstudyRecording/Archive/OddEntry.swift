import Foundation
import UnderstudyHTTP

/// A reader of entries that violate HAR 1.2 where their meaning is plain.
///
/// Some tools write numbers for text and text for numbers, objects for empty lists, lists of values of a field, or
/// base64 with line breaks and without padding. A value whose meaning is not plain is unchanged, so that the entry is
/// still invalid.
enum OddEntry {
  /// Returns the entry as HAR 1.2 requires it, as far as its meaning is plain.
  static func corrected(_ entry: JSONValue) -> JSONValue {
    corrected(entry, as: .entry)
  }

  private static func corrected(_ value: JSONValue, as object: ArchiveObject) -> JSONValue {
    guard case .object(var members) = value else { return value }
    if object == .postData { members = withDocument(members) }
    let rules = object.members
    members = members.compactMap { member in
      guard let rule = rules.first(where: { $0.name == member.name }) else { return member }
      return corrected(member.value, rule.kind, named: rule.name, in: object).map { .init(member.name, $0) }
    }
    if object == .entry, !members.contains(where: { $0.name == "response" }) {
      members.append(.init("response", missingResponse))
    }
    if let base64 = object.base64, let position = members.lastIndex(where: { $0.name == base64.content }),
      let text = members[position].value.stringValue, isBase64(members, base64.sign)
    {
      members[position] = .init(base64.content, .string(padded(text)))
    }
    return .object(members)
  }

  /// Returns the value of a member; `nil` if the member is left out, because the exchange does not depend on it.
  private static func corrected(
    _ value: JSONValue, _ kind: ArchiveRule.Kind, named name: String, in object: ArchiveObject
  ) -> JSONValue? {
    switch (kind, value) {
    case (.object(.response), .null): missingResponse
    case (.count, .null) where name == "status": .number("0")
    case (_, .null): .null
    case (.text, _): text(value, named: name, in: object)
    case (.number, _): number(value)
    case (.count, _): count(value)
    case (.object(let kind), .object): corrected(value, as: kind)
    case (.object(let kind), _):
      kind == .content || kind == .postData ? body(value) : kind.isNeeded ? value : nil
    case (.list(let kind), .array(let elements)):
      .array(elements.compactMap { kind == .pair ? pair($0) : corrected($0, as: kind) })
    case (.list(.pair), .object(let members)):
      .array(
        members.compactMap { pair(.object([.init("name", .string($0.name)), .init("value", $0.value)])) })
    case (.array, .array): value
    case (.list, _), (.array, _): nil
    case (.entries, _): value
    }
  }

  /// Some tools write status -1 or -2 for a request without a response.
  private static func count(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number where (value.numberValue ?? 0) < 0: .number("0")
    case .string(let text): Int(text).map { .number("\(max(0, $0))") } ?? value
    default: value
    }
  }

  private static func number(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .number: value.numberValue?.isFinite == true ? value : nil
    case .string(let text): Double(text).flatMap { $0.isFinite ? JSONValue($0) : nil }
    default: nil
    }
  }

  private static func text(_ value: JSONValue, named name: String, in object: ArchiveObject) -> JSONValue? {
    switch value {
    case .string: value
    // A request without its method or its URL has no plain meaning.
    case _ where object == .request && (name == "method" || name == "url"): value
    case .number(let digits): .string(digits)
    case .boolean(let value): .string(value ? "true" : "false")
    case .array(let elements) where object == .pair && elements.allSatisfy(\.isScalar):
      // As browsers join the values of a repeated field.
      .string(elements.map { $0.stringValue ?? $0.compactText }.joined(separator: "\n"))
    case .array, .object:
      // A parsed document in place of its text.
      name == "text" || object == .pair ? .string(value.compactText) : nil
    case .null: .null
    }
  }

  /// Returns the members of `postData` with the text of a JSON document in place of its members in `params`, whose
  /// values have any type.
  private static func withDocument(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    let body = JSONValue.object(members)
    guard FlattenedJSON.isRecorded(as: body["mimeType"]?.stringValue),
      [nil, .null, .string("")].contains(body["text"]), case .array(let params) = body["params"],
      !params.isEmpty
    else { return members }
    var pairs: [(name: String, value: JSONValue)] = []
    for param in params {
      guard let name = param["name"]?.stringValue else { return members }
      pairs.append((name, param["value"] ?? .null))
    }
    return members.filter { !["text", "params"].contains($0.name) } + [
      .init("text", .string(FlattenedJSON.document(of: pairs).compactText)),
      .init("_flattened", .boolean(true)),
    ]
  }

  private static func body(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string: .object([.init("text", value)])
    case .array(let elements) where elements.isEmpty: .object([])
    default: value
    }
  }

  /// Returns a field, a cookie or an item; `nil` if it has no name.
  ///
  /// Some tools write a line of text.
  private static func pair(_ value: JSONValue) -> JSONValue? {
    if let line = value.stringValue {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let rest = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return HTTPArchive.NamedValue(name: String(line[..<colon]), value: rest).json
    }
    let pair = corrected(value, as: .pair)
    return pair["name"]?.stringValue == nil ? nil : pair
  }

  private static var missingResponse: JSONValue {
    .object([
      .init("status", .number("0")),
      .init("_error", .string("The recording has no response to this request.")),
    ])
  }

  // MARK: Base64

  private static func isBase64(_ members: [JSONValue.Member], _ sign: String) -> Bool {
    let value = members.last { $0.name == sign }?.value
    return value?.stringValue == "base64" || value?.integerValue == 2
  }

  /// Returns base64 without line breaks (RFC 2045 §6.8), in the standard alphabet, and with its padding.
  private static func padded(_ text: String) -> String {
    let digits = text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != UInt8(ascii: "=") }.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
    let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
    let padded = String(decoding: digits, as: UTF8.self) + padding
    return Data(base64Encoded: padded) == nil ? text : padded
  }
}

extension JSONValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}

extension ArchiveObject {
  /// Whether an exchange depends on the object.
  fileprivate var isNeeded: Bool {
    switch self {
    case .request, .response, .document, .log, .entry: true
    default: false
    }
  }
}
