import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesViewModels
import TestSupport
import Testing
import UnderstudyTesting

@MainActor
@Suite(.stallLimit()) struct ProfileViewModelTests {
  /// What the screen shows: the names, and what lies over them.
  struct Shown: Equatable, Sendable {
    var names: [String] = []
    var isLoading = false
    var message: String?

    init(_ names: [String] = [], isLoading: Bool = false, message: String? = nil) {
      self.names = names
      self.isLoading = isLoading
      self.message = message
    }

    @MainActor init(_ model: ProfileViewModel) {
      self.init(model.children.map(\.name), isLoading: model.isLoading, message: model.errorMessage)
    }
  }

  /// What the parent can do.
  enum Action: CaseIterable, Sendable {
    case load, update, delete

    @MainActor func run(_ model: ProfileViewModel, on child: Child) async {
      switch self {
      case .load: await model.loadChildren()
      case .update: await model.updateChild(child.named("Kim"))
      case .delete: await model.deleteChild(id: child.id)
      }
    }
  }

  private func timeline(_ services: Services) -> StateTimeline<ProfileViewModel, Shown> {
    StateTimeline(of: ProfileViewModel(auth: services.holder(), children: services.children)) { Shown($0) }
  }

  @Test(arguments: expectedMessages, Action.allCases)
  func everyFailureOfADoubleEndsInItsMessage(
    _ row: (fault: Fault, message: String), _ action: Action
  ) async throws {
    try await expect(row.message, of: action, after: row.fault, at: .service)
  }

  @Test(arguments: Effort.some(of: expectedMessages, every: 3), Action.allCases)
  func everyFailureOfTheTransportEndsInItsMessage(
    _ row: (fault: Fault, message: String), _ action: Action
  ) async throws {
    try await expect(row.message, of: action, after: row.fault, at: .transport)
  }

  private func expect(
    _ message: String, of action: Action, after fault: Fault, at place: Place
  ) async throws {
    let services = try await Services(failingWith: fault, at: place)
    let child = try await services.store("Robin")
    let timeline = timeline(services)
    await action.run(timeline.subject, on: child)
    #expect(timeline.states == [Shown(), Shown(isLoading: true), Shown(message: message)])
  }

  @Test(arguments: Place.allCases)
  func childrenAreLoadedChangedAndDeleted(_ place: Place) async throws {
    let services = try await Services(at: place)
    let robin = try await services.store("Robin")
    try await services.store("Alex")
    let timeline = timeline(services)
    await timeline.subject.loadChildren()
    #expect(timeline.states == [Shown(), Shown(isLoading: true), Shown(["Alex", "Robin"])])
    await timeline.subject.updateChild(robin.named("Kim"))
    #expect(
      timeline.states.suffix(2) == [Shown(["Alex", "Robin"], isLoading: true), Shown(["Alex", "Kim"])])
    await timeline.subject.deleteChild(id: robin.id)
    #expect(timeline.states.suffix(2) == [Shown(["Alex", "Kim"], isLoading: true), Shown(["Alex"])])
    #expect(try await services.stored == ["Alex"])
  }

  @Test func aListThatCannotBeLoadedAgainStays() async throws {
    let services = try await Services()
    try await services.store("Robin")
    let timeline = timeline(services)
    await timeline.subject.loadChildren()
    try await services.auth.signOut()
    await timeline.subject.loadChildren()
    #expect(timeline.states.last == Shown(["Robin"], message: "Session expired. Please log in again."))
  }

  @Test func anOlderListDoesNotReplaceANewerOne() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let first = Task { await model.loadChildren() }
    let old = try await gate.next()
    let second = Task { await model.loadChildren() }
    let new = try await gate.next()
    try await services.store("Robin")
    new.proceed()
    await second.value
    #expect(Shown(model) == Shown(["Robin"], isLoading: true))
    old.fail(with: .serverError)
    await first.value
    #expect(
      Shown(model) == Shown(["Robin"]), "The older load's failure says nothing about the list that is shown.")
  }

  @Test func aListThatWasAskedForBeforeADeleteDoesNotBringTheChildBack() async throws {
    let services = try await Services()
    let robin = try await services.store("Robin")
    let late = LateAnswers(base: services.children)
    let model = ProfileViewModel(auth: services.holder(), children: late)
    let load = Task { await model.loadChildren() }
    await late.isAnswered()
    await model.deleteChild(id: robin.id)
    late.deliver()
    await late.isAnswered()
    late.deliver()
    await load.value
    #expect(Shown(model) == Shown([]))
  }

  @Test func twoTapsOnDeleteAreOneCall() async throws {
    let gate = Gate<InMemoryChildrenService>(.deleteChild)
    let log = CallLog<InMemoryChildrenService>()
    let services = Services(heldAt: gate, loggedIn: log)
    let robin = try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    await model.loadChildren()
    let first = Task { await model.deleteChild(id: robin.id) }
    let call = try await gate.next()
    await model.deleteChild(id: robin.id)
    #expect(Shown(model) == Shown(["Robin"], isLoading: true))
    call.proceed()
    await first.value
    #expect(Shown(model) == Shown([]))
    #expect(log.count(of: .deleteChild) == 1)
  }

  @Test(arguments: Action.allCases)
  func aCancelledActionShowsNothing(_ action: Action) async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let child = try await services.store("Robin")
    let timeline = timeline(services)
    let task = Task { await action.run(timeline.subject, on: child) }
    _ = try await gate.next()
    task.cancel()
    await task.value
    #expect(timeline.states == [Shown(), Shown(isLoading: true), Shown()])
    #expect(try await services.stored == ["Robin"])
  }
}

/// Fetches the children at once, and returns them when the test calls `deliver()`.
private struct LateAnswers: ChildrenService {
  let base: any ChildrenService
  private let answers = AsyncStream.makeStream(of: Void.self)
  private let deliveries = AsyncStream.makeStream(of: Void.self)

  init(base: any ChildrenService) {
    self.base = base
  }

  /// Waits until an answer was fetched and not yet delivered.
  func isAnswered() async {
    for await _ in answers.stream { return }
  }

  func deliver() {
    deliveries.continuation.yield()
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    let children = try await base.fetchChildren(userID: userID)
    answers.continuation.yield()
    for await _ in deliveries.stream { break }
    return children
  }

  func createChild(_ child: NewChild) async throws(AppError) -> Child { try await base.createChild(child) }
  func updateChild(_ child: Child) async throws(AppError) -> Child { try await base.updateChild(child) }
  func deleteChild(id: UUID) async throws(AppError) { try await base.deleteChild(id: id) }
}

extension Child {
  func named(_ name: String) -> Child {
    var child = self
    child.name = name
    return child
  }
}
