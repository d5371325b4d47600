package import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any ChildrenService {
  /// The contract of every ``ChildrenService`` implementation.
  public static var childrenService: Self {
    Contract("children") {
      Clause.creating
      Clause.refusing
      Clause.fetching
      Clause.updating
      Clause.deleting
      Clause.childrenSession
      Clause.childrenFailures
      Clause.childrenConcurrency
    }
  }
}

extension NewChild {
  /// A child that the table accepts, with every field set.
  package static func sample(of userID: UUID, named name: String = "Robin") -> NewChild {
    NewChild(
      userID: userID, name: name, age: 8, birthday: CalendarDate(year: 2016, month: 2, day: 29) ?? .someDay,
      goals: ["sleep", "listen"], topics: ["school"], temperament: .spirited, talkativeness: 7,
      sensitivity: 3, accountability: 10)
  }
}

extension CalendarDate {
  fileprivate static var someDay: CalendarDate { CalendarDate(.init(timeIntervalSince1970: 0), in: .gmt) }
}

extension Child {
  /// The values with which a client created the child.
  package var asCreated: NewChild {
    NewChild(
      userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability)
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
}
