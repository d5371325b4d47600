/// A failing program up to its last command that ran, and the cause of the failure.
struct Failure<Command: ExplorationCommand>: Sendable {
  var program: ExplorationProgram<Command>
  var cause: ExplorationFailureCause
}

/// A search for a smaller program that fails too.
///
/// The search is deterministic for the failures it finds, and tries a bounded number of programs.
struct Shrinking<Command: ExplorationCommand> {
  private let exploration: Exploration<Command>
  private let implementation: Implementation<Command.Subject>
  private var failure: Failure<Command>
  /// The number of programs that may still be tried.
  private var rest = 4_000

  /// The number of schedules that are tried before a program passes.
  private static var schedules: UInt64 { 32 }

  init(
    of exploration: Exploration<Command>, on implementation: Implementation<Command.Subject>,
    from failure: Failure<Command>
  ) {
    self.exploration = exploration
    self.implementation = implementation
    self.failure = failure
  }

  /// The smallest failure that was found.
  mutating func smallest() async throws -> Failure<Command> {
    // A failure that also occurs in sequence needs no tasks.
    let program = failure.program
    if !program.together.isEmpty {
      _ = try await accepts(
        ExplorationProgram(before: program.before + program.together.flatMap { $0 } + program.after))
    }
    var isSmaller = true
    while isSmaller, rest > 0 {
      isSmaller = try await removeCommands()
      if try await separateTasks() { isSmaller = true }
      if try await simplifyArguments() { isSmaller = true }
      if !isSmaller { isSmaller = try await removeAndSimplify() }
    }
    // Find a schedule under which exactly this program fails, without the commands that were not applicable.
    if !failure.program.together.isEmpty { _ = try await accepts(failure.program) }
    return failure
  }

  /// Replaces the failure by a program if that fails too.
  private mutating func accepts(_ program: ExplorationProgram<Command>) async throws -> Bool {
    for schedule in schedules(of: program) where rest > 0 {
      rest -= 1
      var program = program
      program.schedule = schedule
      let other: Failure<Command>?
      do {
        other = try await exploration.failure(of: ProgramFeed(program, repairing: true), on: implementation)
      } catch is ExplorationError {
        // Such a program hangs, or its environment cannot be set up. That is a different failure, which must not
        // replace the current one.
        continue
      }
      if let other {
        failure = other
        return true
      }
    }
    return false
  }

  private func schedules(of program: ExplorationProgram<Command>) -> [ExplorationSchedule] {
    guard !program.together.isEmpty else { return [program.schedule] }
    let seeded = (0..<Self.schedules).map { ExplorationSchedule.seeded($0) }
    // A parallel schedule is not reproducible, so it is tried several times, after the seeded ones.
    return program.schedule == .parallel
      ? seeded + seeded.map { _ in .parallel } : seeded + [program.schedule]
  }

  /// Leaves out runs of commands of decreasing length (delta debugging, Zeller and Hildebrandt 2002).
  private mutating func removeCommands() async throws -> Bool {
    var isSmaller = false
    var size = max(1, failure.program.count / 2)
    while true {
      // From the end, so that the removal of a command does not invalidate references of others.
      var end = failure.program.count
      while end > 0 {
        let range = max(0, end - size)..<end
        if try await accepts(
          failure.program.filter { place, command in range.contains(place) ? nil : command })
        {
          isSmaller = true
        }
        end = min(range.lowerBound, failure.program.count)
      }
      if size == 1 { return isSmaller }
      size /= 2
    }
  }

  /// Moves the first commands of a task before all tasks, and its last commands after them.
  private mutating func separateTasks() async throws -> Bool {
    var isSmaller = false
    var task = 0
    while task < failure.program.together.count {
      var (first, last) = (failure.program, failure.program)
      first.before.append(first.together[task].removeFirst())
      last.after.insert(last.together[task].removeLast(), at: 0)
      if try await accepts(first.tidied) {
        isSmaller = true
      } else if try await accepts(last.tidied) {
        isSmaller = true
      } else {
        task += 1
      }
    }
    return isSmaller
  }

  private mutating func simplifyArguments() async throws -> Bool {
    var isSmaller = false
    var place = 0
    while place < failure.program.count {
      var isSimpler = false
      for simpler in failure.program.commands[place].simpler where !isSimpler {
        isSimpler = try await accepts(failure.program.filter { $0 == place ? simpler : $1 })
      }
      if isSimpler { isSmaller = true } else { place += 1 }
    }
    return isSmaller
  }
}

extension Shrinking {
  /// Leaves out a command and simplifies a later one in the same step, because its reference may have moved.
  private mutating func removeAndSimplify() async throws -> Bool {
    for removed in 0..<failure.program.count {
      for place in removed + 1..<max(removed + 1, failure.program.count) {
        for simpler in failure.program.commands[place].simpler {
          let program = failure.program.filter { $0 == removed ? nil : $0 == place ? simpler : $1 }
          if try await accepts(program) { return true }
        }
      }
    }
    return false
  }
}

extension ExplorationProgram {
  /// All commands, list by list.
  fileprivate var commands: [Command] { before + together.flatMap { $0 } + after }

  /// The program with commands replaced, or removed where the closure returns `nil`.
  fileprivate func filter(_ body: (_ place: Int, Command) -> Command?) -> ExplorationProgram {
    var place = -1
    func list(_ commands: [Command]) -> [Command] {
      commands.compactMap { command in
        place += 1
        return body(place, command)
      }
    }
    var program = self
    program.before = list(before)
    program.together = together.map(list)
    program.after = list(after)
    return program.tidied
  }

  /// The program without empty tasks, and without tasks if only one is left.
  fileprivate var tidied: ExplorationProgram {
    var program = self
    program.together.removeAll(where: \.isEmpty)
    if program.together.count < 2 {
      program.before += program.together.flatMap { $0 } + program.after
      program.together = []
      program.after = []
    }
    return program
  }
}
