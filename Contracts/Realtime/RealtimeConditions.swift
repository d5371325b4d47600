public import Foundation
public import SharedServices
public import Understudy

// The circumstances that the contract of the change feeds asks for.

extension Condition where Fixture == Device {
  /// The user who is signed in has another device; with the device.
  public static var anotherDevice: Self { Condition("the user has another device") }

  /// Another user is signed in on a device of their own; with the device.
  public static var deviceOfAnotherUser: Self { Condition("another user has a device") }
}

extension Condition where Fixture == Subscriptions {
  /// The subscriptions can be counted where they are kept.
  public static var subscriptionsAreCounted: Self { Condition("the subscriptions are counted") }
}

extension Condition where Fixture == Void {
  /// Every subscription that there is breaks.
  public static var subscriptionsBreak: Self { Condition("the subscriptions break") }

  /// Another user signs in on the device, without anybody having signed out.
  public static var anotherUserSignsIn: Self { Condition("another user signs in on the device") }
}

extension Condition where Fixture == Refreshes {
  /// The server refuses the access token, though its time is not over; with a count of the refreshes.
  public static var tokenIsRefused: Self { Condition("the access token is refused") }
}

extension Condition where Fixture == BrokenSubscription {
  /// The connection of every new subscription breaks after some changes.
  public static var subscriptionDrops: Self { Condition("a subscription's connection breaks") }

  /// The server closes the connection of every new subscription after some changes, and says so.
  public static var subscriptionIsClosed: Self { Condition("the server closes a subscription") }

  /// What comes over the connection of every new subscription after some changes is not what the service speaks.
  public static var subscriptionIsCorrupt: Self { Condition("a subscription is corrupt") }
}

/// Something that goes wrong in every new subscription.
public struct BrokenSubscription: Sendable, Hashable {
  /// How many changes are told before; it goes wrong in the place of the next.
  public let changes: Int

  /// A subscription that breaks after so many changes.
  public init(afterChanges changes: Int) {
    self.changes = changes
  }
}

/// A device on which somebody else than the tried service is at work.
public struct Device: Sendable {
  /// Who is signed in on it.
  public let userID: UUID
  /// What writes children from it.
  public let children: any ChildrenService

  /// A device of a user.
  public init(userID: UUID, children: any ChildrenService) {
    self.userID = userID
    self.children = children
  }
}

/// How many subscriptions there are.
public struct Subscriptions: Sendable {
  /// The number of them; where leaving takes a while, waited for until it is what is expected.
  public let count: @Sendable (_ expected: Int) async -> Int

  /// A count of subscriptions.
  public init(count: @escaping @Sendable (_ expected: Int) async -> Int) {
    self.count = count
  }
}
