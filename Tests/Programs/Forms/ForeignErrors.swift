// The errors, the models and a protocol of another module.

import Errors

// generated
protocol ForeignError: Sendable {
  func sessions() async throws(CoreError) -> [String]
  func revoke(_ completion: @escaping @Sendable (Result<Void, CoreError>) -> Void)
}

// No declaration names the module of the error, which the file has to import for the function from a fault.
// generated --failure CoreError.init --import Errors
protocol ForeignErrorOfPlainThrows: Sendable {
  func sessions() async throws -> [String]
}

// generated --failure CoreFailure.init --import Errors
protocol ForeignStructureAsError: Sendable {
  func sessions() async throws -> [String]
  func refresh() throws(CoreFailure)
}

// generated
protocol ForeignModel: Sendable {
  func token() async throws(CoreError) -> Token
  func keep(_ token: Token?) -> Result<Token, CoreError>
}

// generated
// logged: isAuthorized
protocol RefinesForeign: Authorizing {
  var isAuthorized: Bool { get }
  func revoke() async throws(CoreError)
}
