import Observation

/// The invariants of every state of one subject in a run.
///
/// They share an observation of the subject, which takes longer than most checks.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor final class StateInvariants<Subject: AnyObject & Observable> {
  /// A state that breaks an invariant.
  struct Broken: Equatable, Sendable {
    let message: String
    /// How far the run had come when the state was shown.
    let step: String
    /// The state of the watched screen.
    let place: ScreenPlace?
  }

  /// What is wrong with a state, by the index of the invariant.
  typealias State = [Int: Broken]

  /// The checks, which the timeline must not reach through its owner.
  @MainActor private final class Checks {
    var all: [@MainActor (Subject) -> String?] = []
  }

  private let timeline: StateTimeline<Subject, State>
  private let checks: Checks
  /// The states that were shown until the first access, at the end of the run; reading them evaluates all checks.
  private(set) lazy var states = timeline.states
  /// The content of the subject at first, in a run without a fault, which alone need not be fast.
  private let first: String?

  /// Whether the subject has changed.
  ///
  /// Changes of what the checks do not read are not observed, and a right screen may never change what they do read.
  var hasChanged: Bool {
    timeline.hasObservedWrite.withLock(\.self) || states.count > 1
      || first.map { $0 != Self.content(of: timeline.subject) } == true
  }

  /// The stored properties and theirs: not what is behind a service, which other screens change.
  private static func content(of subject: Subject) -> String {
    var content = ""
    dump(subject, to: &content, maxDepth: 2, maxItems: 1000)
    return content
  }

  init(of subject: Subject, in record: RunRecord, _ recorder: ScreenRecorder) {
    let checks = Checks()
    self.checks = checks
    first = record.schedule.entries.isEmpty ? Self.content(of: subject) : nil
    timeline = StateTimeline(of: subject, keepingWrites: false) { [weak recorder] subject in
      var state: State = [:]
      for (index, check) in checks.all.enumerated() {
        guard let message = check(subject) else { continue }
        state[index] = Broken(
          message: message, step: record.step, place: recorder?.place(of: ObjectIdentifier(subject)))
      }
      return state
    }
  }

  /// Adds an invariant, which is checked from the state on that is shown next.
  ///
  /// - Parameter check: What is wrong with the state; `nil` if the invariant holds.
  /// - Returns: Its index.
  func add(_ check: @escaping @MainActor (Subject) -> String?) -> Int {
    checks.all.append(check)
    timeline.readAgain()
    return checks.all.count - 1
  }
}
