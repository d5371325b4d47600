import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ConditionTests {
  @Test func theFixtureComesWithTheCondition() async {
    let implementation = Implementation.fixed(5) { $0.on(.startsAt) { 5 } }
    let outcome = await outcome(of: implementation) { trial in
      trial.expect(try await trial.subject.next(), equals: try await trial.given(.startsAt))
    }
    #expect(outcome == .passed)
  }

  @Test func aConditionWithoutAHandlerSkipsTheClauseWithTheReason() async {
    let outcome = await outcome { trial in
      trial.expect(true, "before")
      _ = try await trial.given(.startsAt)
      trial.expect(false, "never reached")
    }
    #expect(outcome == .skipped(reason: "fixed-1 cannot set up the condition: it starts at a number"))
  }

  @Test func anUnavailableConditionSkipsWithItsOwnReason() async {
    let implementation = Implementation.fixed(1) {
      $0.unavailable(.startsAt, because: "the number is fixed")
    }
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    #expect(outcome == .skipped(reason: "it starts at a number: the number is fixed"))
  }

  /// Catches a clause that passes without its condition, because it catches the error that was to end it.
  @Test func aClauseThatCatchesTheEndOfAConditionFails() async {
    let clauses: [@Sendable (Trial<any Counter>) async throws -> Void] = [
      { trial in
        _ = try? await trial.given(.startsAt)
        trial.expect(true, "")
      },
      { trial in
        do {
          try await trial.during(.startsAt) { _ in trial.expect(false, "no error") }
        } catch {
          trial.expect(true, "")
        }
      },
      { trial in
        await trial.expect("to fail", from: { try await trial.given(.startsAt) }, throwing: { _ in true })
      },
    ]
    for clause in clauses {
      let message = await outcome(clause).messages.first
      #expect(message?.hasPrefix("The clause went on without a condition") == true)
      #expect(message?.contains("fixed-1 cannot set up the condition: it starts at a number.") == true)
    }
    let broken = Implementation.fixed(1) { $0.on(.startsAt) { throw CancellationErrorLike.one } }
    #expect(
      await outcome(of: broken, clauses[0]).messages.first?.contains("could not be set up: one.") == true)
  }

  @Test func aViolationBeforeASkipStillFails() async {
    let outcome = await outcome { trial in
      trial.expect(false, "wrong already")
      _ = try await trial.given(.startsAt)
    }
    #expect(outcome.messages == ["wrong already"])
  }

  @Test func aConditionThatCannotBeSetUpFails() async {
    let implementation = Implementation.fixed(1) {
      $0.on(.startsAt) { throw CancellationErrorLike.one }
    }
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    #expect(
      outcome.messages == ["The condition \"it starts at a number\" could not be set up: one"])
  }

  @Test func aFixtureOfAnotherTypeFailsWithARemedy() async throws {
    let sameName = Condition<String>("it starts at a number")
    let implementation = Implementation.fixed(1) { $0.on(sameName) { "five" } }
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    let message = try #require(outcome.messages.first)
    #expect(
      message.contains("type Int") && message.contains("type String") && message.contains("same Condition"))
  }

  /// Catches a condition of a fault that fails with another one, or that hides the implementation's own handler.
  @Test func callsFailWithTheFaultOfTheCondition() async throws {
    for fault in [Fault.conflict, .timeout, .offline] {
      let outcome = await ofTicks { trial in
        try await trial.during(.callsFail(with: fault)) {
          await trial.expect(throws: TodoError(fault)) { _ = try await trial.subject.ticks(upTo: 1) }
        }
        trial.expect(try await trial.subject.ticks(upTo: 1).reduce(0) { count, _ in count + 1 }, equals: 1)
      }
      #expect(outcome == .passed)
    }
    let own = Implementation.fixed(5) { $0.on(.callsFail(with: .conflict)) {} }
    #expect(
      await outcome(of: own) { trial in
        try await trial.given(.callsFail(with: .conflict))
        trial.expect(try await trial.subject.next(), equals: 5)
      } == .passed)
    #expect(
      await outcome { try await $0.given(.callsFail(with: .conflict)) }
        == .skipped(reason: "fixed-1 cannot set up the condition: calls fail with conflict"))
  }

  /// Catches a double that is refused because it throws the error of Swift for a cancellation.
  @Test func aCancelledCallMayThrowTheErrorOfSwift() async {
    func outcome(under fault: Fault) async -> Outcome {
      let contract = Contract<Int>("cancelled") {
        Clause.failures("cancelled", under: [fault], thrownAs: TodoError.init) { _ in
          throw CancellationError()
        }
      }
      let implementation = Implementation<Int>("one") {
        $0.on(.callsFail(with: fault)) {}
        return 1
      }
      return await contract.checks(of: implementation)[0].outcome()
    }
    #expect(await outcome(under: .cancelled) == .passed)
    #expect(await outcome(under: .offline).name == "failed")
  }

  private enum Plain: Error { case server(any Error & Sendable), offline }

  /// Catches two clauses of one name, an error that is compared by its type alone, and a wrong mapping that passes.
  @Test func failuresAreThoseOfADouble() async throws {
    let clauses = Clause<Intercepted<InMemoryTicker>>.failures("ticks", thrownAs: TodoError.init) {
      for try await _ in try await $0.ticks(upTo: 1) {}
    }
    #expect(Set(clauses.map(\.id)).count == clauses.count)
    #expect(clauses.allSatisfy { $0.id.allSatisfy { $0.isLetter || $0.isNumber || "-.".contains($0) } })
    let ticker = Implementation<Intercepted<InMemoryTicker>>.double("ticker", InMemoryTicker()) { $0 }
    for check in Contract("ticks", clauses: { clauses }).checks(of: ticker) {
      #expect(await check.outcome() == .passed, "\(check)")
    }
    // An error that is not Equatable.
    func outcome(throwing thrown: Plain, expecting expected: Plain) async -> Outcome {
      let contract = Contract<Int>("plain") {
        Clause.failures("plain", under: [.timeout], thrownAs: { _ in expected }) { _ in throw thrown }
      }
      let implementation = Implementation<Int>("one") {
        $0.on(.callsFail(with: .timeout)) {}
        return 1
      }
      return await contract.checks(of: implementation)[0].outcome()
    }
    #expect(await outcome(throwing: .offline, expecting: .offline) == .passed)
    #expect(await outcome(throwing: .server(Fault.timeout), expecting: .server(Fault.timeout)) == .passed)
    #expect(
      await outcome(throwing: .server(Fault.timeout), expecting: .offline).messages == [
        """
        Expected the call to throw offline, which Plain.init(_: Fault) makes of timeout, but it threw server(timeout). \
        Screens are tested with offline: correct the initializer or the service.
        """
      ])
  }

  private func ofTicks(
    of check: @escaping @Sendable (Trial<Intercepted<InMemoryTicker>>) async throws -> Void
  ) async -> Outcome {
    let implementation = Implementation<Intercepted<InMemoryTicker>>.double("ticker", InMemoryTicker()) {
      ticker, trial in
      trial.on(Condition<Void>("the second tick is lost"), failing: ticker, with: .dropStream(afterEvents: 1))
      trial.on(Condition<Void>("optional"), failing: ticker, [.on(.ticks, .offline).optional]) {}
      return ticker
    }
    return await Contract("ticks", clauses: { Clause("ticks.it", "It ticks.", check: check) })
      .checks(of: implementation)[0].outcome()
  }

  /// Catches a clause that is green because it makes no call under its condition.
  @Test func aConditionWithoutAnEffectFailsTheClause() async throws {
    let unused = await ofTicks { trial in
      try await trial.during(.offline) { trial.expect(true, "") }
      _ = try await trial.subject.ticks(upTo: 1)
    }
    let message = try #require(unused.messages.first)
    #expect(unused.messages.count == 1)
    #expect(
      message.hasPrefix("The condition \"the device is offline\" had no effect, so the clause checks nothing")
    )
    #expect(message.contains("any operation: offline: no call that it selects was made"), "\(message)")
    #expect(message.contains("Calls: ticks(1)."))
    let unread = await ofTicks { trial in
      try await trial.given(Condition<Void>("the second tick is lost"))
      for try await _ in try await trial.subject.ticks(upTo: 1) { trial.expect(true, "") }
    }
    #expect(unread.messages.first?.contains("stream ended after 1 event; the fault needs event 2") == true)
    let unheld = await ofTicks { trial in
      _ = try await trial.given(.callsAreHeld)
      trial.expect(true, "")
    }
    #expect(
      unheld.messages.first?.contains("\"calls are held in transit\" had no effect: no call was held") == true
    )
  }

  @Test func aConditionWithAnEffectOrAnOptionalOnePasses() async {
    let used = await ofTicks { trial in
      try await trial.during(.offline) {
        await trial.expect(throws: TodoError.offline) { try await trial.subject.ticks(upTo: 1) }
      }
      // Again while it holds: the rule of the first one fails the call.
      try await trial.given(.offline)
      try await trial.given(.offline)
      await trial.expect(throws: TodoError.offline) { try await trial.subject.ticks(upTo: 1) }
    }
    #expect(used == .passed)
    let read = await ofTicks { trial in
      try await trial.given(Condition<Void>("the second tick is lost"))
      await trial.expect(throws: TodoError.connectionLost) {
        for try await _ in try await trial.subject.ticks(upTo: 2) {}
      }
    }
    #expect(read == .passed)
    let optional = await ofTicks { trial in
      try await trial.given(Condition<Void>("optional"))
      trial.expect(true, "")
    }
    #expect(optional == .passed)
    // The failure of the clause is the better one.
    let failed = await ofTicks { trial in
      try await trial.given(.offline)
      trial.expect(false, "wrong")
    }
    #expect(failed.messages == ["wrong"])
  }

  @Test func conditionsEndInReverseOrderAndTheEnvironmentLast() async {
    let ends = Locked<[String]>([])
    let other = Condition<Void>("other")
    let implementation = Implementation<any Counter>("fixed") { environment in
      environment.on(.startsAt, until: { ends.withLock { $0.append("number") } }) { 1 }
      environment.on(other, until: { ends.withLock { $0.append("other") } }) {}
      environment.atEnd { outcome in ends.withLock { $0.append("environment, \(outcome.name)") } }
      return Fixed(value: 1)
    }
    _ = await outcome(of: implementation) { trial in
      _ = try await trial.given(.startsAt)
      try await trial.given(other)
      try? await trial.during(.startsAt) { _ in throw CancellationErrorLike.one }
      trial.expect(ends.withLock { $0 }, equals: ["number"], "what ended during the clause")
      throw CancellationErrorLike.other
    }
    #expect(ends.withLock { $0 } == ["number", "other", "number", "environment, failed"])
  }
}

@Suite(.stallLimit()) struct TrialEnvironmentTests {
  @Test func anEnvironmentThatCannotBeTornDownFailsTheTrial() async {
    let implementation = Implementation<any Counter>("leaky") { trial in
      trial.atEnd { _ in throw CancellationErrorLike.one }
      return Fixed(value: 1)
    }
    let outcome = await outcome(of: implementation) { $0.expect(true, "holds") }
    #expect(outcome.messages == ["leaky failed at the end of the clause: one"])
  }

  @Test func anEnvironmentSetUpBeforeAnErrorIsTornDown() async {
    let ends = Locked(0)
    let implementation = Implementation<any Counter>("broken") { trial in
      trial.atEnd { _ in ends.withLock { $0 += 1 } }
      throw CancellationErrorLike.one
    }
    let outcome = await outcome(of: implementation) { $0.expect(true, "holds") }
    #expect(outcome.messages == ["broken could not be set up: one"])
    #expect(ends.withLock { $0 } == 1)
  }

  private final class Resource: Sendable {
    let isReleased: Locked<Bool>

    init(_ isReleased: Locked<Bool>) { self.isReleased = isReleased }

    deinit { isReleased.withLock { $0 = true } }
  }

  /// Catches a server of an ended trial that stays open, because conditions retain the trial that retains them.
  @Test func anEndedTrialReleasesWhatItsConditionsRetain() async {
    let isReleased = [Locked(false), Locked(false)]
    let implementation = Implementation<any Counter>("retaining") { trial in
      let (resource, other) = (Resource(isReleased[0]), Resource(isReleased[1]))
      trial.on(.startsAt) { withExtendedLifetime((trial, resource)) { 1 } }
      trial.atEnd { withExtendedLifetime((trial, other)) {} }
      return Fixed(value: 1)
    }
    _ = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    #expect(isReleased.map { $0.withLock { $0 } } == [true, true])
  }

  @Test func theLastHandlerOfAConditionApplies() async {
    let implementation = Implementation.fixed(5) {
      $0.unavailable(.startsAt, because: "the number is fixed")
      $0.on(.startsAt) { 4 }
      $0.on(.startsAt) { 5 }
    }
    let outcome = await outcome(of: implementation) {
      $0.expect(try await $0.given(.startsAt), equals: 5)
    }
    #expect(outcome == .passed)
  }

  @Test func anEnvironmentKnowsItsTrialAndAReplayHasASeedOfItsOwn() async {
    let trials = Locked<[TrialEnvironment]>([])
    let ids = Locked<[String]>([])
    for seed: UInt64 in [1, 2] {
      let implementation = Implementation<any Counter>("recorded") { given in
        trials.withLock { $0.append(given) }
        return TrialEnvironment(contract: given.contract, clause: given.clause, seed: 7)
      } make: { _ in
        Fixed(value: 1)
      }
      _ = await outcome(of: implementation, seed: seed) { trial in
        let id = trial.uuid()
        ids.withLock { $0.append(id.uuidString) }
        trial.expect(true, "holds")
      }
    }
    #expect(trials.withLock { $0.map(\.clause) } == ["counter.it", "counter.it"])
    #expect(trials.withLock { $0.map(\.contract) } == ["counter", "counter"])
    #expect(Set(trials.withLock { $0.map(\.seed) }).count == 2)
    #expect(Set(ids.withLock { $0 }).count == 1)
  }
}
