/// An error as PostgreSQL reports it.
package struct PostgreSQLError: Error, Hashable, Sendable {
  /// The five characters of SQLSTATE (PostgreSQL documentation, appendix A).
  package var code: String
  package var message: String
  package var detail: String?
  package var hint: String?
  /// The byte of the script at which a statement is wrong, if it is known.
  package var position: Int?

  package init(
    _ code: String, _ message: String, detail: String? = nil, hint: String? = nil, position: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.detail = detail
    self.hint = hint
    self.position = position
  }
}

extension PostgreSQLError {
  /// The code of what PostgreSQL can do and this engine cannot; PostgreSQL has no such code.
  package static let notSupportedCode = "UNDER"

  /// What PostgreSQL can do and this engine cannot.
  package static func notSupported(_ what: String, instead: String? = nil, position: Int? = nil) -> Self {
    Self(
      notSupportedCode, "\(what) is not supported by the in-memory database", hint: instead,
      position: position)
  }
}
