import Foundation
public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == ChildrenCommand {
  /// Children created, changed, deleted and fetched by two users who take turns on a device.
  public static var childrenService: Self {
    Exploration("children") { trial in
      ChildrenModel(
        users: Handle(try await trial.given(.usersTakeTurns)),
        time: Handle(try await trial.given(.timePasses)))
    }
  }
}

/// A minimal model of a children service.
public struct ChildrenModel: Sendable, Hashable {
  let users: Handle<DeviceUsers>
  let time: Handle<Passage>
  /// The place of the signed-in user among the users.
  var current = 0
  /// The number of seconds that have passed.
  var seconds = 0
  /// Every child that was created, as last returned.
  var known: [Child] = []
  /// The stored children of all users, by id.
  var stored: [UUID: Child] = [:]
  /// The second at which each child was last changed.
  var changed: [UUID: Int] = [:]

  var userID: UUID { users.value.ids[current] }
  var otherUserID: UUID { users.value.ids[1 - current] }

  /// Returns the stored children that a user can see.
  fileprivate func children(of userID: UUID) -> [UUID: Child] {
    userID == self.userID ? stored.filter { $0.value.userID == userID } : [:]
  }

  /// Returns the errors that the service may throw for a child; empty if the child is valid.
  fileprivate func refusals(of child: NewChild, except id: UUID?) -> [AppError] {
    var refusals: [AppError] = []
    if child.name.allSatisfy(\.isWhitespace) { refusals.append(.validation(.outOfRange(field: "name"))) }
    if !(6...16).contains(child.age) { refusals.append(.validation(.outOfRange(field: "age"))) }
    if stored.values.contains(where: {
      $0.userID == child.userID && $0.name == child.name && $0.id != id
    }) {
      refusals.append(.network(.conflict))
    }
    return refusals
  }

  fileprivate mutating func store(_ child: Child) {
    stored[child.id] = child
    changed[child.id] = seconds
    if let place = known.firstIndex(where: { $0.id == child.id }) {
      known[place] = child
    } else {
      known.append(child)
    }
  }
}

/// A call of a children service.
///
/// An index identifies a child among all created ones, whoever created it, from 0.
public enum ChildrenCommand: ExplorationCommand {
  /// Creates a child with a name.
  case create(String, age: Int)
  /// Gives a child another name; the other values are those last returned.
  case rename(Int, to: String)
  /// Gives a child another age; the other values are those last returned.
  case setAge(Int, to: Int)
  /// Deletes a child.
  case delete(Int)
  /// Deletes a child that was never created.
  case deleteUnknown
  /// Fetches the user's children.
  case fetch
  /// Signs one of the two users in.
  case signIn(Int)
  /// Creates a child of the user who is not signed in.
  case createForOther(String)
  /// Fetches the children of the user who is not signed in.
  case fetchOther
  /// Waits one second.
  case wait

  private static let names = ["Kim", "Robin", "Alex", "Zoë", " "]

  /// Returns a random call, most often one that creates a child.
  public static func random(
    in model: ChildrenModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let name = names[Int.random(in: names.indices, using: &generator)]
    let age = Int.random(in: 5...17, using: &generator)
    let place = model.known.indices.randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<13, using: &generator) {
    case 0, 1, 2: .create(name, age: age)
    case 3: .rename(place, to: name)
    case 4: .setAge(place, to: age)
    case 5: .delete(place)
    case 6: .deleteUnknown
    case 7: .wait
    case 8: .signIn(.random(in: 0...1, using: &generator))
    case 9: .createForOther(name)
    case 10: .fetchOther
    default: .fetch
    }
  }

  /// Fetches the children of both users.
  public static func observations(of model: ChildrenModel) -> [Self] {
    [.fetch, .fetchOther, .signIn(1 - model.current), .fetch]
  }

  /// Returns the call; `nil` for a child that was not created.
  public func call(in model: ChildrenModel) -> ExplorationCall<any ChildrenService, ChildrenModel>? {
    switch self {
    case .create(let name, let age): return create(name, age, of: model.userID)
    case .rename(let place, let name): return update(place, in: model) { $0.name = name }
    case .setAge(let place, let age): return update(place, in: model) { $0.age = age }
    case .delete(let place):
      guard model.known.indices.contains(place) else { return nil }
      let id = model.known[place].id
      return ExplorationCall {
        try await $0.deleteChild(id: id)
      } step: { model, answer in
        // A row of another user is indistinguishable from a missing row.
        if model.stored[id]?.userID == model.userID { model.stored[id] = nil }
        return answer.returned
      }
    case .deleteUnknown:
      // The nil UUID (RFC 9562 §5.9), which no service assigns.
      let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      return ExplorationCall {
        try await $0.deleteChild(id: id)
      } step: { _, answer in
        answer.returned
      }
    case .wait:
      let time = model.time.value
      return ExplorationCall { _ in
        try await time.pass(.seconds(1))
      } step: { model, answer in
        model.seconds += 1
        return answer.returned
      }
    case .fetch: return fetch(of: model.userID)
    case .fetchOther: return fetch(of: model.otherUserID)
    case .createForOther(let name): return create(name, 8, of: model.otherUserID)
    case .signIn(let place):
      guard model.users.value.ids.indices.contains(place) else { return nil }
      let users = model.users.value
      return ExplorationCall { _ in
        try await users.signIn(users.ids[place])
      } step: { model, answer in
        model.current = place
        return answer.returned
      }
    }
  }

  private func fetch(of userID: UUID) -> ExplorationCall<any ChildrenService, ChildrenModel> {
    ExplorationCall {
      try await $0.fetchChildren(userID: userID)
    } step: { model, answer in
      let stored = model.children(of: userID)
      return answer.returned("\(stored.values.map(\.summary).sorted()), the newest first") { children in
        children.count == stored.count && children.allSatisfy { stored[$0.id] == $0 }
          && zip(children, children.dropFirst()).allSatisfy { $0.createdAt >= $1.createdAt }
      }
    }
  }

  private func create(
    _ name: String, _ age: Int, of userID: UUID
  ) -> ExplorationCall<any ChildrenService, ChildrenModel> {
    var new = NewChild.sample(of: userID, named: name)
    new.age = age
    return ExplorationCall { [new] in
      try await $0.createChild(new)
    } step: { [new] model, answer in
      let refusals = model.refusals(of: new, except: nil)
      guard new.userID == model.userID else {
        return answer.threw(oneOf: [AppError.network(.forbidden)] + refusals)
      }
      guard refusals.isEmpty else { return answer.threw(oneOf: refusals) }
      if let child = answer.value { model.store(child) }
      return answer.returned("a new child \(name) of \(age)") { child in
        child.asCreated == new && child.createdAt == child.updatedAt
          && model.known.count { $0.id == child.id } == 1
      }
    }
  }

  private func update(
    _ place: Int, in model: ChildrenModel, _ change: (inout Child) -> Void
  ) -> ExplorationCall<any ChildrenService, ChildrenModel>? {
    guard model.known.indices.contains(place) else { return nil }
    var child = model.known[place]
    change(&child)
    return ExplorationCall { [child] in
      try await $0.updateChild(child)
    } step: { [child] model, answer in
      guard let old = model.stored[child.id], old.userID == model.userID else {
        return answer.threw(AppError.network(.notFound))
      }
      let refusals = model.refusals(of: child.asCreated, except: child.id)
      guard refusals.isEmpty else { return answer.threw(oneOf: refusals) }
      let isLater = model.seconds > model.changed[child.id] ?? 0
      if let new = answer.value { model.store(new) }
      return answer.returned("the child \(child.name) of \(child.age), changed now") { new in
        new.id == child.id && new.asCreated == child.asCreated && new.createdAt == old.createdAt
          && (isLater ? new.updatedAt > old.updatedAt : new.updatedAt >= old.updatedAt)
      }
    }
  }

  /// The same call for an earlier child, and with a simpler name or a lower age.
  public var simpler: [ChildrenCommand] {
    let first = Self.names[0]
    return switch self {
    case .create(let name, let age):
      (name == first ? [] : [.create(first, age: age)])
        + age.simpler(toward: 6).map { .create(name, age: $0) }
    case .rename(let place, let name):
      place.simpler().map { .rename($0, to: name) } + (name == first ? [] : [.rename(place, to: first)])
    case .setAge(let place, let age):
      place.simpler().map { .setAge($0, to: age) } + age.simpler(toward: 6).map { .setAge(place, to: $0) }
    case .delete(let place): place.simpler().map { .delete($0) }
    case .signIn(let place): place.simpler().map { .signIn($0) }
    case .createForOther(let name): name == first ? [] : [.createForOther(first)]
    case .deleteUnknown, .fetch, .fetchOther, .wait: []
    }
  }
}

extension Child {
  fileprivate var summary: String { "\(name) of \(age)" }
}
