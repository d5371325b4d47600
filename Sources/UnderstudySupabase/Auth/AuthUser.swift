package import Foundation
package import UnderstudyHTTP

/// An account.
package struct AuthUser: Sendable, Hashable, Identifiable {
  /// The value of `auth.uid()` in policies.
  package let id: UUID
  /// The address, in lower case.
  package internal(set) var email: String
  /// The creation date.
  package let createdAt: Date
  /// The date of the last change; a sign-in is one.
  package internal(set) var updatedAt: Date
  /// The date at which the address was confirmed; `nil` before.
  package internal(set) var confirmedAt: Date?
  /// The date of the last sign-in; `nil` before the first.
  package internal(set) var lastSignInAt: Date?
  /// The date until which the user can neither sign in nor refresh.
  package internal(set) var bannedUntil: Date?
  /// What the user has stored, sorted by the names.
  package internal(set) var userMetadata: [JSONValue.Member]
  /// What the backend has stored, sorted by the names.
  package internal(set) var appMetadata: [JSONValue.Member]
  /// How the user signs in.
  package internal(set) var identity: Identity

  /// A way to sign in: with an e-mail address and a password.
  package struct Identity: Sendable, Hashable {
    /// The id of the identity itself.
    package let id: UUID
    /// The claims about the user.
    package internal(set) var data: [JSONValue.Member]
  }

  /// - Parameters:
  ///   - data: The user's own metadata, which the identity also contains (`Signup`).
  ///   - isConfirmed: Whether the address is confirmed.
  init(
    id: UUID, email: String, identity: UUID, data: [JSONValue.Member] = [], isConfirmed: Bool = true,
    at now: Date
  ) {
    self.id = id
    self.email = email
    createdAt = now
    updatedAt = now
    userMetadata = data.normalizedMembers
    appMetadata = [
      .init("provider", .string("email")), .init("providers", .array([.string("email")])),
    ]
    self.identity = Identity(
      id: identity,
      data: data.normalizedMembers.merging([
        .init("email", .string(email)), .init("email_verified", .boolean(false)),
        .init("phone_verified", .boolean(false)), .init("sub", .string(id.uuidString.lowercased())),
      ]))
    if isConfirmed { confirm(at: now) }
  }

  /// Confirms the address, which the user's metadata shows (`User.Confirm`).
  mutating func confirm(at now: Date) {
    confirmedAt = now
    updatedAt = now
    userMetadata = userMetadata.merging([.init("email_verified", .boolean(true))])
  }

  func isBanned(at now: Date) -> Bool {
    bannedUntil.map { now < $0 } ?? false
  }

  /// The user in a response (`models.User`).
  var json: JSONValue {
    func time(_ date: Date) -> JSONValue {
      .string(Timestamp(stored: date).text(separator: "T", offset: "Z"))
    }
    func member(_ name: String, _ date: Date?) -> [JSONValue.Member] {
      date.map { [.init(name, time($0))] } ?? []
    }
    let id = JSONValue.string(id.uuidString.lowercased())
    let identity = JSONValue.object(
      [
        .init("identity_id", .string(identity.id.uuidString.lowercased())), .init("id", id),
        .init("user_id", id), .init("identity_data", .object(identity.data)),
        .init("provider", .string("email")),
      ] + member("last_sign_in_at", createdAt) + [
        .init("created_at", time(createdAt)), .init("updated_at", time(createdAt)),
        .init("email", .string(email)),
      ])
    var members: [JSONValue.Member] = [
      .init("id", id), .init("aud", .string("authenticated")), .init("role", .string("authenticated")),
      .init("email", .string(email)),
    ]
    members += member("email_confirmed_at", confirmedAt)
    members.append(.init("phone", .string("")))
    members += member("confirmed_at", confirmedAt) + member("last_sign_in_at", lastSignInAt)
    members += [
      .init("app_metadata", .object(appMetadata)), .init("user_metadata", .object(userMetadata)),
      .init("identities", .array([identity])), .init("created_at", time(createdAt)),
      .init("updated_at", time(updatedAt)),
    ]
    members += member("banned_until", bannedUntil)
    members.append(.init("is_anonymous", .boolean(false)))
    return .object(members)
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
