/// What one screen of a run has shown.
struct ScreenRecord: Sendable {
  /// A state, and what led to it.
  struct Step: Sendable {
    let state: ShownState
    /// What has happened since the state before; `nil` for the first state.
    let cause: ScreenMap.Cause?
  }

  var steps: [Step] = []
  /// What has happened since the last state.
  var end: ScreenMap.Cause?
}

/// A state of a screen in a run.
struct ScreenPlace: Hashable, Sendable {
  let screen: Int
  /// The number of the state, from 0.
  let step: Int
}

/// The recorder of the screens of one run.
///
/// It records a state when the timeline does, and never reads one by itself, so that it changes nothing.
@MainActor final class ScreenRecorder {
  private struct Screen {
    let subject: ObjectIdentifier
    let isAboutToShow: @MainActor () -> Bool
    let readLast: @MainActor () -> Void
    var record = ScreenRecord()
    /// The number of events of the run before the last state.
    var events = 0
  }

  private let run: RunRecord
  private let known: KnownStates
  private var screens: [Screen] = []
  private var latest = 0

  nonisolated init(of run: RunRecord, known: KnownStates) {
    self.run = run
    self.known = known
  }

  /// Records the states of another screen.
  func record<Subject: AnyObject, State>(_ timeline: StateTimeline<Subject, State>) {
    let number = screens.count
    let states = known.states(of: number, State.self)
    screens.append(
      Screen(
        subject: ObjectIdentifier(timeline.subject), isAboutToShow: { timeline.isAboutToShow },
        readLast: { _ = timeline.states }))
    timeline.noteShown { [weak self] in self?.add(states[$0], to: number) }
  }

  private func add(_ state: ShownState, to number: Int) {
    guard number < screens.count else { return }
    let (cause, events) = run.cause(since: screens[number].events)
    let isFirst = screens[number].record.steps.isEmpty
    screens[number].record.steps.append(
      ScreenRecord.Step(state: state, cause: isFirst ? nil : cause ?? ScreenMap.Cause(.action, "")))
    screens[number].events = events
    latest = number
  }

  /// The screens, with the states that are shown now.
  var records: [ScreenRecord] {
    for screen in screens { screen.readLast() }
    return screens.map { screen in
      var record = screen.record
      record.end = run.cause(since: screen.events).cause
      return record
    }
  }

  /// The state that a screen shows now: that of a subject, or the one that has changed last.
  func place(of subject: ObjectIdentifier? = nil) -> ScreenPlace? {
    guard !screens.isEmpty else { return nil }
    let number = screens.firstIndex { $0.subject == subject } ?? latest
    // A change that no screen has shown yet belongs to the next state.
    let isPast = screens[number].isAboutToShow()
    return ScreenPlace(screen: number, step: screens[number].record.steps.count - (isPast ? 0 : 1))
  }

  func release() { screens = [] }
}
