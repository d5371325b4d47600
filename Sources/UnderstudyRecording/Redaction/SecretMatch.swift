import UnderstudyHTTP

/// A secret in an archive.
package struct SecretMatch: Sendable, Hashable, CustomStringConvertible {
  /// The index of the entry, from 0; `nil` outside of the entries.
  package let entryIndex: Int?
  /// The field, as in `log.entries[3].request.headers[2].value`.
  package let field: String
  /// The rule that detected it.
  ///
  /// One of `header field`, `cookie`, `named field`, `prefix`, `web token`, `private key`, `password in a URL`,
  /// `literal`, `copy of a secret`, or the name of a ``Redaction/Rule``.
  package let rule: String
  /// The length of the secret in bytes.
  package let length: Int

  init(at path: [JSONValue.Step], rule: String, length: Int) {
    field = JSONValue.Step.text(of: path)
    if path.count > 2, path[1] == .member("entries"), case .element(let index) = path[2] {
      entryIndex = index
    } else {
      entryIndex = nil
    }
    self.rule = rule
    self.length = length
  }

  /// The field, the rule and the length, but not the secret.
  package var description: String { "\(field): a secret of \(length) bytes (\(rule))" }
}
