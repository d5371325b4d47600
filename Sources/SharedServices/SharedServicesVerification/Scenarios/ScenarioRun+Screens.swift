import Observation
import SharedServices
import SharedServicesDoubles
import SharedServicesViewModels
import Understudy

// The invariants and interruptions of every screen.

extension ScenarioRun {
  /// Whether no interruption was started, so that every action has exactly the effects of its own calls.
  var isUndisturbed: Bool { interruptions.isEmpty }

  /// The number of interruptions that have ended the session of the user.
  var signOuts: Int { interruptions.count { $0 == "sign-out" || $0 == "other-user" } }

  /// Declares that the user may sign out, or another user in, during every call.
  func interruptByUsers(of auth: AuthViewModel, on backend: InMemorySharedServices) throws {
    try backend.addUser(email: "other@example.com", password: "password")
    interruption("sign-out") { await auth.signOut() }
    interruption("other-user") {
      await auth.signOut()
      (auth.email, auth.password) = ("other@example.com", "password")
      await auth.signIn()
    }
  }

  /// Expects that a screen never shows a child of a user who is not signed in, nor one twice.
  func expectOwnChildren<Model: AnyObject & Observable>(
    _ model: Model, of auth: AuthViewModel, _ children: @escaping @MainActor (Model) -> [Child]
  ) {
    always("nothing.of.others", model) { model in
      children(model).first { $0.userID != auth.userID }.map {
        "it shows \($0.name) of a former user, and the state is \(auth.state)"
      }
    }
    always("nothing.twice", model) { model in
      let children = children(model)
      return Set(children.map(\.id)).count == children.count ? nil : "it shows \(children.map(\.name))"
    }
  }

  /// Signs the first user in again, unless no other user has been signed in since.
  ///
  /// Call it where faults have ended.
  func signInAgain(with auth: AuthViewModel) async {
    if case .signedIn(InMemorySharedServices.sampleUserID) = auth.state { return }
    (auth.email, auth.password) = ("pat@example.com", "password")
    await auth.signIn()
    expect(
      "session.announced", auth.state == .signedIn(InMemorySharedServices.sampleUserID),
      "the state is \(auth.state) after a sign-in without a fault")
  }

  /// Expects that an action has ended well or has a message, unless it was cancelled or its user has gone.
  func expectOutcome(_ hasSucceeded: Bool, message: String?, after failures: [FailedCall]) {
    let isCancelled =
      interruptions.contains("cancel") || failures.contains { $0.fault != nil && $0.isCancellation }
    expect(
      "nothing.swallowed", hasSucceeded || message != nil || isCancelled || signOuts > 0,
      "the action has not succeeded, and there is no message; what failed is \(failures)")
  }

  /// Expects no loading state after an action has ended.
  func expectLoadingEnded(_ isLoading: Bool) {
    expect("loading.ends", !isLoading, "it still shows that something is under way")
  }

  /// Expects a message exactly if a call failed with an error other than a cancellation.
  func expectMessage(_ message: String?, after failures: [FailedCall]) {
    expect(
      "errors.shown",
      failures.contains { !$0.isCancellation } == (message != nil),
      "the message is \(message.map { "\"\($0)\"" } ?? "missing"), and what failed is \(failures)")
  }

  /// Expects an ended session to be announced if an action has ended with its error, until an action succeeds.
  func expectSession(_ auth: AuthViewModel, after failures: [FailedCall]) {
    let hasEnded = failures.last.map { failure in
      [.network(.unauthorized), .authentication(.notSignedIn)].contains(failure.error as? AppError)
    }
    expect(
      "session.announced",
      hasEnded == true ? auth.state == .expired : hasEnded == false || auth.state != .expired,
      "the state is \(auth.state), and what failed is \(failures)")
  }
}
