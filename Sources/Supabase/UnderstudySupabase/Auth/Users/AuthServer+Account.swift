import Foundation
import Understudy
import UnderstudyHTTP

/// Accounts as their users create and change them.
extension AuthState {
  /// Returns the account with a contact, which is added if it is missing (`Signup`).
  ///
  /// - Parameter data: The user's metadata, which the identity also contains.
  mutating func accountToSignUp(
    with contact: Contact, password: String?, data: [JSONValue.Member], at now: Date
  ) throws(AuthAPIError) -> Account {
    if let account = account(with: contact) { return account }
    var user = AuthUser(id: nextID(), contact: contact, data: [], at: now)
    for place in user.identities.indices {
      user.identities[place].data = data.merging(user.identities[place].data)
      // `RemoveUnconfirmedIdentities` copies them, so that a new user's metadata contains the claims.
      user.userMetadata = user.identities[place].data
    }
    return try added(Account(user: user, password: password))
  }

  /// Returns an unconfirmed account with an address, which is added if it is missing (`Invite`).
  ///
  /// - Throws: `email_exists` for a confirmed user.
  mutating func accountToInvite(
    _ address: String, password: String?, data: [JSONValue.Member], at now: Date
  ) throws(AuthAPIError) -> Account {
    if let account = account(with: .email(address)) {
      guard account.user.emailConfirmedAt == nil else { throw .emailExists }
      return account
    }
    let user = AuthUser(id: nextID(), contact: .email(address), data: data, at: now)
    return try added(Account(user: user, password: password))
  }

  private mutating func added(_ account: Account) throws(AuthAPIError) -> Account {
    do throws(PostgRESTError) { try add(account) } catch { throw .databaseError("saving new user") }
    return account
  }
}

extension AuthServer {
  /// The result of signing up.
  enum SignUp {
    case session(AuthSession)
    /// A user who has to confirm the contact.
    case user(AuthUser)
  }

  /// Creates an account, and signs in unless the contact has to be confirmed first (`Signup`).
  ///
  /// - Throws: `user_already_exists` if addresses are not confirmed. Otherwise the answer is that for a new account, so
  ///   that it does not reveal which addresses have one.
  func signUp(
    _ contact: Contact, password: String, data: [JSONValue.Member], _ request: MailRequest
  ) throws(AuthAPIError) -> SignUp {
    try perform { (state, now) throws(AuthAPIError) in
      if let user = state.account(with: contact)?.user,
        (contact.email != nil ? user.emailConfirmedAt : user.phoneConfirmedAt) != nil
      {
        guard state.settings.confirmsEmail, state.settings.confirmsPhone else { throw .userAlreadyExists }
        return .user(
          AuthUser(sanitized: state.codes.nextUUID(), contact: contact, data: data, at: now))
      }
      var account = try state.accountToSignUp(with: contact, password: password, data: data, at: now)
      if contact.email != nil, !state.settings.confirmsEmail {
        account.confirmEmail(at: now)
      } else if contact.phone != nil, !state.settings.confirmsPhone {
        account.confirmPhone(at: now)
      } else {
        try state.sendConfirmation(to: contact, of: &account, request, at: now)
      }
      try state.store(account, at: now)
      guard account.user.confirmedAt == nil else {
        return .session(try state.beginSession(of: &account, method: "password", at: now))
      }
      var user = account.user
      // What the invitation contains is not shown to whoever signs up with the address.
      if user.sentAt.invitation != nil { (user.userMetadata, user.identities) = ([], []) }
      return .user(user)
    }
  }

  /// Signs a new user in without an address (`SignupAnonymously`).
  func signInAnonymously(data: [JSONValue.Member]) throws(AuthAPIError) -> AuthSession {
    try perform { (state, now) throws(AuthAPIError) in
      var account = Account(user: AuthUser(id: state.nextID(), contact: nil, data: data, at: now))
      do throws(PostgRESTError) {
        try state.add(account)
      } catch {
        throw .databaseError("creating anonymous user")
      }
      return try state.beginSession(of: &account, method: "anonymous", at: now)
    }
  }

  /// Changes of an account by its user (`UserUpdateParams`).
  struct OwnChanges {
    var email: String?
    var phone: String?
    var password: String?
    /// The code of a reauthentication.
    var nonce = ""
    var userMetadata: [JSONValue.Member] = []
  }

  /// Changes the account of a token's user (`UserUpdate`); another password ends the other sessions.
  ///
  /// Another address or phone number is stored once it is confirmed.
  ///
  /// - Throws: The errors of ``user(for:)``; `email_exists`; `phone_exists`; `same_password`; `reauthentication_needed`
  ///   and `reauthentication_not_valid`.
  func updateUser(
    for accessToken: String, _ changes: OwnChanges, _ request: MailRequest
  ) throws(AuthAPIError) -> AuthUser {
    try perform { (state, now) throws(AuthAPIError) in
      var (session, account) = try state.session(of: accessToken, at: now)
      let (user, settings) = (account.user, state.settings)
      let email = changes.email.flatMap { $0 == user.email ? nil : $0 }
      let phone = changes.phone.flatMap { $0 == user.phone ? nil : $0 }
      if user.isAnonymous, changes.password != nil, changes.email == nil, changes.phone == nil {
        throw AuthAPIError(
          status: 422, code: "validation_failed",
          message: "Updating password of an anonymous user without an email or phone is not allowed")
      }
      if let email, state.isTaken(.email(email), byOtherThan: user.id) { throw .emailExists }
      if let phone, state.isTaken(.phone(phone), byOtherThan: user.id) { throw .phoneExists }
      if let password = changes.password {
        let isRecent = session.map { now <= $0.createdAt.addingTimeInterval(86_400) } ?? false
        if settings.requiresReauthentication, !isRecent {
          guard !changes.nonce.isEmpty else {
            throw AuthAPIError(
              status: 400, code: "reauthentication_needed",
              message: "Password update requires reauthentication")
          }
          try Self.useNonce(changes.nonce, of: &account, lifetime: settings.codeLifetime, at: now)
        }
        guard !state.isPassword(password, of: account) else { throw .samePassword }
        account.setPassword(password)
      }
      account.user.userMetadata = account.user.userMetadata.merging(changes.userMetadata)
      if let email {
        if user.isAnonymous, !settings.confirmsEmail {
          account.user.newEmail = email
          account.confirmNewEmail(at: now)
        } else {
          try state.sendEmailChange(to: email, of: &account, request, at: now)
        }
      }
      if let phone, !settings.confirmsPhone {
        account.user.newPhone = phone
        account.confirmNewPhone(at: now)
      } else if let phone {
        try state.sendPhoneChange(to: phone, of: &account, at: now)
      }
      try state.store(account, at: now)
      if changes.password != nil { state.endSessions(of: user.id, except: session?.id) }
      return state.accounts[user.id]?.user ?? account.user
    }
  }

  /// Removes one of several identities of a token's user (`DeleteIdentity`).
  ///
  /// - Throws: `single_identity_not_deletable`; `identity_not_found`.
  func removeIdentity(_ id: UUID, for accessToken: String) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      var account = try state.session(of: accessToken, at: now).account
      guard account.user.identities.count > 1 else {
        throw AuthAPIError(
          status: 422, code: "single_identity_not_deletable",
          message: "User must have at least 1 identity after unlinking")
      }
      guard let place = account.user.identities.firstIndex(where: { $0.id == id }) else {
        throw AuthAPIError(status: 422, code: "identity_not_found", message: "Identity doesn't exist")
      }
      if account.user.identities.remove(at: place).provider == "phone" {
        (account.user.phone, account.user.phoneConfirmedAt) = ("", nil)
      } else {
        // The other identity has no address, so the user has none either (`UpdateUserEmailFromIdentities`).
        (account.user.email, account.user.emailConfirmedAt) = ("", nil)
        account.tokens = [:]
        account.user.userMetadata = account.user.userMetadata.merging([
          .init("email_verified", .boolean(false))
        ])
      }
      account.user.setProviders()
      try state.store(account, at: now)
    }
  }

  /// Checks a token without counting a request.
  ///
  /// - Throws: The errors of ``user(for:)``, except for a limit.
  func authenticate(_ accessToken: String) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      try state.session(of: accessToken, at: now).account.user
    }
  }
}

extension AuthUser {
  /// Creates the answer to a sign-up with a contact that already has an account, which looks like that for a new one
  /// (`sanitizeUser`).
  fileprivate init(sanitized id: UUID, contact: Contact, data: [JSONValue.Member], at now: Date) {
    self.init(id: id, contact: contact, data: data, at: now)
    role = ""
    identities = []
    sentAt.confirmation = now
  }
}
