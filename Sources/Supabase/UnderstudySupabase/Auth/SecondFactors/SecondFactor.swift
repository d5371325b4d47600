import Foundation
import Understudy
import UnderstudyHTTP

/// An authenticator app with which a user confirms a sign-in (`models.Factor`).
struct SecondFactor: Hashable {
  let id: UUID
  /// The name that the user has given; empty without one.
  let name: String
  let authenticator: Authenticator
  let createdAt: Date
  var updatedAt: Date
  /// Whether a code of the app was accepted once.
  var isVerified = false
  var lastChallengedAt: Date?
  /// When each challenge was created, which a code can answer once.
  var challenges: [UUID: Date] = [:]

  /// `challenge_expiry_duration` and `factor_expiry_duration`.
  static let challengeLifetime: TimeInterval = 300

  /// The factor in a response.
  var json: JSONValue {
    .object(
      [
        .init("id", .string(id.uuidString.lowercased())), .init("created_at", AuthUser.time(createdAt)),
        .init("updated_at", AuthUser.time(updatedAt)),
        .init("status", .string(isVerified ? "verified" : "unverified")),
      ] + (name.isEmpty ? [] : [.init("friendly_name", .string(name))]) + [
        .init("factor_type", .string("totp")), .init("phone", .string("")),
        .init("last_challenged_at", lastChallengedAt.map(AuthUser.time) ?? .null),
      ])
  }
}

extension SecondFactor {
  /// The row of `auth.mfa_factors`, which policies of a project ask for.
  fileprivate func columns(of user: UUID) -> [String: ColumnValue] {
    [
      "id": .uuid(id), "user_id": .uuid(user), "friendly_name": name.isEmpty ? .null : .text(name),
      "factor_type": "totp", "status": isVerified ? "verified" : "unverified",
      "created_at": .timestamp(createdAt), "updated_at": .timestamp(updatedAt),
      "secret": .text(authenticator.text),
      "last_challenged_at": lastChallengedAt.map { .timestamp($0) } ?? .null,
    ]
  }
}

extension AuthServer {
  /// Adds an authenticator app to the user of a token, which is not verified yet (`enrollTOTPFactor`).
  ///
  /// - Throws: `mfa_factor_name_conflict`; `too_many_enrolled_mfa_factors`; `insufficient_aal` in a session without a
  ///   second factor whose user has one.
  func enroll(_ name: String, for accessToken: String) throws(AuthAPIError) -> (SecondFactor, AuthUser) {
    try perform { (state, now) throws(AuthAPIError) in
      var (session, account) = try state.sessionForFactors(of: accessToken, at: now)
      // One that was never challenged expires (`DeleteExpiredFactors`).
      account.user.factors.removeAll {
        !$0.isVerified && $0.challenges.isEmpty
          && $0.createdAt.addingTimeInterval(SecondFactor.challengeLifetime) < now
      }
      let factors = account.user.factors
      guard !factors.contains(where: { $0.name == name }) else {
        throw AuthAPIError(
          status: 422, code: "mfa_factor_name_conflict",
          message: "A factor with the friendly name \"\(name)\" for this user already exists")
      }
      guard factors.count < settings.secondFactors.limit else {
        throw AuthAPIError(
          status: 422, code: "too_many_enrolled_mfa_factors",
          message: "Maximum number of verified factors reached, unenroll to continue")
      }
      guard session.secondFactor != nil || !factors.contains(where: \.isVerified) else {
        throw AuthAPIError(
          status: 403, code: "insufficient_aal", message: "AAL2 required to enroll a new factor")
      }
      let factor = SecondFactor(
        id: state.nextID(), name: name, authenticator: Authenticator { state.codes.next() }, createdAt: now,
        updatedAt: now)
      account.user.factors.append(factor)
      try state.storeFactors(account.user.factors, of: account.user.id)
      return (factor, account.user)
    }
  }

  /// Creates a challenge, and returns its id and the date of its expiry (`challengeTOTPFactor`).
  func challenge(_ factor: UUID, for accessToken: String) throws(AuthAPIError) -> (id: UUID, expiresAt: Date)
  {
    try perform { (state, now) throws(AuthAPIError) in
      var account = try state.sessionForFactors(of: accessToken, at: now).account
      let place = try account.place(ofFactor: factor)
      let id = state.nextID()
      account.user.factors[place].challenges[id] = now
      account.user.factors[place].lastChallengedAt = now
      try state.storeFactors(account.user.factors, of: account.user.id)
      return (id, now.addingTimeInterval(SecondFactor.challengeLifetime))
    }
  }

  /// Answers a challenge, and returns new tokens of the session (`verifyTOTPFactor`, `validateChallenge`).
  ///
  /// The user's sessions without a second factor end, and apps that are not verified are removed.
  ///
  /// - Throws: `mfa_factor_not_found` for an unknown challenge; `mfa_challenge_expired`; `mfa_verification_failed`.
  func answer(
    _ challenge: UUID, of factor: UUID, code: String, for accessToken: String
  ) throws(AuthAPIError) -> AuthSession {
    let answered: Result<AuthSession, AuthAPIError> = try perform { (state, now) throws(AuthAPIError) in
      var (session, account) = try state.sessionForFactors(of: accessToken, at: now)
      let place = try account.place(ofFactor: factor)
      guard let createdAt = account.user.factors[place].challenges[challenge] else {
        throw AuthAPIError(
          status: 422, code: "mfa_factor_not_found",
          message: "MFA factor with the provided challenge ID not found")
      }
      guard now <= createdAt.addingTimeInterval(SecondFactor.challengeLifetime) else {
        state.accounts[account.user.id]?.user.factors[place].challenges[challenge] = nil
        let id = challenge.uuidString.lowercased()
        return .failure(
          AuthAPIError(
            status: 422, code: "mfa_challenge_expired",
            message: "MFA challenge \(id) has expired, verify against another challenge or create a new "
              + "challenge."))
      }
      let second = now.wholeSeconds
      guard account.user.factors[place].authenticator.accepts(code, at: second) else {
        throw AuthAPIError(
          status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered")
      }
      account.user.factors[place].challenges[challenge] = nil
      if !account.user.factors[place].isVerified {
        account.user.factors[place].isVerified = true
        account.user.factors[place].updatedAt = now
      }
      account.user.factors.removeAll { !$0.isVerified }
      try state.storeFactors(account.user.factors, of: account.user.id)
      session.secondFactor = AuthState.Session.SecondFactor(id: factor, verifiedAt: now)
      state.sessions[session.id]?.secondFactor = session.secondFactor
      let weaker = state.sessions.values.filter { $0.userID == account.user.id && $0.secondFactor == nil }
      for other in weaker { state.end(other.id) }
      return .success(
        state.issueTokens(
          for: session, of: account.user, parent: state.activeRefreshToken(of: session.id), at: now))
    }
    return try answered.get()
  }

  /// Removes a factor of the user of a token (`UnenrollFactor`).
  ///
  /// - Throws: `insufficient_aal` for a verified one in a session without a second factor.
  func unenroll(_ factor: UUID, for accessToken: String) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      let (session, account) = try state.sessionForFactors(of: accessToken, at: now)
      let place = try account.place(ofFactor: factor)
      guard !account.user.factors[place].isVerified || session.secondFactor != nil else {
        throw AuthAPIError(
          status: 422, code: "insufficient_aal", message: "AAL2 required to unenroll verified factor")
      }
      try state.removeFactor(factor, of: account.user.id)
    }
  }

  /// Removes a factor on behalf of the backend, and returns it (`adminUserDeleteFactor`).
  func removeFactor(_ factor: UUID, of user: UUID) throws(AuthAPIError) -> SecondFactor {
    try state.withLock { (state) throws(AuthAPIError) in
      guard let account = state.accounts[user] else { throw .userNotFound }
      let removed = account.user.factors[try account.place(ofFactor: factor)]
      try state.removeFactor(factor, of: user)
      return removed
    }
  }
}

extension Account {
  fileprivate func place(ofFactor id: UUID) throws(AuthAPIError) -> Int {
    guard let place = user.factors.firstIndex(where: { $0.id == id }) else { throw .factorNotFound }
    return place
  }
}

extension AuthState {
  /// Returns the session and the account of a token that may have second factors.
  fileprivate mutating func sessionForFactors(
    of text: String, at now: Date
  ) throws(AuthAPIError) -> (session: Session, account: Account) {
    let (session, account) = try session(of: text, at: now)
    guard !account.user.isAnonymous else { throw .anonymousNotAllowed }
    guard let session else {
      throw AuthAPIError(
        status: 500, code: "unexpected_failure",
        message: "A valid session and a registered user are required to enroll a factor")
    }
    return (session, account)
  }

  /// Removes a factor; the sessions that it confirmed remain without it (`DowngradeSessionsToAAL1`).
  fileprivate mutating func removeFactor(_ factor: UUID, of user: UUID) throws(AuthAPIError) {
    try storeFactors((accounts[user]?.user.factors ?? []).filter { $0.id != factor }, of: user)
    for (id, session) in sessions where session.secondFactor?.id == factor {
      sessions[id]?.secondFactor = nil
    }
  }
}

extension AuthState {
  /// Replaces the factors of a user, also in the table `auth.mfa_factors`.
  ///
  /// - Throws: `unexpected_failure` if the database refuses them.
  mutating func storeFactors(_ factors: [SecondFactor], of user: UUID) throws(AuthAPIError) {
    let old = accounts[user]?.user.factors ?? []
    do throws(PostgRESTError) {
      for factor in old where !factors.contains(where: { $0.id == factor.id }) {
        try database.delete(from: "auth.mfa_factors", where: .equals("id", .uuid(factor.id)))
      }
      for factor in factors {
        let columns = factor.columns(of: user)
        guard let before = old.first(where: { $0.id == factor.id })?.columns(of: user) else {
          try database.insert(columns, into: "auth.mfa_factors")
          continue
        }
        let changes = columns.filter { $0.value != before[$0.key] }
        guard !changes.isEmpty else { continue }
        try database.update("auth.mfa_factors", set: changes, where: .equals("id", .uuid(factor.id)))
      }
    } catch {
      throw .databaseError("saving factors")
    }
    accounts[user]?.user.factors = factors
  }
}

extension AuthAPIError {
  static let factorNotFound = AuthAPIError(
    status: 404, code: "mfa_factor_not_found", message: "Factor not found")
  static let anonymousNotAllowed = AuthAPIError(
    status: 403, code: "no_authorization", message: "Anonymous user not allowed to perform these actions")
}
