import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
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

    try run.interruptByUsers(of: auth, on: backend)
    run.interruption("save-again") {
      if model.currentState == .childInfo { await model.saveChildAndProceed() }
    }
    run.interruption("removal") {
      for child in backend.sampleChildren { try? await backend.children.deleteChild(id: child.id) }
    }
    run.always("nothing.of.others", model) { model in
      if auth.state == .signedOut, !model.childName.isEmpty {
        return "no user is signed in, and the field has \"\(model.childName)\""
      }
      return model.currentChild.flatMap { child in
        child.userID == auth.userID
          ? nil : "it has \(child.name) of a former user, and the state is \(auth.state)"
      }
    }
    run.always("one.truth", model) { model in
      [model.errorMessage, model.successMessage, model.isLoading ? "loading" : nil].count { $0 != nil } > 1
        ? OnboardingScreen(model).description : nil
    }

    var mayBeStored = false
    @MainActor func save(_ name: String, isLast: Bool = false) async throws {
      model.childName = name
      let failures = await run.act(named: "save") {
        if model.currentState == .childInfo { await model.saveChildAndProceed() }
      }
      mayBeStored = mayBeStored || failures.contains(where: \.mayHaveWorked)
      // A conflict is not the end of a save if it turns out that an earlier save has stored the child.
      let hasProceeded = model.currentState == .goals
      let stored = backend.sampleChildren
      run.expectLoadingEnded(model.isLoading)
      run.expectOutcome(hasProceeded, message: model.errorMessage, after: failures)
      run.expect(
        "nothing.twice", stored.count <= 1 + run.signOuts, "\(stored.map(\.name)) are stored")
      guard isLast || run.isUndisturbed else { return }
      run.expectMessage(model.errorMessage, after: hasProceeded ? [] : failures.suffix(1))
      run.expectSession(auth, after: hasProceeded ? [] : failures)
      run.expect(
        "success.shown", (model.successMessage != nil) == hasProceeded,
        "the message is \(model.successMessage ?? "missing") at \(model.currentState)")
      run.expect("nothing.lost", model.childName == name, "the field has \"\(model.childName)\"")
      run.expect(
        "screen.matches.store",
        (hasProceeded || !failures.isEmpty)
          && (hasProceeded
            ? model.currentChild.map { $0.name == name && stored.contains($0) } == true
            : mayBeStored || stored == (model.currentChild.map { [$0] } ?? [])),
        "it shows \(OnboardingScreen(model)), and \(stored.map(\.name)) are stored")
    }

    for name in ["Robin", "Alex"] {
      // A user who has been signed out does not go on.
      for attempt in 1...2 where run.signOuts == 0 && (attempt == 1 || model.currentState == .childInfo) {
        model.currentState = .childInfo
        try await save(name)
      }
    }
    // Whatever happened before, the next save ends well.
    try await run.withoutFaults {
      await run.signInAgain(with: auth)
      model.currentState = .childInfo
      try await save("Kim", isLast: true)
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
