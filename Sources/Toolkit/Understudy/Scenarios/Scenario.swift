import UnderstudyText

/// A user's actions on a fresh system, and the invariants that must hold whatever fails.
///
/// It is the subject of a sweep.
///
/// ```swift
/// extension Scenario {
///   static var adding: Scenario {
///     Scenario("adding", "A user adds an item and looks at the list.") { run in
///       let store = InMemoryTodos()
///       let model = TodoViewModel(service: run.intercepted(store, as: "todos"))
///       run.watch(model) { Shown($0) }
///       run.interruption("reload") { await model.load() }
///       // Those of a reload, too: it shows its message on the same screen.
///       let failures = await run.failures { await run.act { await model.add("Milk") } }
///       run.expect("loading.ends", !model.isLoading, "the list still shows that it is loading")
///       run.expect(
///         "errors.shown", failures.match(isShown: model.message != nil),
///         "the message is \(model.message ?? "none") after \(failures)")
///     }
///   }
/// }
/// ```
///
/// The body must be deterministic: it creates everything that it uses, and takes time and randomness from the run.
public struct Scenario: Sendable, CustomStringConvertible {
  /// The name of the static member of `Scenario` that declares it.
  package let name: String
  /// The user's actions, in a sentence.
  package let statement: String
  let body: @MainActor @Sendable (ScenarioRun) async throws -> Void
  /// Where the scenario is declared.
  let place: String

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - name: The name of the static member of `Scenario` that declares it, for generated test code.
  ///   - statement: The user's actions, in a sentence.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Builds the system, acts, and checks invariants. An error that it throws is a violation of `throwing`.
  public init(
    _ name: String, _ statement: String, fileID: String = #fileID, line: Int = #line,
    body: @escaping @MainActor @Sendable (ScenarioRun) async throws -> Void
  ) {
    self.name = name
    self.statement = statement
    place = "\(fileID):\(line)"
    self.body = body
  }

  /// The invariant that the scenario's body throws no error.
  package static let throwing = "scenario.throws"
  /// The invariant that the scenario ends.
  package static let stuck = "scenario.stuck"
  /// The invariant that the process outlives the scenario.
  package static let trapping = "scenario.traps"
  /// The invariant that each entry of a schedule takes effect; a sweep does not check it.
  package static let unmet = "schedule.met"
  /// The invariant that interruptions have valid names and are declared before the first call.
  package static let misnamed = "interruption.name"
  /// The invariant that a sweep finds a call on which faults have an effect.
  package static let uncovered = "sweep.covers"
  /// The invariant that a double implements every method that is called.
  package static let unimplemented = "double.implements"
  /// The invariant that a scenario checks an invariant.
  package static let unchecked = "sweep.checks"

  /// What checks an invariant, for messages about a scenario that checks none.
  package static let waysToCheck = "run.expect(_:_:_:) or run.always(_:_:_:)"

  /// The name.
  public var description: String { name }

  /// A line of Swift that runs a scenario under a schedule in a test.
  static func swift(_ name: String, under schedule: FaultSchedule, seed: UInt64) -> String {
    "try await \(member(name)).run(under: \(schedule.swiftSpelling)\(seed == 0 ? "" : ", seed: \(seed)"))"
  }

  /// A line of Swift that repeats a sweep in a test; its seed is a variable of the environment.
  static func swift(_ name: String, pairLimit: Int?, combinationLimit: Int) -> String {
    let pairs = pairLimit.map { "\($0)" } ?? "nil"
    return "try await \(member(name)).sweep(pairLimit: \(pairs), combinationLimit: \(combinationLimit))"
  }

  private static func member(_ name: String) -> String {
    let isIdentifier =
      name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
      && name.unicodeScalars.first.map { $0.properties.isXIDStart || $0 == "_" } == true
    return "Scenario." + (isIdentifier ? name : "`\(name.filter { $0 != "`" && !$0.isNewline })`")
  }

  /// The shell command arguments that run a scenario under a schedule.
  static func command(_ name: String, under schedule: FaultSchedule, seed: UInt64) -> String {
    let faults = schedule.entries.map { " --under \(Words.shell($0.description))" }.joined()
    return command(name, seed: seed) + (faults.isEmpty ? " --pairs none --combinations 0" : faults)
  }

  /// The shell command arguments that repeat a sweep.
  static func command(_ name: String, pairLimit: Int?, combinationLimit: Int, seed: UInt64) -> String {
    let pairs = pairLimit.map { $0 == 0 ? "none" : "\($0)" } ?? "all"
    return command(name, seed: seed) + " --pairs \(pairs) --combinations \(combinationLimit)"
  }

  private static func command(_ name: String, seed: UInt64) -> String {
    "sweep --scenario \(Words.shell(name))\(seed == 0 ? "" : " --seed \(seed)")"
  }
}
