import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A user with the secrets that no response shows.
struct Account {
  var user: AuthUser
  /// The password, which is not hashed, because the accounts of a double are fictitious; `nil` without one.
  var password: String?
  /// The hash of the password of a user whom the schema inserted (`encrypted_password`).
  var passwordHash: String?
  /// The one-time codes that were sent and not used yet.
  var tokens: [OneTimeToken.Kind: OneTimeToken] = [:]
  /// Whether the user has confirmed one of the two mails about another address.
  var hasConfirmedOneAddress = false

  /// The address and the phone number.
  var contacts: [Contact] {
    (user.email.isEmpty ? [] : [.email(user.email)]) + (user.phone.isEmpty ? [] : [.phone(user.phone)])
  }

  /// The row of `auth.users`, which triggers and policies of a project see; the password is not in it.
  var columns: [String: ColumnValue] {
    func text(_ text: String) -> ColumnValue { text.isEmpty ? .null : .text(text) }
    func time(_ date: Date?) -> ColumnValue { date.map { .timestamp($0) } ?? .null }
    return [
      "id": .uuid(user.id), "aud": "authenticated", "role": .text(user.role), "email": text(user.email),
      "phone": text(user.phone), "email_confirmed_at": time(user.emailConfirmedAt),
      "phone_confirmed_at": time(user.phoneConfirmedAt), "last_sign_in_at": time(user.lastSignInAt),
      "banned_until": time(user.bannedUntil), "deleted_at": time(user.deletedAt),
      "raw_app_meta_data": .json(.object(user.appMetadata)),
      "raw_user_meta_data": .json(.object(user.userMetadata)), "is_anonymous": .boolean(user.isAnonymous),
      "created_at": time(user.createdAt),
    ]
  }

  /// Makes all one-time tokens unknown by their hashes (`ClearAllOneTimeTokensForUser`).
  mutating func unlistTokens() {
    for kind in tokens.keys { tokens[kind]?.isListed = false }
  }

  /// Confirms the address (`User.Confirm`).
  mutating func confirmEmail(at now: Date) {
    tokens[.confirmation] = nil
    user.confirmEmail(at: now)
    unlistTokens()
  }

  /// Confirms the phone number (`User.ConfirmPhone`).
  mutating func confirmPhone(at now: Date) {
    tokens[.confirmation] = nil
    user.phoneConfirmedAt = now
    unlistTokens()
  }

  /// Replaces the password, which ends what was requested with the old one (`User.UpdatePassword`).
  mutating func setPassword(_ password: String?) {
    self.password = password
    passwordHash = nil
    tokens = [:]
    user.sentAt = AuthUser.SendingDates(invitation: user.sentAt.invitation)
  }

  /// Replaces what identifies the user with hashes and removes the rest, as the deletion that keeps an account does
  /// (`SoftDeleteUser`, `SoftDeleteUserIdentities`).
  mutating func obscure(at now: Date) {
    let id = user.id.uuidString.lowercased()
    func obscured(_ text: String) -> String { Base64URL.text(of: Digest.sha256((id + text).utf8)) }
    (user.email, user.newEmail) = (obscured(user.email), obscured(user.newEmail))
    user.phone = String(obscured(user.phone).prefix(15))
    user.newPhone = String(obscured(user.newPhone).prefix(15))
    password = nil
    passwordHash = nil
    tokens = [:]
    user.factors = []
    (user.userMetadata, user.appMetadata) = ([], [])
    for place in user.identities.indices {
      let identity = user.identities[place]
      user.identities[place].data = []
      user.identities[place].providerID = obscured("\(identity.provider):\(identity.providerID)")
    }
    user.deletedAt = now
  }
}

extension Account {
  /// The account of a row of `auth.users` that the schema inserted; `nil` without an address and a phone number.
  init?(_ row: DatabaseRow, at now: Date) {
    func text(_ column: String) -> String? { row[column].textValue.flatMap { $0.isEmpty ? nil : $0 } }
    func members(_ column: String) -> [JSONValue.Member] {
      if case .object(let members)? = row[column].jsonValue { members } else { [] }
    }
    let contacts = [text("email").map { Contact.email($0.lowercased()) }, text("phone").map(Contact.phone)]
      .compactMap { $0 }
    guard let id = row["id"].uuidValue, let first = contacts.first else { return nil }
    user = AuthUser(
      id: id, contact: first, data: members("raw_user_meta_data"), at: row["created_at"].timestampValue ?? now
    )
    if contacts.count > 1, let phone = text("phone") {
      user.phone = phone
      user.setIdentity(.phone(phone), isVerified: true, at: now)
    }
    user.role = text("role") ?? user.role
    user.appMetadata = user.appMetadata.merging(members("raw_app_meta_data"))
    user.emailConfirmedAt = row["email_confirmed_at"].timestampValue
    user.phoneConfirmedAt = row["phone_confirmed_at"].timestampValue
    user.lastSignInAt = row["last_sign_in_at"].timestampValue
    user.bannedUntil = row["banned_until"].timestampValue
    user.deletedAt = row["deleted_at"].timestampValue
    passwordHash = text("encrypted_password")
  }
}

extension AuthState {
  /// Takes over the users whom the schema inserted, as the seeds of projects do.
  mutating func readUsers(at now: Date) {
    // A schema may have replaced the table by one of its own.
    for account in ((try? database.select(from: "auth.users")) ?? []).compactMap({ Account($0, at: now) }) {
      accounts[account.user.id] = account
      for contact in account.contacts { contacts[contact] = account.user.id }
    }
  }

  /// Returns whether a password is that of an account.
  func isPassword(_ password: String, of account: Account) -> Bool {
    if let own = account.password { return own == password }
    guard let hash = account.passwordHash else { return false }
    let arguments = [password, hash].map { Call.Argument(.string($0)) }
    let query = Query(
      .select(Select([Select.Item(.call(Call(QualifiedName(schema: "extensions", "crypt"), arguments)))])))
    let found = try? database.transaction(as: .service, .read) { (session) throws(PostgRESTError) in
      try session.result(of: .query(query)).rows.first?.first
    }
    return found == .text(hash)
  }

  func account(with contact: Contact) -> Account? {
    contacts[contact].flatMap { accounts[$0] }
  }

  /// Returns whether another user has an address or a phone number (`IsDuplicatedEmail`, `IsDuplicatedPhone`).
  func isTaken(_ contact: Contact, byOtherThan user: UUID? = nil) -> Bool {
    contacts[contact].map { $0 != user } ?? false
  }

  /// Adds an account, also to the table `auth.users`.
  ///
  /// - Throws: The errors of the database.
  mutating func add(_ account: Account) throws(PostgRESTError) {
    let user = account.user
    // As GoTrue does, for the triggers of a project: a new user is confirmed by an update.
    var new = user
    (new.emailConfirmedAt, new.phoneConfirmedAt, new.lastSignInAt) = (nil, nil, nil)
    let columns = Account(user: new, password: account.password).columns
    try database.insert(columns, into: "auth.users")
    try writeRow(account.columns, from: columns, of: user.id)
    accounts[user.id] = account
    for contact in account.contacts { contacts[contact] = user.id }
  }

  /// Writes the columns of a user that change to `auth.users`.
  func writeRow(
    _ columns: [String: ColumnValue], from old: [String: ColumnValue], of id: UUID
  ) throws(PostgRESTError) {
    let changes = columns.filter { $0.value != old[$0.key] }
    if changes.isEmpty { return }
    try database.update("auth.users", set: changes, where: .equals("id", .uuid(id)))
  }

  /// Replaces an account, also in the table `auth.users`.
  ///
  /// - Throws: The error of the operation if another account has the address or phone number.
  mutating func store(
    _ account: Account, at now: Date, orThrow failure: AuthAPIError = .updateFailed
  ) throws(AuthAPIError) {
    let (id, old) = (account.user.id, accounts[account.user.id]?.contacts ?? [])
    if account.contacts.contains(where: { isTaken($0, byOtherThan: id) }) { throw failure }
    do throws(PostgRESTError) {
      try writeRow(account.columns, from: accounts[id]?.columns ?? [:], of: id)
    } catch {
      throw failure
    }
    try storeFactors(account.user.factors, of: id)
    for contact in old { contacts[contact] = nil }
    for contact in account.contacts { contacts[contact] = id }
    accounts[id] = account
    accounts[id]?.user.updatedAt = now
  }

  /// Removes an account with its sessions; rows that refer to the user are handled by their foreign keys.
  ///
  /// - Throws: 23503 if a row refers to the user and its foreign key has no action; then nothing is removed.
  mutating func remove(_ id: UUID) throws(PostgRESTError) {
    try database.delete(from: "auth.users", where: .equals("id", .uuid(id)))
    endSessions(of: id)
    codeExchanges.removeAll { $0.userID == id }
    consents.removeAll { $0.user == id }
    for contact in accounts.removeValue(forKey: id)?.contacts ?? [] { contacts[contact] = nil }
  }
}
