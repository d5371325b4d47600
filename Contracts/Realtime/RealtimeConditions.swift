public import Foundation
public import SharedServices
public import Understudy

// Conditions that the contract of the change feeds uses.

extension Condition where Fixture == Device {
  /// The signed-in user has another device.
  ///
  /// The fixture is the device.
  public static var anotherDevice: Self { Condition("the user has another device") }

  /// Another user is signed in on another device.
  ///
  /// The fixture is the device.
  public static var deviceOfAnotherUser: Self { Condition("another user has a device") }
}

extension Condition where Fixture == Subscriptions {
  /// The number of open subscriptions is observable.
  public static var subscriptionsAreCounted: Self { Condition("the subscriptions are counted") }
}

extension Condition where Fixture == Void {
  /// Every open subscription breaks.
  public static var subscriptionsBreak: Self { Condition("the subscriptions break") }

  /// Another user signs in on the same device, without a sign-out before.
  public static var anotherUserSignsIn: Self { Condition("another user signs in on the device") }
}

extension Condition where Fixture == Refreshes {
  /// The server refuses the access token although it has not expired.
  ///
  /// The fixture counts the refreshes.
  public static var tokenIsRefused: Self { Condition("the access token is refused") }
}

extension Condition where Fixture == BrokenSubscription {
  /// The connection of every new subscription breaks after some changes.
  public static var subscriptionDrops: Self { Condition("a subscription's connection breaks") }

  /// The server closes the connection of every new subscription after some changes, with a close message.
  public static var subscriptionIsClosed: Self { Condition("the server closes a subscription") }

  /// The connection of every new subscription delivers invalid data after some changes.
  public static var subscriptionIsCorrupt: Self { Condition("a subscription is corrupt") }
}

/// A failure that occurs in every new subscription.
public struct BrokenSubscription: Sendable, Hashable {
  /// The number of changes that are delivered first; the failure replaces the next change.
  public let changes: Int

  /// Creates a failure after a number of changes.
  public init(afterChanges changes: Int) {
    self.changes = changes
  }
}

/// A device that is used independently of the service under test.
public struct Device: Sendable {
  /// The id of the user who is signed in on the device.
  public let userID: UUID
  /// The service that writes children from the device.
  public let children: any ChildrenService

  /// Creates a device of a user.
  public init(userID: UUID, children: any ChildrenService) {
    self.userID = userID
    self.children = children
  }
}

/// The number of open subscriptions.
public struct Subscriptions: Sendable {
  /// Returns the number of subscriptions.
  ///
  /// It may wait until the number is the expected one.
  public let count: @Sendable (_ expected: Int) async -> Int

  /// Creates a count of subscriptions.
  public init(count: @escaping @Sendable (_ expected: Int) async -> Int) {
    self.count = count
  }
}
