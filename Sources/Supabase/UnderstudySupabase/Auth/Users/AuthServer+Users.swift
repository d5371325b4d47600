public import Foundation
import Understudy
import UnderstudyHTTP

/// Accounts as a test or the backend creates, changes and removes them.
extension AuthServer {
  /// Creates an account with a confirmed address and returns its id.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` generates one.
  ///   - email: The address, which is stored in lowercase.
  ///   - password: The password.
  /// - Throws: 23505 if an account with the id or the address exists, and the other errors of the database.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(PostgRESTError) -> UUID {
    let now = time.now
    return try state.withLock { (state) throws(PostgRESTError) in
      let id = id ?? state.nextID()
      var user = AuthUser(id: id, contact: .email(email.lowercased()), data: [], at: now)
      user.confirmEmail(at: now)
      try state.add(Account(user: user, password: password))
      return id
    }
  }

  /// Removes an account with its sessions; rows that refer to the user are handled by their foreign keys.
  ///
  /// - Throws: 23503 if a row refers to the user and its foreign key has no action; then nothing is removed.
  public func removeUser(_ user: UUID) throws(PostgRESTError) {
    try state.withLock { (state) throws(PostgRESTError) in try state.remove(user) }
  }

  /// Returns the user with an id.
  ///
  /// - Throws: `user_not_found`.
  package func user(_ id: UUID) throws(AuthAPIError) -> AuthUser {
    guard let account = state.withLock({ $0.accounts[id] }) else { throw .userNotFound }
    return account.user
  }

  /// The accounts, the newest first.
  var users: [AuthUser] {
    state.withLock { $0.accounts.values.map(\.user) }
      .sorted { ($1.createdAt, $1.id.uuidString) < ($0.createdAt, $0.id.uuidString) }
  }

  /// Changes of an account by the backend (`AdminUserParams`).
  struct Changes {
    var email: String?
    var phone: String?
    var password: String?
    var userMetadata: [JSONValue.Member] = []
    var appMetadata: [JSONValue.Member] = []
    var confirmsEmail = false
    var confirmsPhone = false
    /// The time for which the user is banned; zero lifts the ban.
    var ban: Duration?
  }

  /// Creates an account on behalf of the backend (`adminUserCreate`).
  ///
  /// Without a password, the real service makes a random one.
  ///
  /// - Throws: `email_exists`; `phone_exists`; `unexpected_failure` if the id is taken.
  func createUser(id: UUID?, _ changes: Changes) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    let contacts =
      (changes.email.map { [.email($0)] } ?? []) + (changes.phone.map { [Contact.phone($0)] } ?? [])
    guard let first = contacts.first else {
      throw .validationFailed("Cannot create a user without either an email or phone")
    }
    return try state.withLock { (state) throws(AuthAPIError) in
      if let email = changes.email, state.isTaken(.email(email)) { throw .emailExists }
      if let phone = changes.phone, state.isTaken(.phone(phone)) { throw .phoneExists }
      var user = AuthUser(id: id ?? state.nextID(), contact: first, data: changes.userMetadata, at: now)
      if contacts.count > 1, let phone = changes.phone {
        user.phone = phone
        user.setIdentity(.phone(phone), isVerified: false, at: now)
        user.setProviders()
      }
      var account = Account(user: user, password: changes.password)
      account.user.appMetadata = account.user.appMetadata.merging(changes.appMetadata)
      if changes.confirmsEmail { account.confirmEmail(at: now) }
      if changes.confirmsPhone { account.confirmPhone(at: now) }
      account.user.ban(for: changes.ban, at: now)
      do throws(PostgRESTError) { try state.add(account) } catch { throw .databaseError("creating new user") }
      return account.user
    }
  }

  /// Changes an account on behalf of the backend (`adminUserUpdate`); another password ends every session.
  ///
  /// - Throws: `user_not_found`; `unexpected_failure` if the address or the number is that of another account.
  func updateUser(_ id: UUID, _ changes: Changes) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      guard var account = state.accounts[id] else { throw .userNotFound }
      if changes.confirmsEmail { account.confirmEmail(at: now) }
      if changes.confirmsPhone { account.confirmPhone(at: now) }
      if let password = changes.password { account.setPassword(password) }
      if let email = changes.email {
        account.user.setIdentity(.email(email), isVerified: changes.confirmsEmail, at: now)
        account.user.email = email
        if changes.confirmsEmail { account.user.isAnonymous = false }
      }
      if let phone = changes.phone {
        account.user.setIdentity(.phone(phone), isVerified: changes.confirmsPhone, at: now)
        account.user.phone = phone
        if changes.confirmsPhone { account.user.isAnonymous = false }
      }
      account.user.appMetadata = account.user.appMetadata.merging(changes.appMetadata)
      account.user.userMetadata = account.user.userMetadata.merging(changes.userMetadata)
      account.user.ban(for: changes.ban, at: now)
      try state.store(account, at: now)
      if changes.password != nil { state.endSessions(of: id) }
      return state.accounts[id]?.user ?? account.user
    }
  }

  /// Deletes an account in a way that keeps its row and its id (`should_soft_delete`).
  func obscureUser(_ id: UUID) throws(AuthAPIError) {
    let now = time.now
    try state.withLock { (state) throws(AuthAPIError) in
      guard var account = state.accounts[id] else { throw .userNotFound }
      guard account.user.deletedAt == nil else { return }
      account.obscure(at: now)
      try state.store(account, at: now)
      state.endSessions(of: id)
    }
  }
}

extension AuthUser {
  fileprivate mutating func ban(for duration: Duration?, at now: Date) {
    guard let duration else { return }
    bannedUntil = duration == .zero ? nil : now.addingTimeInterval(duration / .seconds(1))
  }
}
