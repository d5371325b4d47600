import Foundation
public import SharedServices
public import UnderstudyContracts

extension Contract where Subject == any ChildrenService {
  /// What every implementation of ``ChildrenService`` must do.
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
  /// A child that the table takes, with nothing left to its defaults.
  static func sample(of userID: UUID, named name: String = "Robin") -> NewChild {
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
  /// What a client said of the child when it was created.
  var asCreated: NewChild {
    NewChild(
      userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability)
  }
}

/// The four calls, for clauses that say the same of each.
struct ChildrenCall: Sendable {
  let name: String
  let run: @Sendable (any ChildrenService) async throws -> Void

  /// One call of each kind, on a child that is stored and a user who has it.
  static func all(on child: Child) -> [ChildrenCall] {
    [
      ChildrenCall(name: "createChild") {
        _ = try await $0.createChild(.sample(of: child.userID, named: "Another"))
      },
      ChildrenCall(name: "fetchChildren") { _ = try await $0.fetchChildren(userID: child.userID) },
      ChildrenCall(name: "updateChild") { service in
        var changed = child
        changed.age = 9
        _ = try await service.updateChild(changed)
      },
      ChildrenCall(name: "deleteChild") { try await $0.deleteChild(id: child.id) },
    ]
  }
}

extension Trial where Subject == any ChildrenService {
  /// Expects that the call throws this error.
  func expect(
    _ call: ChildrenCall, throws expected: AppError, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect("\(call.name) to throw \(expected)", fileID: fileID, line: line) {
      try await call.run(subject)
    } throwing: {
      ($0 as? AppError) == expected
    }
  }
}
