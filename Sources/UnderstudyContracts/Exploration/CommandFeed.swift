import UnderstudyPrimitives

/// Where the commands of one list of a program come from: they are given, or drawn.
struct CommandFeed<Command: ExplorationCommand>: Sendable {
  private var given: ArraySlice<Command>
  private var rest: Int
  private var generator: SeededGenerator

  /// How often a command is drawn anew that makes no sense in its place.
  private static var draws: Int { 20 }

  /// The commands that are given.
  init(_ commands: [Command]) {
    given = commands[...]
    rest = 0
    generator = SeededGenerator(seed: 0)
  }

  /// Drawn ones.
  init(drawing count: Int, seed: UInt64) {
    given = []
    rest = count
    generator = SeededGenerator(seed: seed)
  }

  /// The next command that makes sense in a state.
  mutating func next(
    in model: Command.Model
  ) -> (command: Command, call: ExplorationCall<Command.Subject, Command.Model>)? {
    while let command = given.popFirst() {
      if let call = command.call(in: model) { return (command, call) }
    }
    guard rest > 0 else { return nil }
    rest -= 1
    for _ in 0..<Self.draws {
      let command = Command.random(in: model, using: &generator)
      if let call = command.call(in: model) { return (command, call) }
    }
    return nil
  }
}

/// Where the commands of a program come from.
struct ProgramFeed<Command: ExplorationCommand>: Sendable {
  var before: CommandFeed<Command>
  var together: [CommandFeed<Command>] = []
  var after = CommandFeed<Command>([])
  var schedule = ExplorationSchedule.seeded(0)

  /// A program that is given.
  init(_ program: ExplorationProgram<Command>) {
    before = CommandFeed(program.before)
    together = program.together.map { CommandFeed($0) }
    after = CommandFeed(program.after)
    schedule = program.schedule
  }

  /// A sequence.
  init(drawing length: Int, seed: UInt64) {
    before = CommandFeed(drawing: length, seed: seed)
  }

  /// A program with two or three branches, each so short that every order of them can be tried.
  init(drawingBranchesBy schedule: ExplorationSchedule, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    before = CommandFeed(drawing: Int.random(in: 0...4, using: &generator), seed: generator.next())
    together = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      CommandFeed(drawing: Int.random(in: 1...3, using: &generator), seed: generator.next())
    }
    after = CommandFeed(drawing: 2, seed: generator.next())
    self.schedule = schedule
  }
}
