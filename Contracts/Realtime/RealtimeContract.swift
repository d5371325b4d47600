package import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any RealtimeService {
  /// The contract of every ``/SharedServices/RealtimeService`` implementation.
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
  /// Creates a subscription of the signed-in user, with another device of that user.
  package func subscribed() async throws -> Subscription {
    _ = try await given(.signedIn)
    let device = try await given(.anotherDevice)
    return Subscription(device: device, changes: try await subject.childChanges())
  }
}

/// A stream of changes and the device that makes them.
package struct Subscription: Sendable {
  package let device: Device
  package let changes: AsyncThrowingStream<ChildChange, any Error>

  package init(device: Device, changes: AsyncThrowingStream<ChildChange, any Error>) {
    self.device = device
    self.changes = changes
  }

  /// Returns the next changes.
  package func next(_ count: Int) async throws -> [ChildChange?] {
    var iterator = changes.makeAsyncIterator()
    var changes: [ChildChange?] = []
    for _ in 0..<count { changes.append(try await iterator.next()) }
    return changes
  }

  /// Returns the changes up to the one that stored a child with an id, or to the end.
  ///
  /// The other fields are compared by the clause: waiting for them would last for ever if one differs.
  package func next(upTo last: UUID) async throws -> [ChildChange?] {
    var changes: [ChildChange?] = []
    while true {
      changes += try await next(1)
      switch changes.last {
      case .inserted(let child)?? where child.id != last: continue
      case .updated??, .deleted??: continue
      default: return changes
      }
    }
  }

  /// Returns the changes until the stream ends, and its error; `nil` for an end without an error.
  package func rest() async -> (changes: [ChildChange], error: (any Error)?) {
    var told: [ChildChange] = []
    do {
      for try await change in changes { told.append(change) }
      return (told, nil)
    } catch {
      return (told, error)
    }
  }

  /// Makes a change that marks the end of the previous changes.
  package func mark(_ name: String = "Mark") async throws -> Child {
    try await device.children.createChild(.sample(of: device.userID, named: name))
  }
}
