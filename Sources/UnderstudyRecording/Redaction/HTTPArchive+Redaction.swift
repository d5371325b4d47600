import UnderstudyTransport

extension HTTPArchive {
  /// The archive with placeholders in place of secrets.
  ///
  /// Every text is searched: URLs, header fields, cookies, bodies (those in base64 too), messages of WebSockets, errors,
  /// and the fields of other tools. Placeholders that are there stay, with what `_placeholders` says of them; new ones
  /// are numbered after them. What was redacted once is not changed by redacting it again.
  public func redacted(by redaction: Redaction) -> HTTPArchive {
    var texts = texts(redaction)
    var archive = HTTPArchive(texts.redacted(json, isChecked: true) { $0.archive($1) })
    let table = texts.editor.table
    if !table.isEmpty { archive.log.placeholderTable = table.map { ($0.placeholder, $0.origin) } }
    return archive
  }

  /// Where secrets stand: none in what ``redacted(by:)`` made with the same rules.
  public func secrets(by redaction: Redaction) -> [SecretFinding] {
    var texts = texts(redaction)
    texts.editor.begin(.learning)
    _ = texts.archive(json)
    texts.editor.assignPlaceholders()
    texts.editor.begin(.reporting)
    _ = texts.archive(json)
    return texts.editor.findings
  }

  /// A walk that knows the placeholders of the archive.
  private func texts(_ redaction: Redaction) -> ArchiveTexts<Redactor> {
    var redactor = Redactor(redaction)
    for (placeholder, origin) in log.placeholderTable where Redactor.isPlaceholder(placeholder) {
      redactor.keep(placeholder, from: origin)
    }
    return ArchiveTexts(redactor)
  }
}

extension HTTPArchive.Log {
  /// The placeholders in order, and where the secret behind each was first seen.
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
