package import Foundation
package import UnderstudyHTTP
import UnderstudyPostgreSQL

/// An account.
package struct AuthUser: Sendable, Hashable, Identifiable {
  /// The value of `auth.uid()` in policies.
  package let id: UUID
  /// The address, in lower case; empty without one.
  package internal(set) var email: String
  /// The phone number in digits; empty without one.
  package internal(set) var phone: String
  /// The role that access tokens grant; empty in an answer that hides an account.
  var role = "authenticated"
  /// Whether the user has neither an address nor a phone number yet.
  package internal(set) var isAnonymous: Bool
  /// The creation date.
  package let createdAt: Date
  /// The date of the last change; a sign-in is one.
  package internal(set) var updatedAt: Date
  /// The date at which the address was confirmed; `nil` before.
  package internal(set) var emailConfirmedAt: Date?
  /// The date at which the phone number was confirmed; `nil` before.
  package internal(set) var phoneConfirmedAt: Date?
  /// The date of the last sign-in; `nil` before the first.
  package internal(set) var lastSignInAt: Date?
  /// The date until which the user can neither sign in nor refresh.
  package internal(set) var bannedUntil: Date?
  /// The date of a deletion that keeps the account (`should_soft_delete`).
  package internal(set) var deletedAt: Date?
  /// When each kind of one-time code was sent last.
  var sentAt = SendingDates()
  /// The address that the user wants to have and has not confirmed; empty without one.
  var newEmail = ""
  /// The phone number that the user wants to have and has not confirmed; empty without one.
  var newPhone = ""
  /// What the user has stored, sorted by the names.
  package internal(set) var userMetadata: [JSONValue.Member]
  /// What the backend has stored, sorted by the names.
  package internal(set) var appMetadata: [JSONValue.Member]
  /// The ways in which the user signs in, oldest first.
  package internal(set) var identities: [AuthIdentity]

  /// The second factors, oldest first.
  var factors: [SecondFactor] = []

  /// The dates of the last one-time codes.
  struct SendingDates: Hashable {
    var invitation: Date?
    var confirmation: Date?
    var recovery: Date?
    var emailChange: Date?
    var phoneChange: Date?
    var reauthentication: Date?
  }

  /// - Parameters:
  ///   - contact: What the user signs in with; `nil` for an anonymous user.
  ///   - data: The user's own metadata.
  init(id: UUID, contact: Contact?, data: [JSONValue.Member], at now: Date) {
    self.id = id
    (email, phone) = (contact?.email ?? "", contact?.phone ?? "")
    isAnonymous = contact == nil
    createdAt = now
    updatedAt = now
    userMetadata = data.normalizedMembers
    appMetadata = []
    identities = []
    guard let contact else { return }
    identities = [AuthIdentity(of: id, contact, at: now)]
    setProviders()
  }

  /// The date at which the address or the phone number was confirmed, whichever is earlier.
  var confirmedAt: Date? {
    [emailConfirmedAt, phoneConfirmedAt].compactMap { $0 }.min()
  }

  /// Confirms the address, which the user's metadata shows (`User.Confirm`).
  mutating func confirmEmail(at now: Date) {
    emailConfirmedAt = now
    userMetadata = userMetadata.merging([.init("email_verified", .boolean(true))])
  }

  /// Lists the providers of the identities in the metadata of the backend (`UpdateAppMetaDataProviders`).
  mutating func setProviders() {
    let providers = identities.map(\.provider)
    var changes: [JSONValue.Member] = [.init("providers", .array(providers.map { .string($0) }))]
    if let first = providers.first { changes.append(.init("provider", .string(first))) }
    appMetadata = appMetadata.merging(changes)
  }

  /// Stores the address or phone number in the identity of its provider, which is added if it is missing.
  mutating func setIdentity(_ contact: Contact, isVerified: Bool, at now: Date) {
    guard let place = identities.firstIndex(where: { $0.provider == contact.provider }) else {
      identities.append(AuthIdentity(of: id, contact, isVerified: isVerified, at: now))
      return
    }
    identities[place].data = identities[place].data.merging(contact.claims(isVerified: isVerified))
  }

  func isBanned(at now: Date) -> Bool {
    bannedUntil.map { now < $0 } ?? false
  }

  /// The user in a response (`models.User`).
  var json: JSONValue {
    .object(members)
  }

  /// The members of ``json``.
  var members: [JSONValue.Member] {
    func member(_ name: String, _ date: Date?) -> [JSONValue.Member] {
      date.map { [.init(name, Self.time($0))] } ?? []
    }
    func member(_ name: String, _ text: String) -> [JSONValue.Member] {
      text.isEmpty ? [] : [.init(name, .string(text))]
    }
    var members: [JSONValue.Member] = [
      .init("id", .string(id.uuidString.lowercased())), .init("aud", .string("authenticated")),
      .init("role", .string(role)), .init("email", .string(email)),
    ]
    members += member("email_confirmed_at", emailConfirmedAt) + member("invited_at", sentAt.invitation)
    members.append(.init("phone", .string(phone)))
    members += member("phone_confirmed_at", phoneConfirmedAt)
    members += member("confirmation_sent_at", sentAt.confirmation) + member("confirmed_at", confirmedAt)
    members += member("recovery_sent_at", sentAt.recovery) + member("new_email", newEmail)
    members += member("email_change_sent_at", sentAt.emailChange) + member("new_phone", newPhone)
    members += member("phone_change_sent_at", sentAt.phoneChange)
    members += member("reauthentication_sent_at", sentAt.reauthentication)
    members += member("last_sign_in_at", lastSignInAt)
    members += [
      .init("app_metadata", .object(appMetadata)), .init("user_metadata", .object(userMetadata)),
    ]
    if !factors.isEmpty { members.append(.init("factors", .array(factors.map(\.json)))) }
    members += [
      .init("identities", .array(identities.map(\.json))), .init("created_at", Self.time(createdAt)),
      .init("updated_at", Self.time(updatedAt)),
    ]
    members += member("banned_until", bannedUntil) + member("deleted_at", deletedAt)
    members.append(.init("is_anonymous", .boolean(isAnonymous)))
    return members
  }

  static func time(_ date: Date) -> JSONValue {
    .string(Timestamp(stored: date).text(separator: "T", offset: "Z"))
  }
}

/// What a user signs in with.
enum Contact: Hashable {
  /// An address in lower case.
  case email(String)
  /// A phone number in digits.
  case phone(String)

  var text: String {
    switch self {
    case .email(let text), .phone(let text): text
    }
  }

  var email: String? { if case .email(let text) = self { text } else { nil } }
  var phone: String? { if case .phone(let text) = self { text } else { nil } }
  /// The provider of the identity.
  var provider: String { if case .email = self { "email" } else { "phone" } }

  /// The claims that change with it, in an identity (`provider.Claims`).
  func claims(isVerified: Bool) -> [JSONValue.Member] {
    [.init(provider, .string(text)), .init(provider + "_verified", .boolean(isVerified))]
  }
}

/// A way to sign in: with an address or with a phone number (`models.Identity`).
package struct AuthIdentity: Sendable, Hashable, Identifiable {
  /// The id of the identity itself.
  package let id: UUID
  /// The id of the user.
  let userID: UUID
  /// The user's id at the provider, here the user's id.
  var providerID: String
  /// `email` or `phone`.
  let provider: String
  /// The claims about the user.
  package internal(set) var data: [JSONValue.Member]
  /// The creation date.
  let createdAt: Date

  fileprivate init(of user: UUID, _ contact: Contact, isVerified: Bool = false, at now: Date) {
    userID = user
    providerID = user.uuidString.lowercased()
    provider = contact.provider
    createdAt = now
    id = Self.id(of: user, contact.provider)
    let unverified: [JSONValue.Member] = [
      .init("email_verified", .boolean(false)), .init("phone_verified", .boolean(false)),
      .init("sub", .string(providerID)),
    ]
    data = unverified.merging(contact.claims(isVerified: isVerified))
  }

  /// Returns the id of an identity, which is not drawn, so that the ids of other things do not depend on it.
  private static func id(of user: UUID, _ provider: String) -> UUID {
    let name = provider == "email" ? "identity" : "identity:\(provider)"
    var bytes = Array(Digest.sha256("\(name):\(user.uuidString)".utf8).prefix(16))
    (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
    let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { ByteEncoding.hexadecimal(bytes[$0]) }
    guard let id = UUID(uuidString: parts.joined(separator: "-")) else {
      preconditionFailure("Sixteen bytes are a UUID.")
    }
    return id
  }

  fileprivate var json: JSONValue {
    let (date, email) = (AuthUser.time(createdAt), JSONValue.object(data)["email"]?.stringValue)
    return .object(
      [
        .init("identity_id", .string(id.uuidString.lowercased())), .init("id", .string(providerID)),
        .init("user_id", .string(userID.uuidString.lowercased())), .init("identity_data", .object(data)),
        .init("provider", .string(provider)), .init("last_sign_in_at", date), .init("created_at", date),
        .init("updated_at", date),
      ] + (email.map { [.init("email", .string($0))] } ?? []))
  }
}

extension [JSONValue.Member] {
  /// The members sorted by their names, the last of each name, as Go writes a map.
  var normalizedMembers: [JSONValue.Member] {
    Dictionary(map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { .init($0.key, $0.value) }
  }

  /// Returns the members with others added or replaced; a `null` removes one (`UpdateUserMetaData`).
  func merging(_ changes: [JSONValue.Member]) -> [JSONValue.Member] {
    (self + changes).normalizedMembers.filter { $0.value != .null }
  }
}
