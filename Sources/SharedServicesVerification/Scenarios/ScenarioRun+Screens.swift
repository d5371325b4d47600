import Understudy

// The invariants of every screen.

extension ScenarioRun {
  /// Expects no loading state after an action has ended.
  func expectLoadingEnded(_ isLoading: Bool) {
    expect("loading.ends", !isLoading, "it still shows that something is under way")
  }

  /// Expects a message exactly if a call failed with an error other than a cancellation.
  func expectMessage(_ message: String?, after failures: [FailedCall]) {
    expect(
      "errors.shown", (message != nil) == failures.contains { !$0.isCancellation },
      "the message is \(message.map { "\"\($0)\"" } ?? "missing"), and what failed is \(failures)")
  }

  /// Whether a fault changes the content of a stream without causing an error.
  var alters: Bool { schedule.entries.contains { $0.fault?.symptom == .altered } }
}
