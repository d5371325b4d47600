/// The source of the commands of one list of a program: given commands, or drawn ones.
struct CommandFeed<Command: ExplorationCommand>: Sendable {
  private var given: ArraySlice<Command>
  private let repairs: Bool
  private var rest: Int
  private var generator: SeededGenerator
  /// The commands from which every second drawn command is taken.
  private var favourites: [Command] = []
  /// Notes a drawn command that is not applicable.
  var noteRefusal: (@Sendable (Command) -> Void)?

  /// How often a command that is not applicable is drawn again.
  private static var draws: Int { 20 }

  /// Creates a feed of given commands.
  ///
  /// - Parameter repairs: Whether a command that is not applicable is replaced by its nearest simpler command. Its
  ///   references may have moved now that an earlier command is left out.
  init(_ commands: [Command], repairing repairs: Bool = false) {
    given = commands[...]
    self.repairs = repairs
    rest = 0
    generator = SeededGenerator(seed: 0)
  }

  /// Creates a feed of drawn commands.
  init(drawing count: Int, seed: UInt64) {
    given = []
    repairs = false
    rest = count
    generator = SeededGenerator(seed: seed)
  }

  /// Returns this feed with every second command taken from a few, so that tasks more often use the same entities.
  func favouring(_ commands: [Command]) -> CommandFeed {
    var feed = self
    feed.favourites = commands
    return feed
  }

  /// The next command that is applicable in a state.
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
      noteRefusal?(command)
    }
    return nil
  }
}

/// The kinds of commands that an exploration draws and can never make, so that it tests nothing of them.
final class RefusedCommands<Command: ExplorationCommand>: Sendable {
  private struct State {
    var refusals: [String: Int] = [:]
    var made: Set<String> = []
  }

  /// How often a kind must have been drawn; a rare one may be applicable in a state that was not reached.
  private static var limit: Int { 100 }

  private let state = Locked(State())

  /// Notes a drawn command that was not applicable.
  func note(_ command: Command) {
    let kind = Self.kind(of: command)
    state.withLock { $0.refusals[kind, default: 0] += 1 }
  }

  /// Notes the commands of a program.
  func noteMade(_ commands: [Command]) {
    // Most explorations soon have no kind to look for.
    guard state.withLock({ state in state.refusals.keys.contains { !state.made.contains($0) } }) else {
      return
    }
    let kinds = commands.map(Self.kind)
    state.withLock { $0.made.formUnion(kinds) }
  }

  /// The kinds that were drawn often and never made, with the numbers of their draws.
  var all: [(kind: String, draws: Int)] {
    state.withLock { state in
      state.refusals.filter { $0.value >= Self.limit && !state.made.contains($0.key) }
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The command without its arguments.
  private static func kind(of command: Command) -> String {
    String(command.swift.prefix { $0 != "(" })
  }
}

/// The source of the commands of a program.
struct ProgramFeed<Command: ExplorationCommand>: Sendable {
  var before: CommandFeed<Command>
  var together: [CommandFeed<Command>] = []
  var after = CommandFeed<Command>([])
  /// The commands that several tasks should use.
  var favourites = CommandFeed<Command>([])
  var schedule = ExplorationSchedule.seeded(0)
  /// Whether the program ends with observations.
  var isObserved = false

  /// Creates a feed of a given program.
  init(_ program: ExplorationProgram<Command>, repairing repairs: Bool = false) {
    before = CommandFeed(program.before, repairing: repairs)
    together = program.together.map { CommandFeed($0, repairing: repairs) }
    after = CommandFeed(program.after, repairing: repairs)
    schedule = program.schedule
  }

  /// Creates a feed that draws a sequence.
  init(drawing length: Int, seed: UInt64) {
    before = CommandFeed(drawing: length, seed: seed)
    isObserved = true
  }

  /// Creates a feed that draws a program with two or three branches, short enough that every order of them can be
  /// tried.
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
