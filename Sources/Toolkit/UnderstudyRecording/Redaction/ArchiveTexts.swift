import Foundation
import Understudy
import UnderstudyHTTP

/// An editor of the texts of an archive.
protocol ArchiveEditor: Sendable {
  /// Returns the edits of a text, in order and without overlaps.
  mutating func edits(in text: SecretScanner.Bytes, _ place: ArchivePlace) -> [ByteEdit]

  /// Returns whether all values of a member with this name are secrets.
  func isSecret(memberNamed name: String) -> Bool

  /// Whether it reads the paths of texts (default: no), which take time to follow.
  var readsPaths: Bool { get }
}

extension ArchiveEditor {
  var readsPaths: Bool { false }
}

/// The position of a text in an archive.
struct ArchivePlace {
  /// The sender: `request` or `response`.
  var side: String
  /// The role of the text in its message.
  var part: String
  var kind: SecretScanner.Kind
  /// The path from the archive; empty, unless the editor reads paths.
  var path: [JSONValue.Step]

  /// A description of the position, for the table of placeholders.
  var words: String {
    switch kind {
    case .header(let name), .field(let name), .queryItem(let name), .number(let name):
      "\(side) \(part) \(name)"
    default: "\(side) \(part)"
    }
  }
}

/// A walk over all texts of an archive with their roles: a URL, a header field value, a base64 body and others.
///
/// Each function returns the replacement of a value, or `nil` if it is unchanged.
struct ArchiveTexts<Editor: ArchiveEditor>: Sendable {
  var editor: Editor
  private var path: [JSONValue.Step] = []
  private var side = "request"

  init(_ editor: Editor) {
    self.editor = editor
  }

  mutating func archive(_ archive: JSONValue) -> JSONValue? {
    members(of: archive) { texts, member in
      guard member.name == "log" else { return texts.anything(member.value, part: "log") }
      return texts.members(of: member.value) { texts, member in
        switch member.name {
        case "entries": texts.elements(of: member.value) { $0.entry($1) }
        // The editor updates the table of placeholders.
        case "_placeholders": nil
        case "_fixtures": texts.anything(member.value, part: "fixtures")
        default: texts.anything(member.value, part: "log")
        }
      }
    }
  }

  mutating func entry(_ entry: JSONValue) -> JSONValue? {
    side = "request"
    defer { side = "request" }
    return members(of: entry) { texts, member in
      switch member.name {
      case "request":
        texts.side = "request"
        return texts.message(member.value, body: "postData", encoding: "_encoding")
      case "response":
        texts.side = "response"
        return texts.message(member.value, body: "content", encoding: "encoding")
      case "_webSocketMessages":
        return texts.elements(of: member.value) { $0.webSocketMessage($1) }
      case "_webSocketEnd":
        texts.side = "response"
        return texts.end(member.value, part: "entry")
      case "startedDateTime": return nil
      default:
        return texts.anything(member.value, part: "entry")
      }
    }
  }

  /// Edits a request or a response.
  private mutating func message(_ message: JSONValue, body: String, encoding: String) -> JSONValue? {
    var lengths: (old: Int, new: Int)?
    let changed = members(of: message) { texts, member in
      switch member.name {
      case "headers", "_trailers":
        texts.pairs(member.value, part: "header") { .header($0) }
      case "cookies":
        texts.pairs(member.value, part: "cookie") { [side = texts.side] in
          .cookie($0, in: side == "request" ? "Cookie" : "Set-Cookie")
        }
      case "queryString":
        texts.pairs(member.value, part: "query item") { .queryItem($0) }
      case body:
        texts.body(member.value, encoding: encoding, &lengths)
      case "url": texts.anything(member.value, part: "URL")
      case "_error": texts.anything(member.value, part: "error")
      // Keywords of the format, which no secret may change.
      case "method", "httpVersion": nil
      default: texts.anything(member.value, part: member.name)
      }
    }
    guard let lengths, changed?["bodySize"]?.integerValue == lengths.old else { return changed }
    return changed?.setting("bodySize", JSONValue(lengths.new))
  }

  /// Edits names with values.
  private mutating func pairs(
    _ list: JSONValue, part: String, _ kind: (String) -> SecretScanner.Kind
  ) -> JSONValue? {
    elements(of: list) { texts, pair in
      let name = pair["name"]?.stringValue ?? ""
      return texts.members(of: pair) { texts, member in
        switch (member.name, member.value) {
        case ("value", .string(let text)): texts.text(text, part, kind(name)).map(JSONValue.string)
        case ("name", .string(let text)): texts.text(text, part, .copies).map(JSONValue.string)
        default: texts.anything(member.value, part: part)
        }
      }
    }
  }

  private mutating func webSocketMessage(_ message: JSONValue) -> JSONValue? {
    side = message["type"]?.stringValue == "receive" ? "response" : "request"
    let isBinary = message["opcode"]?.integerValue == 2
    return members(of: message) { texts, member in
      guard member.name != "type" else { return nil }
      guard member.name == "data", case .string(let data) = member.value else {
        return texts.anything(member.value, part: "message")
      }
      return texts.encoded(data, isBase64: isBinary, "message", .text).map { .string($0.text) }
    }
  }

  /// Edits the end of a body or a WebSocket; keywords of the format are unchanged.
  private mutating func end(_ end: JSONValue, part: String) -> JSONValue? {
    members(of: end) { texts, member in
      ["code", "by"].contains(member.name) ? nil : texts.anything(member.value, part: part)
    }
  }

  // MARK: Bodies

  private mutating func body(
    _ body: JSONValue, encoding: String, _ lengths: inout (old: Int, new: Int)?
  ) -> JSONValue? {
    let isBase64 = body[encoding]?.stringValue == "base64"
    let type = body["mimeType"]?.stringValue
    let isForm = type?.lowercased().hasPrefix(KeyedRequest.formType) ?? false
    var redacted: RedactedBytes?
    var length = 0
    let changed = members(of: body) { texts, member in
      switch (member.name, member.value) {
      case ("text", .string(let text)):
        guard let body = texts.encoded(text, isBase64: isBase64, "body", isForm ? .form : .text) else {
          return nil
        }
        redacted = body.redacted
        length = body.length
        return .string(body.text)
      case ("params", let value): return texts.pairs(value, part: "body field") { .field($0) }
      case ("_stream", let value):
        return texts.members(of: value) { texts, member in
          member.name == "end"
            ? texts.end(member.value, part: "error") : texts.anything(member.value, part: "error")
        }
      case (encoding, _): return nil
      default: return texts.anything(member.value, part: "body")
      }
    }
    guard let redacted, var changed else { return changed }
    lengths = (length, redacted.bytes.count)
    if changed["size"]?.integerValue == length {
      changed = changed.setting("size", JSONValue(redacted.bytes.count))
    }
    return changed["_stream"].map { changed.setting("_stream", $0.cutting(redacted, of: length)) } ?? changed
  }

  /// Edits a text that may be base64.
  private mutating func encoded(
    _ text: String, isBase64: Bool, _ part: String, _ kind: SecretScanner.Kind
  ) -> (text: String, redacted: RedactedBytes, length: Int)? {
    guard isBase64, let data = Data(base64Encoded: text) else {
      return redacted(text, part, kind).map {
        (String(decoding: $0.bytes, as: UTF8.self), $0, text.utf8.count)
      }
    }
    let place = place(part, kind)
    let bytes = [UInt8](data)
    if let (coding, text) = BodyCoding.decoded(bytes) {
      let edits = text.withUnsafeBufferPointer { editor.edits(in: $0, place) }
      guard !edits.isEmpty else { return nil }
      let encoded = coding.encoded(RedactedBytes(text, replacing: edits).bytes)
      let redacted = RedactedBytes(bytes, replacing: [(0..<bytes.count, encoded)])
      return (Data(encoded).base64EncodedString(), redacted, bytes.count)
    }
    let edits = bytes.withUnsafeBufferPointer { editor.edits(in: $0, place) }
    guard !edits.isEmpty else { return nil }
    let redacted = RedactedBytes(bytes, replacing: edits)
    return (Data(redacted.bytes).base64EncodedString(), redacted, bytes.count)
  }

  // MARK: Other values

  /// Edits a value whose role only follows from the names of its members.
  mutating func anything(_ value: JSONValue, part: String) -> JSONValue? {
    anything(value, part, .text)
  }

  private mutating func anything(
    _ value: JSONValue, _ part: String, _ kind: SecretScanner.Kind
  ) -> JSONValue? {
    switch value {
    case .string(let text): return self.text(text, part, kind).map(JSONValue.string)
    case .number(let digits):
      // Only the value of a secret member.
      switch kind {
      case .field(let name), .inside(let name):
        return self.text(digits, part, .number(name)).map(JSONValue.number)
      default: return nil
      }
    case .array:
      // If a name marks its value as a secret, each element of an array is a secret.
      return elements(of: value) { $0.anything($1, part, kind) }
    case .object(let members):
      var inherited: SecretScanner.Kind?
      switch kind {
      case .field(let name) where editor.isSecret(memberNamed: name): inherited = .inside(name)
      case .inside: inherited = kind
      default: break
      }
      let changed = self.members(of: value) { [inherited] texts, member in
        let isNamed = inherited == nil || texts.editor.isSecret(memberNamed: member.name)
        return texts.anything(member.value, part, isNamed ? .field(member.name) : inherited ?? .text)
      }
      let names = members.map { text($0.name, part, .copies) }
      guard names.contains(where: { $0 != nil }), case .object(let members) = changed ?? value else {
        return changed
      }
      return .object(zip(names, members).map { .init($0 ?? $1.name, $1.value) })
    case .null, .boolean: return nil
    }
  }

  private mutating func text(_ text: String, _ part: String, _ kind: SecretScanner.Kind) -> String? {
    redacted(text, part, kind).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private mutating func redacted(
    _ text: String, _ part: String, _ kind: SecretScanner.Kind
  ) -> RedactedBytes? {
    guard !text.isEmpty else { return nil }
    let place = place(part, kind)
    var text = text
    return text.withUTF8 { bytes in
      let edits = editor.edits(in: bytes, place)
      return edits.isEmpty ? nil : RedactedBytes(bytes, replacing: edits)
    }
  }

  private func place(_ part: String, _ kind: SecretScanner.Kind) -> ArchivePlace {
    ArchivePlace(side: side, part: part, kind: kind, path: path)
  }

  private mutating func elements(
    of value: JSONValue, _ edit: (inout Self, JSONValue) -> JSONValue?
  ) -> JSONValue? {
    guard case .array(let elements) = value else { return anything(value, part: "log") }
    var changed: [JSONValue]?
    for (index, element) in elements.enumerated() {
      if editor.readsPaths { path.append(.element(index)) }
      if let new = edit(&self, element) {
        if changed == nil { changed = elements }
        changed?[index] = new
      }
      if editor.readsPaths { path.removeLast() }
    }
    return changed.map(JSONValue.array)
  }

  private mutating func members(
    of value: JSONValue, _ edit: (inout Self, JSONValue.Member) -> JSONValue?
  ) -> JSONValue? {
    guard case .object(let members) = value else { return anything(value, part: "log") }
    var changed: [JSONValue.Member]?
    for (index, member) in members.enumerated() {
      if editor.readsPaths { path.append(.member(member.name)) }
      if let new = edit(&self, member) {
        if changed == nil { changed = members }
        changed?[index] = .init(member.name, new)
      }
      if editor.readsPaths { path.removeLast() }
    }
    return changed.map(JSONValue.object)
  }
}

extension JSONValue {
  /// Returns the object with a new value of an existing member.
  fileprivate func setting(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self, let place = members.lastIndex(where: { $0.name == name }) else {
      return self
    }
    members[place] = .init(name, value)
    return .object(members)
  }

  /// Returns a `_stream` with chunk sizes adjusted to the edits of the body.
  fileprivate func cutting(_ redacted: RedactedBytes, of length: Int) -> JSONValue {
    guard case .array(let chunks) = self["chunks"] else { return self }
    var position = 0
    let cut = chunks.map { chunk in
      let size = max(0, chunk["size"]?.integerValue ?? 0)
      let start = redacted.place(of: position)
      // A size beyond the end is an error of the file.
      position += min(size, length - position)
      return chunk.setting("size", JSONValue(redacted.place(of: position) - start))
    }
    return setting("chunks", .array(cut))
  }
}
