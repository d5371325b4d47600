import Foundation

/// Known in the module alone, with plain throws, and not `Sendable`: as most apps begin.
protocol AccountServiceProtocol {
  var isSignedIn: Bool { get }
  func signIn(email: String, password: String) async throws -> Session
  func signOut() throws
  func currentUser() -> User?
  func update(_ user: User) async throws
  @discardableResult func refresh(force: Bool) async throws -> Date
}

struct User {
  let id: UUID
  var name: String
  var photo: URL?
}

struct Session {
  let token: String
  let user: User
  let expires: Date
}

enum AccountError: LocalizedError {
  case invalidCredentials
  case emailTaken(String)
  case network(any Error)
  case server(statusCode: Int)
  case decodingFailed
  case unknown
}
