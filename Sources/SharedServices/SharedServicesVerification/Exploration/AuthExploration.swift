import Foundation
public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == AuthCommand {
  /// Signing in and out on one device, with valid and invalid accounts, beside another device of the first user.
  public static var authService: Self {
    Exploration("authentication") { trial in
      try await trial.given(.exchangesAreUnlimited)
      let other = Handle(try await trial.given(.secondSession))
      let counted = Handle(try await trial.given(.sessionsAreCounted))
      return AuthModel(
        account: try await trial.given(.account), second: try await trial.given(.secondAccount),
        banned: try await trial.given(.bannedAccount), other: other, counted: counted,
        sessionCount: try await counted.value.count())
    }
  }
}

/// A minimal model of the session on a device.
public struct AuthModel: Sendable, Hashable {
  let account: Account
  let second: Account
  let banned: Account
  let other: Handle<SecondSession>
  let counted: Handle<SessionCount>
  /// The number of sessions of the first user at the server.
  var sessionCount: Int
  /// The signed-in user; `nil` without a session.
  var userID: UUID?
}

/// A call of an authentication service.
public enum AuthCommand: ExplorationCommand {
  /// A person who signs in.
  public enum Person: String, Sendable, Hashable, CaseIterable, CustomDebugStringConvertible {
    /// The users of the first, the second and the banned account; a wrong password; an unknown address.
    case first, second, banned, forgetful, stranger

    /// The value in Swift syntax.
    public var debugDescription: String { ".\(rawValue)" }
  }

  /// Signs in.
  case signIn(Person)
  /// Signs out.
  case signOut
  /// Returns the signed-in user.
  case currentUser
  /// Exchanges the session's tokens.
  case refresh
  /// Exchanges the tokens of the first user's session on the other device.
  case refreshElsewhere
  /// Counts the sessions of the first user, which a sign-out under way may not have ended yet.
  case countSessions

  /// Returns a random call.
  public static func random(
    in model: AuthModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0, 1: .signIn(Person.allCases.randomElement(using: &generator) ?? .first)
    case 2: .signOut
    case 3: .refresh
    case 4: .refreshElsewhere
    default: .currentUser
    }
  }

  /// Returns the signed-in user and what is left of the first user's sessions.
  public static func observations(of model: AuthModel) -> [Self] {
    [.currentUser, .refreshElsewhere, .countSessions]
  }

  /// Returns the call.
  public func call(in model: AuthModel) -> ExplorationCall<any AuthService, AuthModel>? {
    switch self {
    case .signIn(let person): signIn(person, in: model)
    case .signOut:
      ExplorationCall {
        try await $0.signOut()
      } step: { model, answer in
        if model.userID == model.account.userID { model.sessionCount -= 1 }
        model.userID = nil
        return answer.returned
      }
    case .currentUser:
      ExplorationCall {
        try await $0.currentUserID()
      } step: { model, answer in
        model.userID.map { answer.returned($0) } ?? answer.threw(AppError.authentication(.notSignedIn))
      }
    case .refresh:
      ExplorationCall {
        try await $0.refresh()
      } step: { model, answer in
        model.userID == nil ? answer.threw(AppError.authentication(.notSignedIn)) : answer.returned
      }
    case .refreshElsewhere:
      ExplorationCall { [other = model.other] _ in
        try await other.value.refresh()
      } step: { _, answer in
        answer.returned
      }
    case .countSessions:
      ExplorationCall { [counted = model.counted] _ in
        try await counted.value.count()
      } step: { model, answer in
        answer.returned(model.sessionCount)
      }
    }
  }

  private func signIn(
    _ person: Person, in model: AuthModel
  ) -> ExplorationCall<any AuthService, AuthModel> {
    let (account, password, refusal): (Account, String, AuthError?) =
      switch person {
      case .first: (model.account, model.account.password, nil)
      case .second: (model.second, model.second.password, nil)
      case .banned: (model.banned, model.banned.password, .userBanned)
      case .forgetful: (model.account, "not it", .invalidCredentials)
      case .stranger: (model.account, model.account.password, .invalidCredentials)
      }
    let email = person == .stranger ? "no-\(account.email)" : account.email
    return ExplorationCall {
      try await $0.signIn(email: email, password: password)
    } step: { model, answer in
      if let refusal { return answer.threw(AppError.authentication(refusal)) }
      model.userID = account.userID
      if account == model.account { model.sessionCount += 1 }
      return answer.returned(account.userID)
    }
  }

  /// The same call for the first person.
  public var simpler: [AuthCommand] {
    switch self {
    case .signIn(.first), .signOut, .currentUser, .refresh, .refreshElsewhere, .countSessions: []
    case .signIn: [.signIn(.first)]
    }
  }
}
