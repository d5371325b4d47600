public import Foundation
public import SharedServices
public import UnderstudyContracts

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
  /// The number of them, now.
  public let count: @Sendable () async -> Int

  /// A count of subscriptions.
  public init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}
