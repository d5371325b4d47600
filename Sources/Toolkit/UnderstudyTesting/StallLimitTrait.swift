import Foundation
public import Testing
import Understudy

/// A trait that admits tests one after another, and fails a test that stalls; see `Trait.stallLimit(_:)`.
public struct StallLimitTrait: TestTrait, SuiteTrait, TestScoping {
  /// `nil` for the limit of the environment.
  let limit: Duration?

  /// Applies to each test in the suite and its nested suites.
  public var isRecursive: Bool { true }

  /// Runs a case of a test once it is admitted.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Admission.shared.run {
      // The task group ends before the scope does, so the function does not escape.
      try await withoutActuallyEscaping(function) { function in
        try await withThrowingTaskGroup(of: Void.self) { group in
          let hasStalled = Locked(false)
          let stall = Signal<Stall>()
          let watch = StallMonitor.current.watch(for: limit ?? StallMonitor.trialLimit, isCharged: true) {
            stall.send($0)
          }
          group.addTask { try await watch.run(function) }
          group.addTask {
            let stall = try await stall.value()
            hasStalled.withLock { $0 = true }
            Issue.record("\(message(for: stall, of: test))", sourceLocation: test.sourceLocation)
          }
          defer {
            watch.end()
            group.cancelAll()
          }
          try await group.next()
          if !hasStalled.withLock(\.self) { return }
          group.cancelAll()
          // What the test throws because it is cancelled is less useful than the issue.
          _ = try? await group.next()
        }
      }
    }
  }

  private func message(for stall: Stall, of test: Test) -> String {
    let cause =
      switch stall {
      case .idle:
        """
        It waits for something that does not happen, such as an answer, an event or an advance of a test clock. If it \
        waits for real time or another process
        """
      case .processorTime: "It does not end by itself. If it computes a lot"
      }
    let remedy = ".stallLimit(.seconds(\((limit ?? StallMonitor.trialLimit).components.seconds * 5)))"
    let isSet = limit == nil && ProcessInfo.processInfo.environment["UNDERSTUDY_STALL"] != nil
    return """
      \(test.name) stalled: \(stall). \(cause), raise its limit: \(isSet ? "UNDERSTUDY_STALL, or " : "")\(remedy).
      """
  }
}

extension Trait where Self == StallLimitTrait {
  /// Admits at most as many tests at once as the machine can carry, and fails a test that stalls.
  ///
  /// ```swift
  /// @Suite(.stallLimit(.seconds(20))) struct ChatTests { … }
  /// ```
  ///
  /// It replaces `.timeLimit`, which measures real time, from before the test can run: beside a thousand other tests, or
  /// on a busy machine, it expires although nothing is wrong. A test has stalled when, for the limit,
  ///
  /// - no task of the whole process was running, and no operation inside the test ended: it waits for something that
  ///   does not happen; or
  /// - it has used this much processor time, its share if several tests run: it never ends.
  ///
  /// The test is then cancelled, with an issue that says which. Waits of `Gate`, `CallLog`, `StateTimeline` and
  /// `TestClock` say what they wait for, in every test.
  ///
  /// Tests wait for their admission in the order in which they start (see `UNDERSTUDY_SHUFFLE`), and do not count it. At most twice as many run at
  /// once as there are cores; `UNDERSTUDY_WIDTH` sets another number. Contract checks, explorations, scenarios, sweeps and
  /// recordings are admitted without the trait.
  ///
  /// - Parameter limit: How long a test may stall; `nil` for `UNDERSTUDY_STALL` in seconds, or 60 s.
  public static func stallLimit(_ limit: Duration? = nil) -> Self {
    Self(limit: limit)
  }
}
