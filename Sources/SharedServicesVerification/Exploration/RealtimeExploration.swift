import Foundation
public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == RealtimeCommand {
  /// Changes made on one device and delivered on another, beside those of another user.
  public static var realtimeService: Self {
    Exploration("realtime") { trial in
      _ = try await trial.given(.signedIn)
      return RealtimeModel(
        device: Handle(try await trial.given(.anotherDevice)),
        elsewhere: Handle(try await trial.given(.deviceOfAnotherUser)))
    }
  }
}

/// A minimal model of changes: the list of them.
public struct RealtimeModel: Sendable, Hashable {
  let device: Handle<Device>
  /// A device of another user, whose changes are never delivered.
  let elsewhere: Handle<Device>
  /// The children that the other user has created, by id; a deleted one has no name.
  var foreign: [UUID] = []
  var foreignNames: [UUID: String] = [:]
  /// The number of marks, whose names must be unique.
  let marks = Handle(Locked(0))
  var changes: [ChildChange] = []
  /// The ids of all children that were stored.
  var known: [UUID] = []
  /// The stored children, by id.
  var stored: [UUID: Child] = [:]
  /// The listeners, and the number of changes that were delivered to each or made before it subscribed.
  var listeners: [Listener] = []

  struct Listener: Sendable, Hashable {
    let subscription: Handle<OpenSubscription>
    var told: Int
  }

  fileprivate mutating func store(_ child: Child) {
    changes.append(stored[child.id] == nil ? .inserted(child) : .updated(child))
    if stored[child.id] == nil { known.append(child.id) }
    stored[child.id] = child
  }
}

/// A subscription that one task reads at a time.
final class OpenSubscription: Sendable {
  private let subscription: Subscription
  private let readers = OneAtATime()

  init(_ subscription: Subscription) {
    self.subscription = subscription
  }

  /// Makes a change that marks the end and reads up to it; `nil` if another task reads.
  func read(counting marks: Locked<Int>) async throws -> (mark: Child, told: [ChildChange?])? {
    try await readers.run {
      let number = marks.withLock { marks in
        marks += 1
        return marks
      }
      let mark = try await subscription.mark("Mark \(number)")
      var told: [ChildChange?] = []
      repeat {
        told += try await subscription.next(1)
      } while told.last != .inserted(mark) && told.last != .some(nil)
      return (mark, told)
    }
  }
}

/// A change on another device, or a call of a realtime service.
///
/// Indices identify children and listeners among all, from 0.
public enum RealtimeCommand: ExplorationCommand {
  /// The other device creates a child with a name.
  case create(String)
  /// The other device gives a child another age.
  case setAge(Int, to: Int)
  /// The other device deletes a child.
  case delete(Int)
  /// The other user creates a child with a name.
  case createElsewhere(String)
  /// The other user deletes a child, by its index among that user's, from 0.
  case deleteElsewhere(Int)
  /// Subscribes.
  case subscribe
  /// Reads the changes so far, up to a mark.
  case listen(Int)

  private static let names = ["Kim", "Robin", "Alex"]

  /// Returns a random call, most often one that changes a child.
  public static func random(
    in model: RealtimeModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let place = model.known.indices.randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<12, using: &generator) {
    case 10: .createElsewhere(names[Int.random(in: names.indices, using: &generator)])
    case 11: .deleteElsewhere(model.foreign.indices.randomElement(using: &generator) ?? 0)
    case 0, 1, 2: .create(names[Int.random(in: names.indices, using: &generator)])
    case 3, 4: .setAge(place, to: .random(in: 6...17, using: &generator))
    case 5: .delete(place)
    case 6: .subscribe
    default: .listen(model.listeners.indices.randomElement(using: &generator) ?? 0)
    }
  }

  /// Returns the changes that each listener received.
  public static func observations(of model: RealtimeModel) -> [Self] {
    model.listeners.indices.map { .listen($0) }
  }

  /// Returns the call; `nil` for a child or a listener that does not exist.
  public func call(in model: RealtimeModel) -> ExplorationCall<any RealtimeService, RealtimeModel>? {
    let device = model.device.value
    switch self {
    case .create(let name):
      return ExplorationCall { _ in
        try await device.children.createChild(.sample(of: device.userID, named: name))
      } step: { model, answer in
        if model.stored.values.contains(where: { $0.name == name }) {
          return answer.threw(AppError.network(.conflict))
        }
        if let child = answer.value { model.store(child) }
        return answer.returned
      }
    case .setAge(let place, let age):
      guard model.known.indices.contains(place), let child = model.stored[model.known[place]] else {
        return nil
      }
      return setAge(of: child, to: age, on: device)
    case .delete(let place):
      guard model.known.indices.contains(place) else { return nil }
      let id = model.known[place]
      return ExplorationCall { _ in
        try await device.children.deleteChild(id: id)
      } step: { model, answer in
        if model.stored.removeValue(forKey: id) != nil { model.changes.append(.deleted(id: id)) }
        return answer.returned
      }
    case .createElsewhere(let name):
      let other = model.elsewhere.value
      return ExplorationCall { _ in
        try await other.children.createChild(.sample(of: other.userID, named: name))
      } step: { model, answer in
        if model.foreignNames.values.contains(name) { return answer.threw(AppError.network(.conflict)) }
        if let child = answer.value {
          model.foreign.append(child.id)
          model.foreignNames[child.id] = name
        }
        return answer.returned
      }
    case .deleteElsewhere(let place):
      guard model.foreign.indices.contains(place) else { return nil }
      let (other, id) = (model.elsewhere.value, model.foreign[place])
      return ExplorationCall { _ in
        try await other.children.deleteChild(id: id)
      } step: { model, answer in
        model.foreignNames[id] = nil
        return answer.returned
      }
    case .subscribe:
      return ExplorationCall { service in
        Handle(OpenSubscription(Subscription(device: device, changes: try await service.childChanges())))
      } step: { model, answer in
        if let subscription = answer.value {
          model.listeners.append(.init(subscription: subscription, told: model.changes.count))
        }
        return answer.returned
      }
    case .listen(let place):
      guard model.listeners.indices.contains(place) else { return nil }
      return listen(to: model.listeners[place].subscription, counting: model.marks.value)
    }
  }

  private func setAge(
    of child: Child, to age: Int, on device: Device
  ) -> ExplorationCall<any RealtimeService, RealtimeModel> {
    var child = child
    child.age = age
    return ExplorationCall { [child] _ in
      try await device.children.updateChild(child)
    } step: { [child] model, answer in
      guard model.stored[child.id] != nil else { return answer.threw(AppError.network(.notFound)) }
      guard Child.ages.contains(age) else {
        return answer.threw(AppError.validation(.outOfRange(field: "age")))
      }
      if let child = answer.value { model.store(child) }
      return answer.returned
    }
  }

  private func listen(
    to subscription: Handle<OpenSubscription>, counting marks: Locked<Int>
  ) -> ExplorationCall<any RealtimeService, RealtimeModel> {
    ExplorationCall { _ in
      try await subscription.value.read(counting: marks)
    } step: { model, answer in
      // Another task reads the subscription.
      if case .value(nil) = answer { return .possible }
      guard let place = model.listeners.firstIndex(where: { $0.subscription == subscription }) else {
        return .impossible(expected: "a listener that has subscribed")
      }
      if let mark = answer.value??.mark { model.store(mark) }
      let expected = Array(model.changes[model.listeners[place].told...])
      model.listeners[place].told = model.changes.count
      return answer.returned("\(expected)") { $0?.told == expected }
    }
  }

  /// The same call for an earlier child or listener.
  public var simpler: [RealtimeCommand] {
    switch self {
    case .create(let name): name == Self.names[0] ? [] : [.create(Self.names[0])]
    case .setAge(let place, let age):
      place.simpler().map { .setAge($0, to: age) } + age.simpler(toward: 6).map { .setAge(place, to: $0) }
    case .delete(let place): place.simpler().map { .delete($0) }
    case .createElsewhere(let name): name == Self.names[0] ? [] : [.createElsewhere(Self.names[0])]
    case .deleteElsewhere(let place): place.simpler().map { .deleteElsewhere($0) }
    case .subscribe: []
    case .listen(let place): place.simpler().map { .listen($0) }
    }
  }
}
