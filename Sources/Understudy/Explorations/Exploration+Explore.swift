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
    _ implementation: Implementation<Subject>, seed: UInt64 = 0, size: ExplorationSize = .standard
  ) async throws -> ExplorationReport<Command> {
    var report = ExplorationReport<Command>()
    var generator = SeededGenerator(seed: seed)
    for index in 0..<(size.sequences + size.programs) {
      let number = generator.next()
      let isRepeatable = index < size.sequences + size.programs - size.programs / 4
      let feed: ProgramFeed<Command> =
        index < size.sequences
        ? ProgramFeed(drawing: size.length, seed: number)
        : ProgramFeed(drawingBranchesBy: isRepeatable ? .seeded(number % 1_000) : .parallel, seed: number)
      let run = try await run(feed, on: implementation)
      report.commands += run.program.count
      report.programs += 1
      guard let cause = run.cause else { continue }
      var shrinking = Shrinking(
        of: self, on: implementation, from: Failure(program: run.program, cause: cause))
      let smallest = try await shrinking.smallest()
      report.failure = failure(smallest, on: implementation, seed: seed, from: run.program.count)
      return report
    }
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
