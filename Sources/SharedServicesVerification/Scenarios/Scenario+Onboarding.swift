import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

extension Scenario {
  /// A parent enters a child, tries again if that fails, goes back and corrects the name.
  public static let onboarding: Scenario = Scenario(
    "onboarding",
    "A parent names a child, tries once more if that fails, and goes back and corrects the name."
  ) { run in
    let backend = InMemorySharedServices.signedIn(seed: run.seed, time: run.time)
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let model = OnboardingViewModel(
      auth: auth,
      children: run.intercepted(backend.children, as: "children"),
      today: { CalendarDate(run.time.now, in: .gmt) })
    model.currentState = .childInfo
    model.childName = "Robin"
    run.watch(model) { OnboardingScreen($0) }

    var mayBeStored = false
    @MainActor func save(_ name: String) async throws {
      model.childName = name
      let failures = await run.failures { await model.saveChildAndProceed() }
      mayBeStored = mayBeStored || failures.contains(where: \.mayHaveWorked)
      // A conflict is not the end of a save if it turns out that an earlier save has stored the child.
      let hasProceeded = model.currentState == .goals
      run.expectLoadingEnded(model.isLoading)
      run.expectMessage(model.errorMessage, after: hasProceeded ? [] : failures.suffix(1))
      run.expectSession(auth, after: hasProceeded ? [] : failures)
      run.expect(
        "success.shown", (model.successMessage != nil) == hasProceeded,
        "the message is \(model.successMessage ?? "missing") at \(model.currentState)")

      let stored = try await backend.children.fetchChildren(userID: InMemoryChildrenService.sampleUserID)
      run.expect("nothing.lost", model.childName == name, "the field has \"\(model.childName)\"")
      run.expect("nothing.twice", stored.count <= 1, "\(stored.map(\.name)) are stored")
      run.expect(
        "screen.matches.store",
        (hasProceeded || !failures.isEmpty)
          && (hasProceeded
            ? stored == [model.currentChild] && stored.map(\.name) == [name]
            : mayBeStored || stored == (model.currentChild.map { [$0] } ?? [])),
        "it shows \(OnboardingScreen(model)), and \(stored.map(\.name)) are stored")
    }

    for _ in 1...2 where model.currentState == .childInfo { try await save("Robin") }
    model.currentState = .childInfo
    for _ in 1...2 where model.currentState == .childInfo { try await save("Alex") }
    // Whatever failed before, the next save ends well.
    model.currentState = .childInfo
    try await run.withoutFaults { try await save("Kim") }
  }
}

/// The content of onboarding.
private struct OnboardingScreen: Equatable, Sendable, CustomStringConvertible {
  let step: OnboardingState
  let isLoading: Bool
  let message: String?

  @MainActor init(_ model: OnboardingViewModel) {
    step = model.currentState
    isLoading = model.isLoading
    message = model.errorMessage
  }

  var description: String {
    if isLoading { return "loading" }
    return message.map { "failed: \($0)" } ?? step.rawValue
  }
}
