// The module of the errors and of a protocol, which ForeignErrors imports, as the core of an app.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum CoreError: Error {
  case offline, unauthorized
}

public struct CoreFailure: Error {
  public let status: Int

  public init(status: Int) {
    self.status = status
  }
}

public struct Token: Hashable, Sendable {
  public let text: String
}

// generated
public protocol Authorizing: Sendable {
  func authorize(_ name: String) async throws(CoreError) -> Token
}
