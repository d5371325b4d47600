import SharedServices
import SharedServicesViewModels
import Understudy

// The invariants of every screen.

extension ScenarioRun {
  /// Expects no loading state after an action has ended.
  func expectLoadingEnded(_ isLoading: Bool) {
    expect("loading.ends", !isLoading, "it still shows that something is under way")
  }

  /// Expects a message exactly if a call failed with an error other than a cancellation.
  ///
  /// - Parameter earlier: The message of a failure that is still true.
  func expectMessage(_ message: String?, after failures: [FailedCall], unless earlier: String? = nil) {
    expect(
      "errors.shown",
      failures.contains { !$0.isCancellation } ? message != nil : message == earlier,
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

  /// Whether a fault changes the content of a stream without causing an error.
  var alters: Bool { schedule.entries.contains { $0.fault?.symptom == .altered } }
}
