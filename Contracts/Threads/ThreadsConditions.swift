public import SharedServices
public import Understudy

// The circumstances that the contract of the threads' repository asks for.

extension Condition where Fixture == Void {
  /// Every call of the store fails.
  public static var storeFails: Self { Condition("the store fails") }

  /// The store can be read and not be written.
  public static var storeCannotBeWritten: Self { Condition("the store cannot be written") }
}

extension Condition where Fixture == any ThreadsRepository {
  /// The store is opened anew, as after the end of the app; with the repository that the app then has.
  public static var storeIsReopened: Self { Condition("the store is opened anew") }

  /// Another repository uses the same store, as another process would; with that repository.
  public static var storeIsShared: Self { Condition("another repository uses the store") }
}

extension Condition where Fixture == ThreadListObserverCount {
  /// The observers can be counted where they are kept.
  public static var observersAreCounted: Self { Condition("the observers are counted") }
}

/// How many observe the lists of a repository.
public struct ThreadListObserverCount: Sendable {
  /// The number of them.
  public let count: @Sendable () async -> Int

  /// A count of observers.
  public init(count: @escaping @Sendable () async -> Int) {
    self.count = count
  }
}
