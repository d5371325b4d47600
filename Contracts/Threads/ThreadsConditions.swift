public import SharedServices
public import Understudy

// Conditions that the contract of the threads' repository uses.

extension Condition where Fixture == Void {
  /// Every call of the store fails.
  public static var storeFails: Self { Condition("the store fails") }

  /// The store can be read but not written.
  public static var storeCannotBeWritten: Self { Condition("the store cannot be written") }

  /// What is stored is lost while the store is open, so that it can no longer be read.
  package static var storeIsLost: Self { Condition("the store is lost") }
}

extension Condition where Fixture == any ThreadsRepository {
  /// The store is reopened, as after a restart of the app.
  ///
  /// The fixture is the new repository.
  public static var storeIsReopened: Self { Condition("the store is reopened") }

  /// Another repository uses the same store, as another process would.
  ///
  /// The fixture is that repository.
  public static var storeIsShared: Self { Condition("another repository uses the store") }
}

extension Condition where Fixture == ThreadListObserverCount {
  /// The number of observers is observable.
  public static var observersAreCounted: Self { Condition("the observers are counted") }
}

/// The number of observers of a repository's lists.
public struct ThreadListObserverCount: Sendable {
  /// Returns the number of observers.
  public let count: @Sendable () async -> Int

  /// Creates a count of observers.
  public init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}
