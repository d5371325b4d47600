/// A list of commands, some of which run concurrently.
package struct ExplorationProgram<Command: ExplorationCommand>: Sendable, Hashable {
  /// The commands that run first, one after another.
  package var before: [Command]
  /// The lists of commands that then run concurrently, each in its own task; empty for a plain sequence.
  package var together: [[Command]]
  /// The commands that run last, one after another, when all tasks have ended.
  package var after: [Command]
  /// How the tasks are scheduled.
  package var schedule: ExplorationSchedule

  /// Creates a program.
  package init(
    before: [Command] = [], together: [[Command]] = [], after: [Command] = [],
    schedule: ExplorationSchedule = .seeded(0)
  ) {
    self.before = before
    self.together = together
    self.after = after
    self.schedule = schedule
  }

  /// The number of commands.
  package var count: Int { before.count + together.reduce(0) { $0 + $1.count } + after.count }

  /// The call that runs the program again, as Swift code for a test.
  ///
  /// - Parameters:
  ///   - exploration: The exploration's member, such as `todoService`.
  ///   - implementation: The implementation's name, which is converted to a member: `in-memory` to `.inMemory`,
  ///     `live-over-socket` to `.live(over: .socket)`.
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

/// How concurrent tasks are scheduled.
public enum ExplorationSchedule: Sendable, Hashable {
  /// One task runs at a time, and at each suspension the next one is drawn from a seed.
  ///
  /// The same seed gives the same order as long as the tasks only wait for each other. Before macOS 15, iOS 18 and the
  /// releases of the same year, it is the same as ``parallel``.
  case seeded(UInt64)
  /// The tasks run in parallel, on as many threads as are available.
  case parallel

  /// The schedule as a Swift expression.
  var swift: String {
    switch self {
    case .seeded(let seed): ".seeded(\(seed))"
    case .parallel: ".parallel"
    }
  }
}

extension ExplorationSchedule {
  /// Runs each branch in its own task under this schedule, and returns the results in order.
  func run<Result: Sendable>(_ branches: [@Sendable () async -> Result]) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      if case .seeded(let seed) = self, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        let executor = SeededExecutor(seed: seed)
        for (index, branch) in branches.enumerated() {
          group.addTask(executorPreference: executor) { (index, await branch()) }
        }
        executor.begin()
      } else {
        for (index, branch) in branches.enumerated() { group.addTask { (index, await branch()) } }
      }
      var results: [(Int, Result)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
