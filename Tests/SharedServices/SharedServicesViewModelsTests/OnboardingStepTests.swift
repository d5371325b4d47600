import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// Which step follows a save.
@MainActor @Suite(.stallLimit()) struct OnboardingStepTests {
  @Test func aSaveLeadsToTheStepAfterTheOneAtWhichItBegan() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate, loggedIn: CallLog())
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    model.currentState = .childInfo
    model.childName = "Robin"
    let save = Task { await model.saveChildAndProceed() }
    let call = try await gate.next(.createChild)
    // Something else, such as a link, leads further meanwhile.
    model.currentState = .review
    call.proceed()
    await save.value
    #expect(model.currentState == .goals)
  }

  /// A step that wraps around would begin onboarding again.
  @Test func afterTheLastStepTheStepStays() async throws {
    let services = try await Services()
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    model.currentState = .complete
    model.childName = "Robin"
    await model.saveChildAndProceed()
    #expect(model.currentState == .complete)
    #expect(model.successMessage == "Saved successfully")
    #expect(try await services.stored == ["Robin"])
  }
}
