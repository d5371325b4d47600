/// Where the commands of one list of a program come from: they are given, or drawn.
struct CommandFeed<Command: ExplorationCommand>: Sendable {
  private var given: ArraySlice<Command>
  private let repairs: Bool
  private var rest: Int
  private var generator: SeededGenerator
  /// Commands of which every second one that is drawn is taken.
  private var favourites: [Command] = []

  /// How often a command is drawn anew that makes no sense in its place.
  private static var draws: Int { 20 }

  /// The commands that are given.
  ///
  /// - Parameter repairs: Whether the nearest simpler command is taken in the place of one that makes no sense, because
  ///   what it refers to may have another place now that an earlier command was left out.
  init(_ commands: [Command], repairing repairs: Bool = false) {
    given = commands[...]
    self.repairs = repairs
    rest = 0
    generator = SeededGenerator(seed: 0)
  }

  /// Drawn ones.
  init(drawing count: Int, seed: UInt64) {
    given = []
    repairs = false
    rest = count
    generator = SeededGenerator(seed: seed)
  }

  /// The same, every second command being one of a few: tasks that do the same to the same meet more often.
  func favouring(_ commands: [Command]) -> CommandFeed {
    var feed = self
    feed.favourites = commands
    return feed
  }

  /// The next command that makes sense in a state.
  mutating func next(
    in model: Command.Model
  ) -> (command: Command, call: ExplorationCall<Command.Subject, Command.Model>)? {
    while let command = given.popFirst() {
      for command in [command] + (repairs ? command.simpler.reversed() : []) {
        if let call = command.call(in: model) { return (command, call) }
      }
    }
    guard rest > 0 else { return nil }
    rest -= 1
    for _ in 0..<Self.draws {
      let favourite = Bool.random(using: &generator) ? favourites.randomElement(using: &generator) : nil
      let command = favourite ?? Command.random(in: model, using: &generator)
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
  /// The commands that tasks shall meet in.
  var favourites = CommandFeed<Command>([])
  var schedule = ExplorationSchedule.seeded(0)
  /// Whether observations end it.
  var isObserved = false

  /// A program that is given.
  init(_ program: ExplorationProgram<Command>, repairing repairs: Bool = false) {
    before = CommandFeed(program.before, repairing: repairs)
    together = program.together.map { CommandFeed($0, repairing: repairs) }
    after = CommandFeed(program.after, repairing: repairs)
    schedule = program.schedule
  }

  /// A sequence.
  init(drawing length: Int, seed: UInt64) {
    before = CommandFeed(drawing: length, seed: seed)
    isObserved = true
  }

  /// A program with two or three branches, each so short that every order of them can be tried.
  init(drawingBranchesBy schedule: ExplorationSchedule, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    before = CommandFeed(drawing: Int.random(in: 0...6, using: &generator), seed: generator.next())
    together = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      CommandFeed(drawing: Int.random(in: 1...3, using: &generator), seed: generator.next())
    }
    isObserved = true
    favourites = CommandFeed(drawing: 3, seed: generator.next())
    self.schedule = schedule
  }
}
