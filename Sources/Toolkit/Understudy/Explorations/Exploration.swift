import UnderstudyText

/// Model-based testing of a service.
///
/// Generated commands run in sequence and concurrently, and each answer must be one that a simple reference model
/// allows.
///
/// An exploration is a value that can be declared next to the contract of the service:
///
/// ```swift
/// extension Exploration where Command == TodoCommand {
///   static var todoService: Self {
///     Exploration("todos") { _ in TodoModel() }
///   }
/// }
///
/// @Test func explored() async throws { try await Exploration.todoService.run(on: .inMemory) }
/// ```
///
/// A failing program is shrunk, and reported as Swift code for a test.
public struct Exploration<Command: ExplorationCommand>: Sendable {
  /// The service type.
  package typealias Subject = Command.Subject
  /// The reference model type.
  package typealias Model = Command.Model

  /// The service to explore, in one word, such as `todos`.
  package let name: String

  /// The static member that declares the exploration, such as `todoService`.
  let member: String
  let invariants: [Invariant<Subject, Model>]
  let model: @Sendable (Trial<Subject>) async throws -> Model

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - name: The service, in one word.
  ///   - invariants: Invariants that are checked after each command of a sequence, in addition to the model.
  ///   - member: The static member that declares the exploration, for the Swift code in failures.
  ///   - model: Makes the model of a fresh environment. It requests what it needs to know of the environment, such as
  ///     the signed-in user, as a condition of the trial.
  public init(
    _ name: String, invariants: [Invariant<Command.Subject, Command.Model>] = [], member: String = #function,
    model: @escaping @Sendable (_ trial: Trial<Command.Subject>) async throws -> Command.Model
  ) {
    self.name = name
    self.invariants = invariants
    self.member = member
    self.model = model
  }
}

/// A property that holds whenever no call is in progress.
public struct Invariant<Subject: Sendable, Model: Sendable>: Sendable {
  /// The property in one sentence.
  package let statement: String

  let holds: @Sendable (Model, Subject) async throws -> Bool

  /// Creates an invariant, which is checked after each command of a sequence.
  ///
  /// - Parameters:
  ///   - statement: The property in one sentence.
  ///   - holds: Returns whether the property holds. It may call the service, but must not change anything. An error
  ///     that it throws is a violation.
  public init(
    _ statement: String, holds: @escaping @Sendable (_ model: Model, _ subject: Subject) async throws -> Bool
  ) {
    self.statement = statement
    self.holds = holds
  }
}

/// A reference to a resource that is not a value, such as an open stream, for use in a model.
///
/// Two handles are equal if they are identical.
package final class Handle<Value: Sendable>: Sendable, Hashable {
  /// The resource.
  package let value: Value

  /// Creates a handle.
  package init(_ value: Value) {
    self.value = value
  }

  /// Whether both are the same handle.
  package static func == (one: Handle, other: Handle) -> Bool { one === other }

  /// Hashes the identity of the handle.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// The number and length of the programs of an exploration.
public struct ExplorationSize: Sendable, Hashable {
  /// The number of sequences, each in a fresh environment.
  package let sequences: Int
  /// The number of commands in a sequence.
  package let length: Int
  /// The number of programs with concurrent branches, each in a fresh environment.
  package let programs: Int

  /// Creates a size.
  ///
  /// The default takes a fraction of a second for a service in memory. Numbers are clamped to the range from 0 to
  /// 1,000,000,000.
  public init(sequences: Int = 100, length: Int = 30, programs: Int = 500) {
    self.sequences = Self.clamped(sequences)
    self.length = Self.clamped(length)
    self.programs = Self.clamped(programs)
  }

  /// This size with the number of sequences and programs multiplied by a factor.
  package func times(_ factor: Int) -> ExplorationSize {
    func times(_ number: Int) -> Int {
      let (product, overflows) = number.multipliedReportingOverflow(by: Self.clamped(factor))
      return overflows ? .max : product
    }
    return ExplorationSize(sequences: times(sequences), length: length, programs: times(programs))
  }

  private static func clamped(_ number: Int) -> Int { min(max(0, number), 1_000_000_000) }
}

extension Exploration {
  /// Runs a program on a fresh instance.
  ///
  /// The environment is the same for every program, so that a failure is reproducible.
  ///
  /// - Parameter stallLimit: How long a program may stall; see ``StallMonitor``.
  func run(
    _ feed: ProgramFeed<Command>, on implementation: Implementation<Subject>,
    stallLimit: Duration = StallMonitor.trialLimit
  ) async throws -> ProgramRun<Command> {
    let begun = Locked<[Command]>([])
    return try await withStallLimit(stallLimit, progress: { begun.withLock(\.count) }) { stall in
      let calls = begun.withLock { $0 }.map(\.swift).joined(separator: ", ")
      return .failure(
        ExplorationError(
          """
          A program did not end on \(implementation.name): \(stall). Its calls, in the order in which they began, of \
          which one never ended: \(calls)
          """))
    } cancelled: {
      Result<ProgramRun<Command>, any Error>.failure(CancellationError())
    } _: {
      do {
        return .success(try await run(feed, on: implementation, noting: begun))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private func run(
    _ feed: ProgramFeed<Command>, on implementation: Implementation<Subject>, noting begun: Locked<[Command]>
  ) async throws -> ProgramRun<Command> {
    let subject: Subject
    let environment: TrialEnvironment
    do {
      (subject, environment) = try await implementation.prepare(
        TrialEnvironment(contract: name, clause: "\(name).exploration", seed: 0)
      ) { _ in }
    } catch {
      throw ExplorationError("\(implementation.name) could not be set up: \(error)")
    }
    let trial = Trial(of: subject, in: environment, implementation: implementation.name)
    let result: Result<ProgramRun<Command>, ExplorationError>
    do throws(ExplorationError) {
      var run = ProgramRun<Command>(
        subject, from: try await initialModel(for: trial), invariants: invariants, noting: begun)
      await run.perform(feed)
      run.hasCalls = environment.hasInterceptedCalls
      result = .success(run)
    } catch {
      result = .failure(error)
    }
    for end in trial.notes.withLock({ $0.endings }).reversed() { await end() }
    let failure: String? =
      switch result {
      case .success(let run): run.cause.map { "\($0)" }
      case .failure(let error): error.description
      }
    do {
      try await environment.end(
        failure.map { .failed([Violation($0, fileID: #fileID, line: #line)]) } ?? .passed)
    } catch  where failure == nil {
      throw ExplorationError("\(implementation.name) could not be torn down: \(error)")
    } catch {
      // The earlier error is more useful, and may be the cause.
    }
    return try result.get()
  }

  private func initialModel(for trial: Trial<Subject>) async throws(ExplorationError) -> Model {
    do {
      return try await model(trial)
    } catch TrialEnd.skip(let reason) {
      throw ExplorationError(reason, isSkip: true)
    } catch TrialEnd.failedCondition(let message) {
      throw ExplorationError(message)
    } catch {
      throw ExplorationError("The model of \(name) could not be made: \(error)")
    }
  }
}

extension Exploration {
  /// Tries generated sequences, and then programs with concurrent branches, until one fails or all were tried.
  ///
  /// The branches of the first three quarters of the programs are scheduled randomly from the seed. Those of the last
  /// quarter run in parallel.
  ///
  /// - Parameters:
  ///   - implementation: The implementation to explore; each program runs in a fresh environment.
  ///   - seed: The source of all randomness.
  ///   - size: The number and length of the programs.
  /// - Throws: `ExplorationError` if an environment cannot be set up or torn down, or if a call never ends, and
  ///   `CancellationError`.
  package func explore(
    _ implementation: Implementation<Subject>, seed: UInt64 = 0, size: ExplorationSize = ExplorationSize()
  ) async throws -> ExplorationReport<Command> {
    var report = ExplorationReport<Command>()
    report.drawsNothing = (size.sequences == 0 || size.length == 0) && size.programs == 0
    let refused = RefusedCommands<Command>()
    var generator = SeededGenerator(seed: seed)
    for index in 0..<(size.sequences + size.programs) {
      let number = generator.next()
      let isRepeatable = index < size.sequences + size.programs - size.programs / 4
      var feed: ProgramFeed<Command> =
        index < size.sequences
        ? ProgramFeed(drawing: size.length, seed: number)
        : ProgramFeed(drawingBranchesBy: isRepeatable ? .seeded(number % 1_000) : .parallel, seed: number)
      feed.before.noteRefusal = refused.note
      let run = try await run(feed, on: implementation)
      refused.noteMade(run.program.before)
      report.commands += run.program.count
      if run.hasCalls != false { report.callsNothing = false }
      report.programs += 1
      guard let cause = run.cause else { continue }
      var shrinking = Shrinking(
        of: self, on: implementation, from: Failure(program: run.program, cause: cause))
      let smallest = try await shrinking.smallest()
      report.failure = failure(smallest, on: implementation, seed: seed, from: run.program.count)
      return report
    }
    report.refused = refused.all
    return report
  }

  /// Tries one program, leaving out commands that are not applicable.
  ///
  /// - Parameter requiresCall: Whether it is an error if no command is applicable.
  /// - Returns: The failure, not shrunk; `nil` if service and model agree.
  /// - Throws: The same errors as `explore(_:seed:size:)`.
  package func failure(
    in program: ExplorationProgram<Command>, on implementation: Implementation<Subject>,
    requiringCall requiresCall: Bool = false
  ) async throws -> ExplorationFailure<Command>? {
    let run = try await run(ProgramFeed(program), on: implementation)
    guard run.program.count > 0 || !requiresCall else {
      throw ExplorationError(
        """
        The program made no call, so it would pass on anything: none of its \(Words.count(program.count, "command")) \
        makes sense in the model. Correct the program or delete it.
        """)
    }
    return run.cause.map {
      failure(
        Failure(program: run.program, cause: $0), on: implementation, seed: nil, from: program.count)
    }
  }

  func failure(
    of feed: ProgramFeed<Command>, on implementation: Implementation<Subject>
  ) async throws -> Failure<Command>? {
    let run = try await run(feed, on: implementation)
    return run.cause.map { Failure(program: run.program, cause: $0) }
  }

  private func failure(
    _ failure: Failure<Command>, on implementation: Implementation<Subject>, seed: UInt64?, from count: Int
  ) -> ExplorationFailure<Command> {
    ExplorationFailure(
      exploration: name, implementation: implementation.name, seed: seed, program: failure.program,
      originalCount: count, cause: failure.cause,
      swift: failure.program.swift(exploration: member, implementation: implementation.name))
  }
}
