/// One run of a program on one subject.
struct ProgramRun<Command: ExplorationCommand>: Sendable {
  typealias Subject = Command.Subject
  typealias Model = Command.Model

  /// The commands that were run so far.
  private(set) var program = ExplorationProgram<Command>()
  /// The disagreement, which ends the run.
  private(set) var cause: ExplorationFailureCause?

  /// Whether a call reached what the implementation intercepts; `nil` if it intercepts nothing.
  var hasCalls: Bool?

  private let subject: Subject
  private let invariants: [Invariant<Subject, Model>]
  /// The calls that have begun, for the time limit to report.
  private let begun: Locked<[Command]>
  /// The possible models: several while it is unknown whether an unanswered call took effect.
  private var models: [Model]
  /// The number of models with which a run continues.
  ///
  /// With more, too much is unknown to detect a failure.
  private static var mostModels: Int { 256 }

  init(
    _ subject: Subject, from model: Model, invariants: [Invariant<Subject, Model>],
    noting begun: Locked<[Command]>
  ) {
    self.subject = subject
    self.begun = begun
    self.invariants = invariants
    models = [model]
  }

  /// Runs a program.
  mutating func perform(_ feed: ProgramFeed<Command>) async {
    await perform(feed.before)
    if feed.together.isEmpty {
      if !feed.isObserved { await perform(feed.after) }
      if feed.isObserved, cause == nil { await perform(CommandFeed(Command.observations(of: models[0]))) }
    } else if cause == nil {
      await performTogether(feed)
    }
  }

  // MARK: - Sequential commands

  private mutating func perform(_ feed: CommandFeed<Command>) async {
    var feed = feed
    while cause == nil, models.count <= Self.mostModels, let (command, call) = feed.next(in: models[0]) {
      program.before.append(command)
      begun.withLock { $0.append(command) }
      accept(await call.perform(subject), to: command)
      await checkInvariants(after: command)
    }
  }

  private mutating func accept(_ answer: AnsweredCall<Model>, to command: Command) {
    if let error = answer.error, Command.isUnanswered(error) {
      guard let unanswered = answer.unanswered else { return }
      for var model in models {
        unanswered(&model)
        if !models.contains(model) { models.append(model) }
      }
      return
    }
    var expected: String?
    var possible: [Model] = []
    // Removing the model from the list avoids a copy when it is changed.
    while var model = models.popLast() {
      switch answer.step(&model) {
      case .possible: possible.append(model)
      case .impossible(let other): expected = other
      }
    }
    if possible.isEmpty {
      cause = .wrongAnswer(command: command.swift, expected: expected ?? "", found: answer.found())
    }
    models = possible.reversed()
  }

  private mutating func checkInvariants(after command: Command) async {
    for invariant in invariants where cause == nil {
      var reason: String?
      var holds = false
      for model in models where !holds {
        do {
          holds = try await invariant.holds(model, subject)
        } catch {
          reason = "\(error)"
        }
      }
      if !holds { cause = .brokenInvariant(invariant.statement, after: command.swift, reason: reason) }
    }
  }

  // MARK: - Concurrent commands

  private mutating func performTogether(_ feed: ProgramFeed<Command>) async {
    program.schedule = feed.schedule
    let clock = LogicalClock()
    var (drawing, favourites) = (feed.favourites, [Command]())
    while let (command, _) = drawing.next(in: models[0]) { favourites.append(command) }
    let branches = feed.together.map { $0.favouring(favourites) }.enumerated().map { index, feed in
      { @Sendable [self] in await perform(feed, as: index + 1, from: models[0], clock) }
    }
    let performed = await feed.schedule.run(branches)
    program.together = performed.map(\.commands).filter { !$0.isEmpty }
    var entries = performed.flatMap(\.entries)
    guard let model = linearize(entries) else { return }
    let after = feed.isObserved ? CommandFeed(Command.observations(of: model)) : feed.after
    let last = await perform(after, as: 0, from: model, clock)
    program.after = last.commands
    entries += last.entries
    _ = linearize(entries)
  }

  /// Runs commands in one task.
  ///
  /// - Parameters:
  ///   - task: The number of the task; 0 outside of the tasks.
  ///   - view: The model as seen by the task: the model before the tasks, with the task's own calls as far as they can
  ///     be explained.
  private func perform(
    _ feed: CommandFeed<Command>, as task: Int, from view: Model, _ clock: LogicalClock
  ) async -> (commands: [Command], entries: [HistoryEntry<Model>]) {
    var (feed, view) = (feed, view)
    var commands: [Command] = []
    var entries: [HistoryEntry<Model>] = []
    while let (command, call) = feed.next(in: view) {
      // A scheduling point before each call, because the service may have none. It suspends once and is not a wait.
      if task > 0 { await Task.yield() }
      begun.withLock { $0.append(command) }
      let begin = clock.tick()
      let answer = await call.perform(subject)
      let isUnanswered = answer.error.map(Command.isUnanswered) ?? false
      commands.append(command)
      entries.append(
        HistoryEntry(
          name: command.swift, task: task, key: call.key, begin: begin, end: clock.tick(),
          isUnanswered: isUnanswered, answer: answer))
      var next = view
      if isUnanswered {
        answer.unanswered?(&view)
      } else if answer.step(&next) == .possible {
        view = next
      }
    }
    return (commands, entries)
  }

  /// A model after the calls; `nil` if no order explains them, which is recorded.
  private mutating func linearize(_ entries: [HistoryEntry<Model>]) -> Model? {
    for model in models {
      switch Linearization.search(entries, from: model) {
      case .found(let end):
        cause = nil
        return end
      case .none(let calls, let hint):
        cause = .notLinearizable(hint: hint, history: HistoryTable(calls.map { entries[$0] }).text)
      }
    }
    return nil
  }
}
