package import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any AuthService {
  /// The contract of every ``/SharedServices/AuthService`` implementation.
  public static var authService: Self {
    Contract("authentication") {
      Clause.signingIn
      Clause.signingOut
      Clause.refreshing
      Clause.authUsers
      Clause.authFailures
    }
  }
}

extension Trial where Subject == any AuthService {
  /// Signs in to the implementation's account and returns that account.
  package func signedIn() async throws -> Account {
    let account = try await given(.account)
    _ = try await subject.signIn(account)
    return account
  }

  /// Starts twenty refreshes, so that the others can share the exchange of the first.
  func twentyRefreshes(_ held: CallHold) async -> [Task<Void, any Error>] {
    let first = Task { try await subject.refresh() }
    await held.wait(forCalls: 1)
    return [first] + (1...19).map { _ in Task { try await subject.refresh() } }
  }

  /// Expects a user to be signed in, or no user.
  package func expect(
    signedIn user: UUID?, _ when: String, fileID: String = #fileID, line: Int = #line
  ) async {
    do throws(AppError) {
      let current = try await subject.currentUserID()
      expect(
        current == user, "Expected \(Self.words(user)) \(when), found \(current).", fileID: fileID, line: line
      )
    } catch {
      expect(
        user == nil && error == .authentication(.notSignedIn),
        "Expected \(Self.words(user)) \(when), found \(error).", fileID: fileID, line: line)
    }
  }

  private static func words(_ user: UUID?) -> String {
    user.map { "\($0) to be signed in" } ?? "no user to be signed in"
  }
}

extension AuthService {
  package func signIn(_ account: Account) async throws(AppError) -> UUID {
    try await signIn(email: account.email, password: account.password)
  }
}

extension ServiceCall where Service == any AuthService {
  /// One call of each kind that reaches a server.
  static func all(signingInAs account: Account) -> [ServiceCall] {
    [
      ServiceCall(name: "signIn") { _ = try await $0.signIn(account) },
      ServiceCall(name: "refresh") { try await $0.refresh() },
      ServiceCall(name: "signOut") { try await $0.signOut() },
    ]
  }
}
