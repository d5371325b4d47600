import Foundation
package import SharedServices
import SharedServicesDoubles
package import Understudy
import SharedServicesViewModels

extension FaultAgreement where Observation == Report<AppError> {
  /// Storing a child: the service's error and the onboarding screen's message.
  package static var createChild: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      (row.fault, Report(row.error, screen: row.error.map(expectedMessage) ?? "goals", isStored: row.isDone))
    }
    return FaultAgreement("children.createChild", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .createChild)
      let error = try await appError { _ = try await called.children.createChild(.robin) }
      let screen = await Screen.onboarding(shown)
      let isStored = try await (called.storedNames, shown.storedNames) == (["Robin"], ["Robin"])
      return Report(error, screen: screen, isStored: isStored)
    }
  }

  /// Loading the children: the service's error and the profile screen's message.
  ///
  /// A read leaves no trace that shows whether the backend did the work.
  package static var fetchChildren: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      (
        row.fault,
        Report(row.error, screen: row.error.map(expectedMessage) ?? "Robin", isStored: false)
      )
    }
    return FaultAgreement("children.fetchChildren", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .fetchChildren)
      _ = try await (called.storedChild(), shown.storedChild())
      let error = try await appError {
        _ = try await called.children.fetchChildren(userID: NewChild.robin.userID)
      }
      return Report(error, screen: await Screen.profile(shown) { await $0.loadChildren() }, isStored: false)
    }
  }

  /// Changing a child: the service's error and the profile screen's message.
  package static var updateChild: FaultAgreement<Report<AppError>> {
    FaultAgreement(
      "children.updateChild", expecting: rowsOfChanges
    ) { fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .updateChild)
      let (one, other) = (
        try await called.storedChild().renamed("Kim"), try await shown.storedChild().renamed("Kim")
      )
      let error = try await appError { _ = try await called.children.updateChild(one) }
      let screen = await Screen.profile(shown) { await $0.updateChild(other) }
      let isStored = try await (called.storedNames, shown.storedNames) == (["Kim"], ["Kim"])
      return Report(error, screen: screen, isStored: isStored)
    }
  }

  /// Deleting a child: the service's error and the profile screen's message.
  package static var deleteChild: FaultAgreement<Report<AppError>> {
    FaultAgreement(
      "children.deleteChild", expecting: rowsOfChanges
    ) {
      fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .deleteChild)
      let (one, other) = (try await called.storedChild(), try await shown.storedChild())
      let error = try await appError { try await called.children.deleteChild(id: one.id) }
      let screen = await Screen.profile(shown) { await $0.deleteChild(id: other.id) }
      let isStored = try await (called.storedNames, shown.storedNames) == ([], [])
      return Report(error, screen: screen, isStored: isStored)
    }
  }

  private static var rowsOfChanges: [Row] {
    expectedErrors.map { row in
      (row.fault, Report(row.error, screen: row.error.map(expectedMessage) ?? "", isStored: row.isDone))
    }
  }
}

extension FaultyProject {
  /// Creates two equal environments: one for the call itself, and one for the screen that makes it.
  static func two(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws
    -> (Self, Self)
  {
    (
      try await Self(fault, at: injectionPoint, in: operation),
      try await Self(fault, at: injectionPoint, in: operation)
    )
  }
}

/// Returns the error that a call throws, if any.
func appError(of call: () async throws -> Void) async throws -> AppError? {
  do {
    try await call()
    return nil
  } catch let error as AppError {
    return error
  }
}

extension NewChild {
  static let robin = NewChild(
    userID: InMemorySharedServices.sampleUserID, name: "Robin", age: 8,
    birthday: CalendarDate(Date(timeIntervalSince1970: 1_493_856_000), in: .gmt))  // 2017-05-04
}

extension Child {
  func renamed(_ name: String) -> Child {
    var child = self
    child.name = name
    return child
  }
}
