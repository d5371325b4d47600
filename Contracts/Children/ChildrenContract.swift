package import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any ChildrenService {
  /// The contract of every ``/SharedServices/ChildrenService`` implementation.
  public static var childrenService: Self {
    Contract("children") {
      Clause.creating
      Clause.refusing
      Clause.fetching
      Clause.updating
      Clause.deleting
      Clause.childrenUsers
      Clause.childrenSession
      Clause.childrenFailures
      Clause.childrenConcurrency
    }
  }
}

extension NewChild {
  /// A child that the table accepts, with every field set.
  package static func sample(
    of userID: UUID, named name: String = "Robin", under id: UUID? = nil
  ) -> NewChild {
    NewChild(
      id: id, userID: userID, name: name, age: 8,
      birthday: CalendarDate(year: 2016, month: 2, day: 29) ?? .someDay,
      goals: ["sleep", "listen"], topics: ["school"], temperament: .spirited, talkativeness: 7,
      sensitivity: 3, accountability: 10)
  }
}

extension CalendarDate {
  fileprivate static var someDay: CalendarDate { CalendarDate(.init(timeIntervalSince1970: 0), in: .gmt) }
}

extension Child {
  /// The values with which a client created the child without an id.
  package var asCreated: NewChild { asCreated(under: nil) }

  /// The values with which a client created the child.
  func asCreated(under id: UUID?) -> NewChild {
    NewChild(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability)
  }

  /// Returns the child with a change.
  func with(_ change: (inout Child) -> Void) -> Child {
    var child = self
    change(&child)
    return child
  }

  /// Returns the child with other values of a client.
  func with(_ values: NewChild) -> Child {
    Child(
      id: id, userID: userID, name: values.name, age: values.age, birthday: values.birthday,
      goals: values.goals, topics: values.topics, temperament: values.temperament,
      talkativeness: values.talkativeness, sensitivity: values.sensitivity,
      accountability: values.accountability, createdAt: createdAt, updatedAt: updatedAt)
  }

  /// Returns the child with other dates, and with another owner unless that is `nil`.
  package func with(userID: UUID? = nil, createdAt: Date, updatedAt: Date) -> Child {
    Child(
      id: id, userID: userID ?? self.userID, name: name, age: age, birthday: birthday, goals: goals,
      topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension Trial where Subject == any ChildrenService {
  /// Stores a child that each call has returned, so that a service could return it again where it should throw.
  func knownChild(of user: UUID, named name: String = "Robin") async throws -> Child {
    let created = try await subject.createChild(.sample(of: user, named: name))
    let child = try await subject.updateChild(created.with { $0.age = 12 })
    expect(try await subject.fetchChildren(userID: user), equals: [child], "the children before it")
    return child
  }
}

extension ServiceCall where Service == any ChildrenService {
  /// One call of each kind, on a stored child and the user it belongs to.
  static func all(on child: Child) -> [ServiceCall] {
    [
      ServiceCall(name: "createChild") {
        _ = try await $0.createChild(.sample(of: child.userID, named: "Another"))
      },
      ServiceCall(name: "fetchChildren") { _ = try await $0.fetchChildren(userID: child.userID) },
      ServiceCall(name: "updateChild") { service in
        var changed = child
        changed.age = 9
        _ = try await service.updateChild(changed)
      },
      ServiceCall(name: "deleteChild") { try await $0.deleteChild(id: child.id) },
    ]
  }

  /// One call of each kind that writes; ``all(on:)`` without the one that reads.
  static func writes(on child: Child) -> [ServiceCall] {
    all(on: child).filter { $0.name != "fetchChildren" }
  }
}
