import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

@MainActor
@Suite(.stallLimit()) struct OnboardingViewModelTests {
  /// What the screen shows.
  enum Shown: Equatable, Sendable {
    case idle
    case loading
    case failed(String)
    case proceeded(to: OnboardingState, child: String)
    /// Anything that the screen has no picture for.
    case torn

    @MainActor init(_ model: OnboardingViewModel) {
      self =
        switch (model.isLoading, model.errorMessage, model.currentChild) {
        case (false, nil, nil): .idle
        case (true, nil, _): .loading
        case (false, let message?, _): .failed(message)
        case (false, nil, let child?): .proceeded(to: model.currentState, child: child.name)
        default: .torn
        }
    }
  }

  private func model(_ services: Services, name: String = "Robin", age: Int = 8) -> OnboardingViewModel {
    let model = OnboardingViewModel(
      auth: services.holder(), children: services.children,
      today: { CalendarDate(Date(timeIntervalSince1970: 1_772_280_000), in: .gmt) })  // 2026-02-28
    model.currentState = .childInfo
    model.childName = name
    model.childAge = age
    return model
  }

  @Test func theTableHasEveryFailureOfTheCatalogue() {
    #expect(Set(expectedMessages.map(\.fault)) == Set(Fault.failures(of: .call)))
  }

  @Test(arguments: expectedMessages, Place.allCases)
  func everyFailureEndsInItsMessage(_ row: (fault: Fault, message: String), _ place: Place) async throws {
    let services = try await Services(failingWith: row.fault, at: place)
    let timeline = StateTimeline(of: model(services)) { Shown($0) }
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states == [.idle, .loading, .failed(row.message)])
    #expect(timeline.subject.currentState == .childInfo)
    #expect(timeline.subject.childName == "Robin")
  }

  @Test(arguments: Place.allCases)
  func aSavedChildLeadsToTheNextStep(_ place: Place) async throws {
    let services = try await Services(at: place)
    let timeline = StateTimeline(of: model(services, name: "  Robin\n")) { Shown($0) }
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states == [.idle, .loading, .proceeded(to: .goals, child: "Robin")])
    #expect(try await services.stored == ["Robin"])
    let child = try #require(timeline.subject.currentChild)
    #expect(child.birthday == CalendarDate(year: 2018, month: 2, day: 28))
    #expect([child.goals, child.topics] == [[], []])
  }

  @Test func aMessageGoesWhenTheNextTryBegins() async throws {
    let services = try await Services()
    try await services.store("Robin")
    let timeline = StateTimeline(of: model(services)) { Shown($0) }
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states.last == .failed("That already exists. Please choose another name."))
    timeline.subject.childName = "Kim"
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states.suffix(2) == [.loading, .proceeded(to: .goals, child: "Kim")])
  }

  @Test func withoutASessionTheScreenShowsAMessage() async throws {
    let services = try await Services()
    try await services.auth.signOut()
    let timeline = StateTimeline(of: model(services)) { Shown($0) }
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states.last == .failed("Session expired. Please log in again."))
    #expect(!timeline.subject.isLoading)
  }

  /// The ages of the table, at and beyond both ends; the seed's view model took 1 to 18.
  @Test(arguments: [
    ("Robin", 5, false), ("Robin", 6, true), ("Robin", 16, true), ("Robin", 17, false), ("Robin", 18, false),
    ("Robin", 0, false), ("", 8, false), ("  \n\t", 8, false), ("R", 8, true),
  ])
  func validationAgreesWithTheTable(_ name: String, _ age: Int, _ isValid: Bool) async throws {
    let services = try await Services()
    let timeline = StateTimeline(of: model(services, name: name, age: age)) { Shown($0) }
    await timeline.subject.saveChildAndProceed()
    #expect(
      timeline.states
        == (isValid
          ? [.idle, .loading, .proceeded(to: .goals, child: name)]
          : [.idle, .failed("Please enter a valid name and age")]))
    #expect(try await services.stored.isEmpty == !isValid)
    // Whatever the view model lets pass, the table takes, and the other way round.
    let newChild = NewChild(
      userID: services.userID, name: name, age: age,
      birthday: try #require(CalendarDate(year: 2015, month: 1, day: 1)))
    let taken = try? await InMemorySharedServices.signedIn().children.createChild(newChild)
    #expect((taken != nil) == isValid)
  }

  @Test func aSecondTapWhileTheFirstIsUnderWayDoesNothing() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let log = CallLog<InMemoryChildrenService>()
    let services = Services(heldAt: gate, loggedIn: log)
    let timeline = StateTimeline(of: model(services)) { Shown($0) }
    let first = Task { await timeline.subject.saveChildAndProceed() }
    let call = try await gate.next(.createChild)
    await timeline.subject.saveChildAndProceed()
    #expect(timeline.states == [.idle, .loading])
    call.proceed()
    await first.value
    #expect(timeline.states == [.idle, .loading, .proceeded(to: .goals, child: "Robin")])
    #expect(log.count(of: .createChild) == 1)
  }

  @Test func aCancelledSaveShowsNothing() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let timeline = StateTimeline(of: model(services)) { Shown($0) }
    let save = Task { await timeline.subject.saveChildAndProceed() }
    _ = try await gate.next(.createChild)
    save.cancel()
    await save.value
    #expect(timeline.states == [.idle, .loading, .idle])
    #expect(try await services.stored == [])
  }
}
