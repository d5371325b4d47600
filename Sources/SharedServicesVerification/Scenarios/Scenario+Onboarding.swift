import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

extension Scenario {
  /// A parent enters a child, and tries again if that fails.
  public static let onboarding: Scenario = Scenario(
    "onboarding", "A parent names a child, and tries once more if that fails."
  ) { run in
    let backend = InMemorySharedServices.signedIn(seed: run.seed, time: run.time)
    let model = OnboardingViewModel(
      auth: AuthViewModel(service: run.intercepted(backend.auth, as: "auth")),
      children: run.intercepted(backend.children, as: "children"),
      today: { CalendarDate(run.time.now, in: .gmt) })
    model.currentState = .childInfo
    model.childName = "Robin"
    run.watch(model) { OnboardingScreen($0) }

    var mayBeStored = false
    for _ in 1...2 where model.currentState == .childInfo {
      let failures = await run.failures { await model.saveChildAndProceed() }
      mayBeStored = mayBeStored || failures.contains(where: \.mayHaveWorked)
      run.expectLoadingEnded(model.isLoading)
      run.expectMessage(model.errorMessage, after: failures)

      let stored = try await backend.children.fetchChildren(userID: InMemoryChildrenService.sampleUserID)
      let next: OnboardingState = failures.isEmpty ? .goals : .childInfo
      run.expect("nothing.lost", model.childName == "Robin", "the field has \"\(model.childName)\"")
      run.expect("nothing.twice", stored.count <= 1, "\(stored.map(\.name)) are stored")
      run.expect(
        "screen.matches.store",
        model.currentState == next
          && (model.currentChild.map { stored == [$0] } ?? (stored.isEmpty || mayBeStored)),
        "it shows \(OnboardingScreen(model)), and \(stored.map(\.name)) are stored")
    }
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
