import Foundation
import Understudy
import UnderstudyHTTP

/// A request to verify a one-time code (`VerifyParams`).
struct Verification {
  /// What the client verifies.
  enum Proof {
    /// A code, which was sent to a contact.
    case code(String, to: Contact)
    /// The hash of a code, also from a link.
    case tokenHash(String)
  }

  /// The `type` of a request.
  enum Kind: String {
    case signup, invite, recovery, email, sms
    case magicLink = "magiclink"
    case emailChange = "email_change"
    case phoneChange = "phone_change"
  }

  let kind: Kind
  let proof: Proof
  /// How the user signs in with an auth code; `nil` for a session at once.
  var exchangeMethod: String?
}

extension AuthState {
  /// The result of a verification.
  enum Verified {
    case session(AuthSession)
    /// An auth code for the exchange that the mail has begun.
    case authCode(String)
    /// The first of the two confirmations of another address.
    case oneOfTwoAddresses
  }

  /// Verifies a one-time code, which is used then, and signs its user in (`verifyPost`, `verifyGet`).
  mutating func verify(_ request: Verification, at now: Date) throws(AuthAPIError) -> Verified {
    var (account, kind) = try matching(request, at: now)
    switch kind {
    case .signup, .invite:
      account.confirmEmail(at: now)
      account.user.setIdentity(.email(account.user.email), isVerified: true, at: now)
    case .recovery, .magicLink, .email:
      account.tokens[.recovery] = nil
      account.unlistTokens()
      if account.user.emailConfirmedAt == nil { account.confirmEmail(at: now) }
    case .emailChange:
      if settings.confirmsEmail, settings.confirmsBothAddresses, !account.hasConfirmedOneAddress,
        !account.user.email.isEmpty
      {
        account.hasConfirmedOneAddress = true
        account.tokens = account.tokens.filter { !request.proof.matches($0.value) }
        try store(account, at: now)
        return .oneOfTwoAddresses
      }
      account.confirmNewEmail(at: now)
    case .sms:
      account.confirmPhone(at: now)
      account.user.setIdentity(.phone(account.user.phone), isVerified: true, at: now)
      account.user.isAnonymous = false
    case .phoneChange:
      account.confirmNewPhone(at: now)
    }
    account.user.setProviders()
    if let method = request.exchangeMethod {
      let code = try issueCode(for: account.user.id, method: method, at: now)
      try store(account, at: now, orThrow: .confirmationFailed)
      return .authCode(code)
    }
    try store(account, at: now, orThrow: .confirmationFailed)
    return .session(try beginSession(of: &account, method: "otp", at: now))
  }

  /// Returns the account of a valid code, and the type that the code has if the request leaves it open.
  ///
  /// - Throws: `otp_expired` for an unknown, used or expired code; `user_banned`.
  private func matching(
    _ request: Verification, at now: Date
  ) throws(AuthAPIError) -> (Account, Verification.Kind) {
    var kind = request.kind
    let tokenKinds = kind.tokenKinds
    let found: Account?
    let invalid: AuthAPIError
    switch request.proof {
    case .tokenHash(let hash):
      guard kind != .sms, kind != .phoneChange else {
        throw .validationFailed("Invalid email verification type")
      }
      invalid = .linkExpired
      found = accounts.values.first { account in
        tokenKinds.contains { account.tokens[$0].map { $0.isListed && $0.hash == hash } ?? false }
      }
    case .code(_, let contact):
      invalid = .codeExpired
      guard (kind == .sms || kind == .phoneChange) == (contact.phone != nil) else { throw invalid }
      switch kind {
      // The address is either the present or the new one.
      case .emailChange:
        found = accounts.values.first { account in
          [account.user.email, account.user.newEmail].contains(contact.text)
            && tokenKinds.contains { account.tokens[$0].map(request.proof.matches) ?? false }
        }
      case .phoneChange:
        found = accounts.values.first { account in
          account.user.newPhone == contact.text
            && account.tokens[.phoneChange].map(request.proof.matches) ?? false
        }
      default: found = account(with: contact)
      }
    }
    guard let account = found else { throw invalid }
    guard !account.user.isBanned(at: now) else { throw .userIsBanned }
    let lifetime = settings.codeLifetime / .seconds(1)
    let match = tokenKinds.first { token in
      guard let own = account.tokens[token], request.proof.matches(own),
        let sentAt = account.user[sending: token]
      else { return false }
      return now <= sentAt.addingTimeInterval(lifetime)
    }
    guard let match else { throw invalid }
    if kind == .email { kind = match == .confirmation ? .signup : .magicLink }
    return (account, kind)
  }
}

extension Verification.Kind {
  /// The tokens that such a request can verify.
  fileprivate var tokenKinds: [OneTimeToken.Kind] {
    switch self {
    case .signup, .invite, .sms: [.confirmation]
    case .recovery, .magicLink: [.recovery]
    case .email: [.confirmation, .recovery]
    case .emailChange: [.emailChangeCurrent, .emailChangeNew]
    case .phoneChange: [.phoneChange]
    }
  }
}

extension Verification.Proof {
  /// Whether a token is meant.
  fileprivate func matches(_ token: OneTimeToken) -> Bool {
    switch self {
    case .tokenHash(let hash): token.hash == hash
    case .code(let code, let contact):
      token.matches(codeHash: OneTimeToken.hash(of: code, to: contact.text))
    }
  }
}

extension Account {
  /// Makes the new address that of the user (`emailChangeVerify`, `ConfirmEmailChange`).
  mutating func confirmNewEmail(at now: Date) {
    user.email = user.newEmail
    user.newEmail = ""
    (tokens[.emailChangeCurrent], tokens[.emailChangeNew]) = (nil, nil)
    hasConfirmedOneAddress = false
    unlistTokens()
    if user.emailConfirmedAt == nil { confirmEmail(at: now) }
    user.setIdentity(.email(user.email), isVerified: true, at: now)
    user.isAnonymous = false
  }

  /// Makes the new phone number that of the user (`smsVerify`, `ConfirmPhoneChange`).
  mutating func confirmNewPhone(at now: Date) {
    user.phone = user.newPhone
    user.newPhone = ""
    tokens[.phoneChange] = nil
    user.phoneConfirmedAt = now
    unlistTokens()
    user.setIdentity(.phone(user.phone), isVerified: true, at: now)
    user.isAnonymous = false
  }
}

extension AuthServer {
  /// Verifies a one-time code (`Verify`).
  func verify(_ request: Verification) throws(AuthAPIError) -> AuthState.Verified {
    try perform { (state, now) throws(AuthAPIError) in try state.verify(request, at: now) }
  }

  /// Uses the code of a reauthentication (`verifyReauthentication`).
  static func useNonce(
    _ nonce: String, of account: inout Account, lifetime: Duration, at now: Date
  ) throws(AuthAPIError) {
    guard let token = account.tokens[.reauthentication], let contact = account.contacts.first,
      let sentAt = account.user.sentAt.reauthentication,
      now <= sentAt.addingTimeInterval(lifetime / .seconds(1)),
      token.matches(codeHash: OneTimeToken.hash(of: nonce, to: contact.text))
    else {
      throw AuthAPIError(
        status: 422, code: "reauthentication_not_valid", message: "Nonce has expired or is invalid")
    }
    account.tokens[.reauthentication] = nil
    account.unlistTokens()
  }
}
