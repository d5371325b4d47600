import Foundation
import UnderstudyHTTP

extension HTTPArchive {
  /// Returns the archive with placeholders in place of secrets.
  ///
  /// All texts are searched: URLs, header fields, cookies, bodies (also base64), WebSocket messages, errors, and the
  /// fields of other tools. Existing placeholders and their rows in `_placeholders` are preserved; new ones are
  /// numbered after them. Redaction is idempotent.
  package func redacted(by redaction: Redaction) -> HTTPArchive {
    var texts = ArchiveTexts(Redactor(redaction))
    var archive = redacted(by: &texts)
    let table = texts.editor.table
    if !table.isEmpty { archive.log.placeholderTable = table.map { ($0.placeholder, $0.origin) } }
    return archive
  }

  /// Returns the archive with placeholders in place of secrets, including secrets that are already known.
  ///
  /// The table of placeholders remains unchanged.
  func redacted(by texts: inout ArchiveTexts<Redactor>) -> HTTPArchive {
    keepPlaceholders(in: &texts)
    return HTTPArchive(texts.redacted(json, isChecked: true) { $0.archive($1) })
  }

  /// Returns the positions of secrets; empty for the result of ``redacted(by:)`` with the same rules.
  package func secrets(by redaction: Redaction) -> [SecretMatch] {
    var texts = ArchiveTexts(Redactor(redaction))
    keepPlaceholders(in: &texts)
    texts.editor.begin(.learning)
    _ = texts.archive(json)
    texts.editor.assignPlaceholders()
    texts.editor.begin(.reporting)
    _ = texts.archive(json)
    return texts.editor.matches
  }

  /// The media types of the bodies and messages that are not texts, and their numbers.
  ///
  /// The rules cannot read them: in them, only copies of secrets that are also elsewhere are found.
  package var unreadBodies: [(mediaType: String, count: Int)] {
    var counts: [String: Int] = [:]
    func add(_ body: Data?, _ mediaType: String?) {
      guard let body, !body.isEmpty else { return }
      let bytes = [UInt8](body)
      let text = BodyCoding.decoded(bytes)?.text ?? bytes
      guard !text.withUnsafeBufferPointer(SecretScanner.isText) else { return }
      let name = mediaType?.prefix { $0 != ";" }.lowercased() ?? ""
      counts[name.isEmpty ? "unknown type" : name, default: 0] += 1
    }
    for entry in entries {
      if let postData = entry.request.postData { add(postData.body, postData.mimeType) }
      add(entry.response.content.body, entry.response.content.mimeType)
      for message in entry.webSocketMessages where message.opcode == 2 {
        add(Data(base64Encoded: message.data), "WebSocket message")
      }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Adds the placeholders of the archive to a walk.
  private func keepPlaceholders(in texts: inout ArchiveTexts<Redactor>) {
    for (placeholder, origin) in log.placeholderTable where Redactor.isPlaceholder(placeholder) {
      texts.editor.keep(placeholder, from: origin)
    }
  }
}

extension HTTPArchive.Log {
  /// The placeholders in order, and where each secret was first seen.
  var placeholderTable: [(placeholder: String, origin: String)] {
    get {
      guard case .object(let members) = self["_placeholders"] else { return [] }
      return members.map { ($0.name, $0.value.stringValue ?? "") }
    }
    set {
      self["_placeholders"] = .object(newValue.map { .init($0.placeholder, .string($0.origin)) })
    }
  }
}
