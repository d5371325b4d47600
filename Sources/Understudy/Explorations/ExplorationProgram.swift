/// Commands in the order in which they are tried, some of them at the same time.
public struct ExplorationProgram<Command: ExplorationCommand>: Sendable, Hashable {
  /// One after another.
  public var before: [Command]
  /// Then each of these lists in a task of its own; none for a plain sequence.
  public var together: [[Command]]
  /// One after another, when all tasks have ended.
  public var after: [Command]
  /// How the tasks take turns.
  public var schedule: ExplorationSchedule

  /// A program.
  public init(
    before: [Command] = [], together: [[Command]] = [], after: [Command] = [],
    schedule: ExplorationSchedule = .seeded(0)
  ) {
    self.before = before
    self.together = together
    self.after = after
    self.schedule = schedule
  }

  /// How many commands it has.
  public var count: Int { before.count + together.reduce(0) { $0 + $1.count } + after.count }

  /// The call that tries it again, as Swift to be pasted into a test.
  ///
  /// - Parameters:
  ///   - exploration: The exploration's member, such as `todoService`.
  ///   - implementation: The implementation's name, which is taken for a member: `in-memory` for `.inMemory`,
  ///     `live-over-socket` for `.live(over: .socket)`.
  func swift(exploration: String, implementation: String) -> String {
    var arguments: [String] = []
    if together.isEmpty {
      arguments = [Self.list(before + after)]
    } else {
      if !before.isEmpty { arguments.append("before: " + Self.list(before)) }
      let tasks = together.map { "    [" + $0.map(\.swift).joined(separator: ", ") + "],\n" }
      arguments.append("together: [\n" + tasks.joined() + "  ]")
      if !after.isEmpty { arguments.append("after: " + Self.list(after)) }
      arguments.append("schedule: \(schedule.swift)")
    }
    arguments.append("on: " + Self.member(implementation))
    return "try await Exploration.\(exploration).replay(\n  " + arguments.joined(separator: ",\n  ") + ")"
  }

  private static func list(_ commands: [Command]) -> String {
    commands.count == 1
      ? "[\(commands[0].swift)]" : "[\n" + commands.map { "    \($0.swift),\n" }.joined() + "  ]"
  }

  private static func member(_ name: String) -> String {
    var words = name.split(separator: "-").map(String.init)
    var route: [String] = []
    if let place = words.firstIndex(of: "over"), place > 0 {
      route = Array(words[(place + 1)...])
      words = Array(words[..<place])
    }
    return camel(words) + (route.isEmpty ? "" : "(over: \(camel(route)))")
  }

  private static func camel(_ words: [String]) -> String {
    "." + (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

/// How tasks take turns.
public enum ExplorationSchedule: Sendable, Hashable {
  /// One task runs at a time, and wherever it waits, chance says which is next; the same seed gives the same order as long
  /// as nothing but the tasks themselves is waited for. Before macOS 15 and its kin it is as ``parallel``.
  case seeded(UInt64)
  /// On as many threads as there are, as it happens.
  case parallel

  /// As Swift writes it.
  var swift: String {
    switch self {
    case .seeded(let seed): ".seeded(\(seed))"
    case .parallel: ".parallel"
    }
  }
}
