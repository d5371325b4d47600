import Foundation
import Understudy
import UnderstudyPostgreSQL

/// The hash of a secret of the client, which the exchange of an auth code requires (RFC 7636 §4.2).
struct CodeChallenge: Hashable {
  enum Method: String {
    case sha256 = "s256"
    case plain
  }

  let text: String
  let method: Method

  /// - Returns: `nil` for a request without one.
  /// - Throws: `validation_failed` for an invalid one (`validatePKCEParams`).
  init?(_ text: String, method: String) throws(AuthAPIError) {
    guard text.isEmpty == method.isEmpty else {
      throw .validationFailed("PKCE flow requires code_challenge_method and code_challenge")
    }
    guard !text.isEmpty else { return nil }
    guard 43...128 ~= text.utf8.count else {
      throw .validationFailed("code challenge has to be between 43 and 128 characters")
    }
    guard text.wholeMatch(of: /[a-zA-Z._~0-9-]+/) != nil else {
      throw .validationFailed(
        "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes")
    }
    // GoTrue reports an unknown method as an error of its own (`ParseCodeChallengeMethod`).
    guard let method = Method(rawValue: method.lowercased()) else { throw .unexpectedFailure }
    self.text = text
    self.method = method
  }

  /// Whether it is the challenge of a verifier (RFC 7636 §4.6).
  func accepts(_ verifier: String) -> Bool {
    switch method {
    case .sha256: text == Base64URL.text(of: Digest.sha256(verifier.utf8))
    case .plain: text == verifier
    }
  }
}

/// A sign-in whose link returns an auth code, which the client exchanges for a session (`models.FlowState`).
struct CodeExchange {
  /// The auth code.
  let code: String
  let userID: UUID
  /// How the user signs in (`models.AuthenticationMethod`).
  let method: String
  let challenge: CodeChallenge
  let createdAt: Date
  /// When a link returned the code; `nil` before.
  var issuedAt: Date?

  /// `flow_state_expiry_duration`, which is at least five minutes.
  private static let lifetime: TimeInterval = 300

  /// The time counts from the request for the mail, except for a magic link, where it counts from its use.
  func isExpired(at now: Date) -> Bool {
    let start = method == "magiclink" ? issuedAt ?? createdAt : createdAt
    return now > start.addingTimeInterval(Self.lifetime)
  }
}

extension AuthState {
  /// Begins the exchange that the link in the next mail continues.
  mutating func beginExchange(
    of user: UUID, method: String, _ challenge: CodeChallenge?, at now: Date
  ) {
    guard let challenge else { return }
    // Their mails expired long before (`models.Cleanup`).
    codeExchanges.removeAll { $0.createdAt.addingTimeInterval(86_400) < now }
    codeExchanges.append(
      CodeExchange(
        code: codes.nextUUIDString(), userID: user, method: method, challenge: challenge, createdAt: now))
  }

  /// Returns the auth code of the last exchange of a user with a method (`issueAuthCode`).
  mutating func issueCode(for user: UUID, method: String, at now: Date) throws(AuthAPIError) -> String {
    guard let place = codeExchanges.lastIndex(where: { $0.userID == user && $0.method == method }) else {
      throw AuthAPIError(
        status: 400, code: "flow_state_not_found",
        message: "No associated flow state found. 422: No valid flow state found for user.")
    }
    codeExchanges[place].issuedAt = now
    return codeExchanges[place].code
  }
}

extension AuthServer {
  /// Exchanges an auth code for a session (`PKCE` in `internal/api/token.go`).
  ///
  /// - Throws: `flow_state_not_found`; `flow_state_expired`; `bad_code_verifier`.
  func exchange(code: String, verifier: String) throws(AuthAPIError) -> AuthSession {
    try perform { (state, now) throws(AuthAPIError) in
      guard let place = state.codeExchanges.firstIndex(where: { $0.code == code }),
        var account = state.accounts[state.codeExchanges[place].userID]
      else {
        throw AuthAPIError(
          status: 404, code: "flow_state_not_found",
          message: "invalid flow state, no valid flow state found")
      }
      let exchange = state.codeExchanges[place]
      guard !exchange.isExpired(at: now) else {
        throw AuthAPIError(
          status: 422, code: "flow_state_expired", message: "invalid flow state, flow state has expired")
      }
      guard exchange.challenge.accepts(verifier) else {
        throw AuthAPIError(
          status: 400, code: "bad_code_verifier",
          message: "code challenge does not match previously saved code verifier")
      }
      state.codeExchanges.remove(at: place)
      return try state.beginSession(of: &account, method: exchange.method, at: now)
    }
  }
}
