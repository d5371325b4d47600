import Testing
import Understudy

/// A screen of an app, once right and once wrong, and what a user does with it.
struct Screen: Sendable, CustomTestStringConvertible {
  let name: String
  /// The invariant that the wrong screen breaks.
  let broken: String
  let right: Scenario
  let wrong: Scenario

  var testDescription: String { name }

  /// - Parameters:
  ///   - name: What the bug, or the kind of screen, is called.
  ///   - statement: The user's actions, in a sentence.
  ///   - broken: The invariant that the wrong screen breaks.
  ///   - body: The scenario of the right or of the wrong screen.
  init(
    _ name: String, _ statement: String, breaks broken: String,
    body: @escaping @MainActor @Sendable (_ run: ScenarioRun, _ isRight: Bool) async throws -> Void
  ) {
    (self.name, self.broken) = (name, broken)
    right = Scenario(name, statement) { try await body($0, true) }
    wrong = Scenario(name, statement) { try await body($0, false) }
  }

  static let all: [Screen] = [
    // Thirteen bugs that are often reported.
    staleSearch, cancellationShown, endlessSpinner, pageLoadedTwice, previousUser, unauthorizedStorm,
    likeKept,
    duplicatesAfterReconnect, missedMessages, doubleSubmit, lostText, stuckBanner, repeatedAlert,
    // Thirteen ways to write a screen.
    reducer, callbacks, taskInInit, detachedTask, actorStore, debounce, wizard, cache, infiniteList,
    pullToRefresh,
    polling, optimisticChange, tokenRefresh,
    // What else there is in many apps.
    debouncedSearch, slowHint, toast, retry, continuation, liveList,
    // Calls that are not asynchronous functions.
    unhandledFailure, staleCallback, staleAnswer, ignoredError, ignoredCompletion, endedPublisher,
  ]
}

/// A screen that loads, and shows a message.
@MainActor protocol LoadingScreen: AnyObject {
  var isLoading: Bool { get }
  var message: String? { get }
}

extension ScenarioRun {
  /// Runs an action, and checks what the article Sweeps checks after each.
  @discardableResult func act(
    on screen: some LoadingScreen, _ action: @escaping @MainActor () async -> Void
  ) async -> [FailedCall] {
    let failures = await failures { await act(action) }
    expect("loading.ends", !screen.isLoading, "it still loads")
    expect(
      "errors.shown", failures.match(isShown: screen.message != nil),
      "the message is \(screen.message ?? "missing"), and what failed is \(failures)")
    return failures
  }
}
