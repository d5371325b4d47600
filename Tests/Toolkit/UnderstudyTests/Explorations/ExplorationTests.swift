import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct ExplorationTests {
  /// What a default run tries of each kind.
  private static let seeds = Effort.some(of: [0, 1, 2, 3] as [UInt64], every: 3)

  @Test(arguments: Effort.some(of: [0, 1, 2] as [UInt64], every: 3))
  func aCorrectImplementationIsExploredToTheEnd(_ seed: UInt64) async throws {
    let report = try await Exploration.tally.explore(.right, seed: seed)
    #expect(report.failure == nil, "\(report.failure?.description ?? "")")
    #expect(report.programs == 600)
    #expect(report.commands > 3_000)
  }

  // MARK: - One planted bug of each kind, with the default settings

  @Test(arguments: seeds)
  func aLostUpdateIsFound(_ seed: UInt64) async throws {
    let failure = try #require(try await Exploration.tally.explore(.losesUpdates, seed: seed).failure)
    #expect(failure.program.before == [])
    #expect(failure.program.together == [[.add(1)], [.add(1)]])
    #expect(failure.program.after == [.number])
  }

  @Test(arguments: seeds)
  func aStaleReadIsFound(_ seed: UInt64) async throws {
    let failure = try #require(try await Exploration.tally.explore(.readsFromACache, seed: seed).failure)
    #expect(failure.program == ExplorationProgram(before: [.number, .add(1), .number]))
    #expect(failure.cause == .wrongAnswer(command: ".number", expected: "1", found: "0"))
  }

  @Test(arguments: seeds)
  func aDoubleDeliveryIsFound(_ seed: UInt64) async throws {
    let failure = try #require(try await Exploration.tally.explore(.deliversTwice, seed: seed).failure)
    #expect(failure.program.before == [.send])
    #expect(failure.program.together == [[.receive], [.receive]])
    #expect(failure.program.after == [])
  }

  /// Catches commands after tasks that are skipped in a program without tasks.
  @Test func commandsAfterTasksRunWithoutTasksToo() async throws {
    let program = ExplorationProgram<TallyCommand>(before: [.number, .add(1)], after: [.number])
    let failure = try #require(try await Exploration.tally.failure(in: program, on: .readsFromACache))
    #expect(failure.cause == .wrongAnswer(command: ".number", expected: "1", found: "0"))
  }

  @Test func argumentsAreSimplifiedWithoutLosingTheFailure() async throws {
    let failure = try #require(try await Exploration.tally.explore(.stopsAtThree).failure)
    #expect(failure.program == ExplorationProgram(before: [.add(4), .number]))
  }

  // MARK: - Calls without an answer

  @Test func aLostCallMayHaveHappenedOrNot() async throws {
    let report = try await Exploration.tally.explore(.losesAnswers)
    #expect(report.failure == nil, "\(report.failure?.description ?? "")")
  }

  @Test func aLostCallHasNotHappenedTwice() async throws {
    let failure = try #require(try await Exploration.tally.explore(.doublesWhatIsLost).failure)
    #expect(failure.program == ExplorationProgram(before: [.add(1), .add(1), .number]))
  }

  // MARK: - Invariants

  @Test func anInvariantIsCheckedAfterEachCommand() async throws {
    let exploration = Exploration<TallyCommand>(
      "tally",
      invariants: [
        Invariant("The service and the model have the same number.") { await $1.number() == $0.number },
        Invariant("There are never two letters.") { model, _ in model.letters.count < 2 },
      ]
    ) { _ in TallyModel() }
    let failure = try #require(try await exploration.explore(.right).failure)
    #expect(failure.program == ExplorationProgram(before: [.send, .send]))
    #expect(
      failure.cause
        == .brokenInvariant("There are never two letters.", after: ".send", reason: nil))
    // State that no command reads is found by reading it from the service.
    let other = try #require(try await exploration.explore(.stopsAtThree, seed: 3).failure)
    #expect([[.add(4)], [.send, .send]].contains(other.program.before))
  }

  // MARK: - Repeating

  @Test func theSameSeedFindsTheSame() async throws {
    for implementation in [Implementation.losesUpdates, .stopsAtThree] {
      let one = try #require(try await Exploration.tally.explore(implementation, seed: 7).failure)
      let other = try #require(try await Exploration.tally.explore(implementation, seed: 7).failure)
      #expect(one.description == other.description)
    }
  }

  @Test func aFailureIsReproducedByItsProgram() async throws {
    for implementation in [Implementation.losesUpdates, .readsFromACache, .deliversTwice] {
      let failure = try #require(try await Exploration.tally.explore(implementation).failure)
      let again = try #require(try await Exploration.tally.failure(in: failure.program, on: implementation))
      #expect(again.cause == failure.cause)
      #expect(try await Exploration.tally.failure(in: failure.program, on: .right) == nil)
    }
  }

  @Test func commandsThatDoNotApplyAreOmitted() async throws {
    let program = ExplorationProgram<TallyCommand>(before: [.add(-1), .add(4), .add(-1), .number])
    let failure = try #require(try await Exploration.tally.failure(in: program, on: .stopsAtThree))
    #expect(failure.program.before == [.add(4), .number])
  }

  /// Catches a kept program that tests nothing any more.
  @Test func aProgramWithoutAnApplicableCommandIsAnErrorForAReplay() async throws {
    let program = ExplorationProgram<TallyCommand>(before: [.add(-1), .add(-2)])
    #expect(try await Exploration.tally.failure(in: program, on: .right) == nil)
    let error = await #expect(throws: ExplorationError.self) {
      try await Exploration.tally.failure(in: program, on: .right, requiringCall: true)
    }
    #expect(error?.description.contains("made no call") == true)
    #expect(error?.description.contains("none of its 2 commands makes sense in the model") == true)
  }

  @Test func anEnvironmentIsTornDownWithTheOutcome() async throws {
    let outcomes = Locked<[Bool]>([])
    let implementation = Implementation<Tally>("watched") { trial in
      trial.atEnd { end in outcomes.withLock { $0.append(end == .passed) } }
      return Tally(.stopsAtThree)
    }
    for amount in [3, 4] {
      _ = try await Exploration.tally.failure(
        in: ExplorationProgram(before: [.add(amount), .number]), on: implementation)
    }
    #expect(outcomes.withLock { $0 } == [true, false])
  }

  @Test func numbersAreSimplified() {
    #expect(9.simpler() == [0, 4, 8])
    #expect(2.simpler(toward: 1) == [1])
    #expect((-3).simpler() == [0, -1, -2])
    #expect(0.simpler() == [])
    #expect(Int.min.simpler(toward: 1) == [])
  }
}

@Suite(.stallLimit()) struct ExplorationFailureCauseTests {
  /// Catches a message with two long values in full, in place of the position at which they differ.
  @Test func longAnswersAreShownWhereTheyDiffer() {
    let same = String(repeating: "same ", count: 200)
    let description = ExplorationFailureCause.wrongAnswer(
      command: ".list", expected: "\(same)HERE\(same)", found: "\(same)THERE\(same)"
    ).description
    #expect(description.contains("HERE") && description.contains("THERE"))
    #expect(description.count < 600)
    #expect("short".near(same) == "short")
    #expect(same.near("short") == same)
    // A value that is the beginning of the other.
    #expect((same + same).near(same).hasPrefix("… same"))
  }
}

@Suite(.stallLimit()) struct ExplorationProgramTests {
  @Test(arguments: [
    ("in-memory", ".inMemory"), ("sqlite", ".sqlite"), ("live-over-socket", ".live(over: .socket)"),
    ("reads-from-a-cache", ".readsFromACache"),
  ])
  func implementationsAreSpelledAsMembers(_ name: String, _ member: String) {
    let program = ExplorationProgram<TallyCommand>(before: [.add(4), .number])
    #expect(
      program.swift(exploration: "tally", implementation: name) == """
        try await Exploration.tally.replay(
          [
            .add(4),
            .number,
          ],
          on: \(member))
        """)
  }
}
