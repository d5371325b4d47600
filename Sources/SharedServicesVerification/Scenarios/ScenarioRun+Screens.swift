import Understudy

// The invariants that every screen has, by their names.

extension ScenarioRun {
  /// Nothing is shown as under way once an action has ended.
  func expectLoadingEnded(_ isLoading: Bool) {
    expect("loading.ends", !isLoading, "it still shows that something is under way")
  }

  /// A message is shown exactly when something failed that was not cancelled.
  func expectMessage(_ message: String?, after failures: [FailedCall]) {
    expect(
      "errors.shown", (message != nil) == failures.contains { !$0.isCancellation },
      "the message is \(message.map { "\"\($0)\"" } ?? "missing"), and what failed is \(failures)")
  }

  /// Whether a fault changes the content of a stream without anything failing.
  var alters: Bool { schedule.entries.contains { $0.fault.symptom == .altered } }
}
