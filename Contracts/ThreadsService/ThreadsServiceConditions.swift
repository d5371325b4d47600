package import SharedServices
package import Understudy

// Conditions that the contract of the threads' service uses, in addition to those of the forum and of the store.

extension Condition where Fixture == any ThreadsService {
  /// The reader uses another device, with a store of its own.
  ///
  /// The fixture is the service on that device, which no other condition affects.
  package static var readersOtherDevice: Self { Condition("the reader uses another device") }
}

extension Condition where Fixture == AnotherReader {
  /// Another reader uses the same device.
  package static var anotherReader: Self { Condition("another reader uses the device") }
}

extension Condition where Fixture == PostedThreads {
  /// The notifications of updated threads are received.
  package static var updatesAreReceived: Self { Condition("the notifications are received") }
}

extension Condition where Fixture == String {
  /// The forum has signed the reader out.
  ///
  /// The fixture is its message for guests.
  package static var readerIsGuest: Self { Condition("the forum has signed the reader out") }
}

extension Condition where Fixture == CallHold {
  /// The next call of the store is held before it changes the store; later ones pass.
  package static var storeIsSlow: Self { Condition("the next call of the store is held") }
}

/// Another reader of the same forum.
package struct AnotherReader: Sendable {
  /// The reader's own service on the device.
  package let service: any ThreadsService
  /// What the forum shows to the reader at first.
  package let lists: ForumReaders.Lists

  /// Creates a reader.
  package init(service: any ThreadsService, lists: ForumReaders.Lists) {
    self.service = service
    self.lists = lists
  }
}

/// The notifications of a service.
package struct PostedThreads: Sendable {
  /// Returns the objects of the notifications so far, in order.
  package let posted: @Sendable () -> [ForumThread]

  /// Creates notifications.
  package init(posted: @escaping @Sendable () -> [ForumThread]) {
    self.posted = posted
  }
}
