public import Foundation
public import SharedServices
public import Understudy

// The circumstances that the contracts of the shared services ask for. `Condition` says what each is; what comes
// with it is its fixture.

extension Condition where Fixture == UUID {
  /// Somebody is signed in; with the user's id.
  public static var signedIn: Self { Condition("somebody is signed in") }

  /// There is another user; with that user's id.
  public static var anotherUser: Self { Condition("there is another user") }
}

extension Condition where Fixture == Void {
  /// Nobody is signed in.
  public static var signedOut: Self { Condition("nobody is signed in") }

  /// The server has ended the session, so that a refresh is refused too.
  public static var sessionEnded: Self { Condition("the server has ended the session") }

  /// The session's tokens can be exchanged as often as somebody asks, whatever the order.
  public static var exchangesAreUnlimited: Self { Condition("tokens are exchanged as often as asked") }
}

extension Condition where Fixture == String {
  /// The user has a child of a certain name; with the name.
  public static var nameIsTaken: Self { Condition("the name is taken") }
}

extension Condition where Fixture == ForeignChild {
  /// There is a child of another user; with the child.
  public static var childOfAnotherUser: Self { Condition("there is a child of another user") }
}

extension Condition where Fixture == Refreshes {
  /// The access token's time is over, and the session can be refreshed; with a count of the refreshes.
  public static var tokenExpired: Self { Condition("the access token has expired") }
}

extension Condition where Fixture == SecondSession {
  /// The first account's user is signed in on another device too; with the session there.
  public static var secondSession: Self { Condition("the user is signed in on a second device") }
}

extension Condition where Fixture == SessionCount {
  /// The server tells how many sessions of the first account's user it has; with a way to ask it.
  public static var sessionsAreCounted: Self { Condition("the server's sessions can be counted") }
}

extension Condition where Fixture == Passage {
  /// Time can be made to pass between two calls.
  public static var timePasses: Self { Condition("time passes") }
}

extension Condition where Fixture == Account {
  /// There is an account; with what it takes to sign in.
  public static var account: Self { Condition("there is an account") }

  /// There is an account besides the first; with what it takes to sign in.
  public static var secondAccount: Self { Condition("there is a second account") }

  /// There is an account that was closed; with what it would take to sign in.
  public static var bannedAccount: Self { Condition("an account was closed") }
}

/// A child that belongs to another user.
public struct ForeignChild: Sendable {
  /// The child, as its owner sees it.
  public let child: Child
  /// Looks again, with the owner's eyes; `nil` if it is gone.
  public let current: @Sendable () async throws -> Child?

  /// A child of another user, and a way to look at it again.
  public init(child: Child, current: @escaping @Sendable () async throws -> Child?) {
    self.child = child
    self.current = current
  }
}

/// How often the session's tokens were exchanged since the condition began to hold.
public struct Refreshes: Sendable {
  /// The number of exchanges that the server answered or refused.
  public let count: @Sendable () async -> Int

  /// A count of refreshes.
  public init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}

/// The session of a user on another device.
public struct SecondSession: Sendable {
  /// Exchanges its tokens; throws once it is over.
  public let refresh: @Sendable () async throws -> Void

  /// A session, by what it can do.
  public init(refresh: @escaping @Sendable () async throws -> Void) {
    self.refresh = refresh
  }
}

/// How many sessions a user has at the server, on as many devices.
public struct SessionCount: Sendable {
  /// The number of sessions that the server has not ended.
  public let count: @Sendable () async throws -> Int

  /// A count of sessions.
  public init(count: @escaping @Sendable () async throws -> Int) {
    self.count = count
  }
}

/// A way to let time pass.
public struct Passage: Sendable {
  /// Returns when at least this much time has passed for the service.
  public let pass: @Sendable (Duration) async throws -> Void

  /// A way to let time pass.
  public init(pass: @escaping @Sendable (Duration) async throws -> Void) {
    self.pass = pass
  }
}

/// What it takes to sign in.
public struct Account: Sendable, Hashable {
  /// The address.
  public let email: String
  /// The password.
  public let password: String
  /// Whose account it is.
  public let userID: UUID

  /// An account.
  public init(email: String, password: String, userID: UUID) {
    self.email = email
    self.password = password
    self.userID = userID
  }
}
