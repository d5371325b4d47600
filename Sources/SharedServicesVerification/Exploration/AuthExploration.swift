import Foundation
public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == AuthCommand {
  /// Signing in and out on one device, with valid and invalid accounts.
  public static var authService: Self {
    Exploration("authentication") { trial in
      try await trial.given(.exchangesAreUnlimited)
      return AuthModel(
        account: try await trial.given(.account), second: try await trial.given(.secondAccount),
        banned: try await trial.given(.bannedAccount))
    }
  }
}

/// A minimal model of the session on a device.
public struct AuthModel: Sendable, Hashable {
  let account: Account
  let second: Account
  let banned: Account
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

  /// Returns a random call.
  public static func random(
    in model: AuthModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1: .signIn(Person.allCases.randomElement(using: &generator) ?? .first)
    case 2: .signOut
    case 3: .refresh
    default: .currentUser
    }
  }

  /// Returns the signed-in user.
  public static func observations(of model: AuthModel) -> [Self] { [.currentUser] }

  /// Returns the call.
  public func call(in model: AuthModel) -> ExplorationCall<any AuthService, AuthModel>? {
    switch self {
    case .signIn(let person): signIn(person, in: model)
    case .signOut:
      ExplorationCall {
        try await $0.signOut()
      } step: { model, answer in
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
      return answer.returned(account.userID)
    }
  }

  /// The same call for the first person.
  public var simpler: [AuthCommand] {
    switch self {
    case .signIn(.first), .signOut, .currentUser, .refresh: []
    case .signIn: [.signIn(.first)]
    }
  }
}
