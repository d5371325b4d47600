import Testing
import Understudy
import UnderstudyTesting

/// A contract of known strength: it detects wrong numbers, but not numbers that do not increase.
@Suite(.stallLimit()) struct KillMatrixTests {
  private static let contract = Contract<any Counter>("counter") {
    Clause("counter.one", "The first number is one.") { trial in
      trial.expect(try await trial.subject.next(), equals: 1, "the first number")
    }
    Clause("counter.positive", "A number is positive.") { trial in
      trial.expect(try await trial.subject.next() > 0, "Expected a number above nought.")
    }
  }

  private static let negative = Mutant<any Counter>(
    "negative", "Counts downwards.", of: .fixed(1),
    killedBy: ["counter.one": "to be 1, found -1", "counter.positive": "above nought"]
  ) { _ in Fixed(value: -1) }

  private func failures(
    of mutants: Mutant<any Counter>..., under scope: KillScope = .namedClauses
  ) async -> [String] {
    await Self.contract.killMatrix(of: mutants, under: scope).failures
  }

  @Test func aStrongContractHasNoFailure() async {
    let matrix = await Self.contract.killMatrix(of: [Self.negative])
    #expect(matrix.failures.isEmpty)
    #expect(matrix.clauses.map(\.kills) == [["negative"], ["negative"]])
    #expect(matrix.killers == 2)
  }

  @Test func theClausesOfAMutantCanBeComputed() async {
    let negative = Mutant<any Counter>(
      "negative", "Counts downwards.", of: .fixed(1), killedBy: Self.contract.clauses.map(\.id),
      because: "number"
    ) { _ in Fixed(value: -1) }
    #expect(await failures(of: negative) == [])
    let other = Mutant<any Counter>(
      "negative", "Counts downwards.", of: .fixed(1), killedBy: ["one", "positive"].map { "counter.\($0)" },
      because: "above nought"
    ) { _ in Fixed(value: -1) }
    #expect(await failures(of: other).contains { $0.contains("fails counter.one for another reason") })
  }

  @Test func aMutantThatSurvivesIsNamedWithItsMistake() async throws {
    let same = Mutant<any Counter>(
      "two", "Counts as it should.", of: .fixed(1), killedBy: ["counter.positive": "above"]
    ) { $0 }
    let failures = await failures(of: Self.negative, same)
    #expect(failures.count == 1)
    #expect(
      failures[0].contains("two survives counter.positive") && failures[0].contains("Counts as it should."))
  }

  @Test func aClauseThatKillsNoMutantIsNamed() async {
    let mutant = Mutant<any Counter>(
      "two", "Begins with two.", of: .fixed(1), killedBy: ["counter.one": "found 2"]
    ) { _ in Fixed(value: 2) }
    let failures = await failures(of: mutant)
    #expect(failures.count == 1)
    #expect(failures[0].contains("No mutant is killed by counter.positive: A number is positive."))
  }

  @Test func anUnexpectedErrorIsAnAccident() async {
    let mutant = Mutant<any Counter>(
      "broken", "Throws.", of: .fixed(1), killedBy: ["counter.positive": "did not expect"]
    ) { _ in Broken() }
    let failures = await failures(of: Self.negative, mutant)
    #expect(failures.count == 1)
    #expect(failures[0].contains("broken fails counter.positive by an unexpected error"))
  }

  @Test func aMutantKilledForAnotherReasonDoesNotCount() async {
    let mutant = Mutant<any Counter>(
      "two", "Begins with two.", of: .fixed(1), killedBy: ["counter.one": "found 3"]
    ) { _ in Fixed(value: 2) }
    let failures = await failures(of: Self.negative, mutant)
    #expect(failures.count == 1)
    #expect(failures[0].contains("for another reason") && failures[0].contains("found 2"))
  }

  @Test func aFailingBaseProvesNothing() async {
    let mutant = Mutant<any Counter>(
      "two", "Begins with two.", of: .fixed(5), killedBy: ["counter.one": "found 2"]
    ) { _ in Fixed(value: 2) }
    let failures = await failures(of: Self.negative, mutant)
    #expect(failures.count == 1)
    #expect(failures[0].contains("that it is made of fails there too") && failures[0].contains("found 5"))
  }

  @Test func anUnknownClauseAndASharedNameAreNamed() async {
    let lost = Mutant<any Counter>(
      "negative", "Counts downwards.", of: .fixed(1), killedBy: ["counter.none": ""]
    ) { _ in Fixed(value: -1) }
    let aimless = Mutant<any Counter>("aimless", "Nothing.", of: .fixed(1), killedBy: [:]) { $0 }
    let failures = await failures(of: Self.negative, lost, aimless)
    #expect(
      failures == [
        "Several mutants of counter have the same name: negative.",
        "The mutant negative names the clause counter.none, which counter does not have.",
        "The mutant aimless names no clause that must fail.",
      ])
  }

  @Test func aMutantThatFailsEverywhereIsBrokenAndNotWrong() async {
    let mutant = Mutant<any Counter>(
      "minus-two", "Counts downwards.", of: .fixed(1), killedBy: ["counter.one": "found -2"]
    ) { _ in Fixed(value: -2) }
    // The named clauses alone do not show this.
    #expect(await failures(of: Self.negative, mutant).isEmpty)
    let failures = await failures(of: Self.negative, mutant, under: .everyClause)
    #expect(failures.count == 1)
    #expect(failures[0].contains("minus-two fails every clause"))
  }

  /// A clause that the correct implementation fails too provides no information about the mutant.
  @Test func anUntestableClauseDoesNotMakeAMutantBroken() async {
    let contract = Contract<any Counter>("counter") {
      Self.contract.clauses
      Clause("counter.two", "The first number is two.") { trial in
        trial.expect(try await trial.subject.next(), equals: 2)
      }
    }
    let matrix = await contract.killMatrix(of: [Self.negative], under: .everyClause)
    #expect(matrix.failures.count == 1, "The clause that no mutant is killed by.")
  }

  @Test func theTableShowsWhichClausesKillWhichMutants() async {
    let matrix = await Self.contract.killMatrix(of: [Self.negative])
    #expect(
      matrix.table == """
        counter: 2 of 2 clauses kill a mutant, of 1
          ✓ counter.one       negative
          ✓ counter.positive  negative
        """)
  }
}

private struct Broken: Counter {
  func next() async throws -> Int { throw CancellationErrorLike.one }
}
