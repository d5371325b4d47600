import UnderstudyHTTP

extension HTTPArchive {
  /// The archive with placeholders in place of secrets.
  ///
  /// Every text is searched: URLs, header fields, cookies, bodies (those in base64 too), messages of WebSockets, errors,
  /// and the fields of other tools. Placeholders that are there stay, with what `_placeholders` says of them; new ones
  /// are numbered after them. What was redacted once is not changed by redacting it again.
  public func redacted(by redaction: Redaction) -> HTTPArchive {
    var texts = ArchiveTexts(Redactor(redaction))
    var archive = redacted(by: &texts)
    let table = texts.editor.table
    if !table.isEmpty { archive.log.placeholderTable = table.map { ($0.placeholder, $0.origin) } }
    return archive
  }

  /// The archive with placeholders in place of secrets, those that are known already among them.
  ///
  /// The table of placeholders stays as it was.
  func redacted(by texts: inout ArchiveTexts<Redactor>) -> HTTPArchive {
    keepPlaceholders(in: &texts)
    return HTTPArchive(texts.redacted(json, isChecked: true) { $0.archive($1) })
  }

  /// Where secrets stand: none in what ``redacted(by:)`` made with the same rules.
  public func secrets(by redaction: Redaction) -> [SecretFinding] {
    var texts = ArchiveTexts(Redactor(redaction))
    keepPlaceholders(in: &texts)
    texts.editor.begin(.learning)
    _ = texts.archive(json)
    texts.editor.assignPlaceholders()
    texts.editor.begin(.reporting)
    _ = texts.archive(json)
    return texts.editor.findings
  }

  /// Lets a walk know the placeholders of the archive.
  private func keepPlaceholders(in texts: inout ArchiveTexts<Redactor>) {
    for (placeholder, origin) in log.placeholderTable where Redactor.isPlaceholder(placeholder) {
      texts.editor.keep(placeholder, from: origin)
    }
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
