public import Foundation
public import SharedServices
public import Understudy

// The conditions that several contracts of the shared services use. A condition's fixture holds what a clause needs to
// check it.

extension Condition where Fixture == UUID {
  /// A user is signed in.
  ///
  /// The fixture is the user's id.
  public static var signedIn: Self { Condition("a user is signed in") }

  /// A second user exists.
  ///
  /// The fixture is that user's id.
  public static var anotherUser: Self { Condition("there is another user") }
}

extension Condition where Fixture == Void {
  /// No user is signed in.
  public static var signedOut: Self { Condition("no user is signed in") }

  /// The server has ended the session, so it refuses a refresh too.
  public static var sessionEnded: Self { Condition("the server has ended the session") }

  /// The first user signs in on the device, whoever is signed in.
  package static var userSignsInAgain: Self { Condition("the first user signs in again") }

  /// The session's tokens can be exchanged any number of times, in any order.
  public static var exchangesAreUnlimited: Self { Condition("tokens can be exchanged any number of times") }

  /// The server has ended the session, and refuses a refresh with an error code.
  package static func sessionEnded(with code: String) -> Self {
    Condition("the server has ended the session with \(code)")
  }

  /// The first account is banned.
  package static var accountIsBanned: Self { Condition("the account is banned") }

  /// The server does the work, and no answer arrives.
  package static var answerIsLate: Self { Condition("the answer is too late") }
}

extension Condition where Fixture == CallCount {
  /// The calls that a server would receive are counted, and those that fail before they reach it.
  package static var callsAreCounted: Self { Condition("the calls are counted") }
}

extension Condition where Fixture == DeviceUsers {
  /// Two users sign in on the device in turn; the first one is signed in.
  package static var usersTakeTurns: Self { Condition("two users take turns") }
}

extension Condition where Fixture == ServerClock {
  /// The server's clock can be read.
  package static var clockIsKnown: Self { Condition("the server's clock is known") }
}

extension Condition where Fixture == String {
  /// The user has a child with a certain name.
  ///
  /// The fixture is the name.
  public static var nameIsTaken: Self { Condition("the name is taken") }
}

extension Condition where Fixture == ForeignChild {
  /// Another user has a child.
  ///
  /// The fixture is the child.
  public static var childOfAnotherUser: Self { Condition("there is a child of another user") }
}

extension Condition where Fixture == Refreshes {
  /// The access token has expired, and the session can be refreshed.
  ///
  /// The fixture counts the refreshes.
  public static var tokenExpired: Self { Condition("the access token has expired") }
}

extension Condition where Fixture == Duration {
  /// The server refuses every exchange of tokens for a while; the fixture is the delay that it announces.
  package static var exchangesAreLimited: Self { Condition("too many tokens were exchanged") }
}

extension Condition where Fixture == SecondSession {
  /// The first account's user is also signed in on a second device.
  ///
  /// The fixture is the session on that device.
  public static var secondSession: Self { Condition("the user is signed in on a second device") }
}

extension Condition where Fixture == SessionCount {
  /// The server reports the number of sessions of the first account's user.
  ///
  /// The fixture returns the number.
  public static var sessionsAreCounted: Self { Condition("the server's sessions can be counted") }
}

extension Condition where Fixture == Passage {
  /// The clause can make time pass between two calls.
  public static var timePasses: Self { Condition("time passes") }
}

extension Condition where Fixture == Account {
  /// An account exists.
  ///
  /// The fixture holds its credentials.
  public static var account: Self { Condition("there is an account") }

  /// A second account exists.
  ///
  /// The fixture holds its credentials.
  public static var secondAccount: Self { Condition("there is a second account") }

  /// An account exists that is banned.
  ///
  /// The fixture holds its credentials.
  public static var bannedAccount: Self { Condition("an account is banned") }
}

/// A child that belongs to another user.
public struct ForeignChild: Sendable {
  /// The child, as its owner receives it.
  public let child: Child
  /// Fetches the child as its owner; `nil` if it was deleted.
  public let current: @Sendable () async throws -> Child?

  /// Creates a child of another user.
  public init(child: Child, current: @escaping @Sendable () async throws -> Child?) {
    self.child = child
    self.current = current
  }
}

/// The number of token exchanges since the condition began to hold.
public struct Refreshes: Sendable {
  /// Returns the number of exchanges that the server answered or refused.
  public let count: @Sendable () async -> Int

  /// Creates a count of refreshes.
  public init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}

/// A user's session on another device.
public struct SecondSession: Sendable {
  /// Exchanges the session's tokens; throws once the session has ended.
  public let refresh: @Sendable () async throws -> Void

  /// Creates a session.
  public init(refresh: @escaping @Sendable () async throws -> Void) {
    self.refresh = refresh
  }
}

/// The number of a user's sessions at the server, one for each device.
public struct SessionCount: Sendable {
  /// Returns the number of sessions that the server has not ended.
  public let count: @Sendable () async throws -> Int

  /// Creates a count of sessions.
  public init(count: @escaping @Sendable () async throws -> Int) {
    self.count = count
  }
}

/// The number of calls since the condition began to hold.
package struct CallCount: Sendable {
  /// Returns the number of calls.
  package let count: @Sendable () async -> Int

  /// Creates a count of calls.
  package init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}

/// The users of one device.
package struct DeviceUsers: Sendable {
  /// The ids of the users; the first one is signed in.
  package let ids: [UUID]
  /// Signs a user in, in place of the one who is signed in.
  package let signIn: @Sendable (UUID) async throws -> Void

  /// Creates the users of a device.
  package init(ids: [UUID], signIn: @escaping @Sendable (UUID) async throws -> Void) {
    self.ids = ids
    self.signIn = signIn
  }
}

/// The clock with which the server dates rows.
package struct ServerClock: Sendable {
  /// Returns the current date.
  package let now: @Sendable () -> Date

  /// Creates a clock.
  package init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }
}

/// A function that makes time pass.
public struct Passage: Sendable {
  /// Returns when at least this much time has passed for the service.
  public let pass: @Sendable (Duration) async throws -> Void

  /// Creates a function that makes time pass.
  public init(pass: @escaping @Sendable (Duration) async throws -> Void) {
    self.pass = pass
  }
}

/// The credentials and the user id of an account.
public struct Account: Sendable, Hashable, Codable {
  /// The email address.
  public let email: String
  /// The password.
  public let password: String
  /// The id of the account's user.
  public let userID: UUID

  /// Creates an account.
  public init(email: String, password: String, userID: UUID) {
    self.email = email
    self.password = password
    self.userID = userID
  }
}
