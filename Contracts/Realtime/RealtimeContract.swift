import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any RealtimeService {
  /// What every implementation of ``RealtimeService`` must do.
  public static var realtimeService: Self {
    Contract("realtime") {
      Clause.telling
      Clause.subscribing
      Clause.realtimeEnding
      Clause.realtimeBreaking
      Clause.realtimeRefusing
      Clause.realtimeCancellation
    }
  }
}

extension Trial where Subject == any RealtimeService {
  /// A subscription of the user who is signed in, and another device on which that user is at work.
  package func subscribed() async throws -> Subscription {
    _ = try await given(.signedIn)
    let device = try await given(.anotherDevice)
    return Subscription(device: device, changes: try await subject.childChanges())
  }
}

/// A stream of changes, and the device that makes them.
package struct Subscription: Sendable {
  package let device: Device
  package let changes: AsyncThrowingStream<ChildChange, any Error>

  package init(device: Device, changes: AsyncThrowingStream<ChildChange, any Error>) {
    self.device = device
    self.changes = changes
  }

  /// The next changes, as many as are asked for.
  package func next(_ count: Int) async throws -> [ChildChange?] {
    var iterator = changes.makeAsyncIterator()
    var changes: [ChildChange?] = []
    for _ in 0..<count { changes.append(try await iterator.next()) }
    return changes
  }

  /// What is told until an error comes, and the error; `nil` for an end without one.
  package func rest() async -> (changes: [ChildChange], error: (any Error)?) {
    var told: [ChildChange] = []
    do {
      for try await change in changes { told.append(change) }
      return (told, nil)
    } catch {
      return (told, error)
    }
  }

  /// Makes a change that marks the end of what came before.
  package func mark(_ name: String = "Mark") async throws -> Child {
    try await device.children.createChild(.sample(of: device.userID, named: name))
  }
}
