import Foundation
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct TrialTests {
  @Test func everyViolationIsCollected() async {
    let outcome = await outcome { trial in
      trial.expect(false, "first")
      trial.expect(try await trial.subject.next(), equals: 2, "the number")
      trial.expect(true, "holds")
      await trial.expect(throws: CancellationErrorLike.one) { 7 }
      await trial.expect(throws: CancellationErrorLike.one) { throw CancellationErrorLike.other }
    }
    #expect(
      outcome.messages == [
        "first", "Expected the number to be 2, found 1.",
        "Expected the call to throw one, but it returned 7.",
        "Expected the call to throw one, but it threw other.",
      ])
  }

  /// An error of another module that prints like that of the service.
  enum Namesake: Error { case one }

  /// Two values of one type that print alike.
  struct Secret: Error, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    let value: Int
    var isDebugged = true
    var description: String { "secret" }
    var debugDescription: String { isDebugged ? "Secret(\(value))" : "secret" }
  }

  @Test func valuesThatPrintAlikeAreDistinguished() async {
    let outcome = await outcome { trial in
      await trial.expect(throws: CancellationErrorLike.one) { throw Namesake.one }
      await trial.expect(throws: Secret(value: 1)) { throw Secret(value: 2) }
      trial.expect(Secret(value: 1, isDebugged: false), equals: Secret(value: 2, isDebugged: false))
    }
    let (one, other) = (String(reflecting: CancellationErrorLike.self), String(reflecting: Namesake.self))
    let secret = String(reflecting: Secret.self)
    #expect(
      outcome.messages == [
        """
        Expected the call to throw one (\(one)), but it threw one (\(other)). They print alike but have different \
        types: expect a \(other), or convert it to a \(one) first.
        """,
        """
        Expected the call to throw secret (\(secret)), but it threw secret (\(secret)). They print alike but differ: \
        Secret(1) is not Secret(2).
        """,
        """
        Expected the value to be secret (\(secret)), found secret (\(secret)). They print alike, but \
        \(secret).== returns false: correct it, or describe in `description` what differs.
        """,
      ])
  }

  @Test func answersThatPrintAlikeAreDistinguished() {
    let answer = ExplorationAnswer<Int>.failure(Namesake.one)
    guard case .impossible(let expected) = answer.threw(oneOf: [CancellationErrorLike.one, .other]) else {
      Issue.record("Expected the answer to be impossible.")
      return
    }
    #expect(
      expected.hasPrefix("the error one (\(String(reflecting: CancellationErrorLike.self))) or other. They"))
    #expect(expected.contains("expect a \(String(reflecting: Namesake.self))"))
    let secret = ExplorationAnswer.value(Secret(value: 2)).returned(Secret(value: 1))
    guard case .impossible(let text) = secret else {
      Issue.record("Expected the answer to be impossible.")
      return
    }
    #expect(text.hasSuffix("Secret(1) is not Secret(2)."))
  }

  @Test func violationsHaveTheLocationOfTheirExpectation() async throws {
    let line = #line + 1
    let outcome = await outcome { $0.expect(false, "here") }
    let violation = try #require(outcome.violations.first)
    #expect(violation.fileID == #fileID)
    #expect(violation.line == line)
  }

  @Test func anUnmetRequirementEndsTheClauseAndKeepsEarlierViolations() async {
    let outcome = await outcome { trial in
      trial.expect(false, "before")
      _ = try trial.require(nil as Int?, "nothing there")
      trial.expect(false, "never reached")
    }
    #expect(outcome.messages == ["before", "nothing there"])
  }

  @Test func aRequiredCallReturnsItsValueOrEndsTheClauseWithAViolation() async throws {
    let outcome = await outcome { trial in
      let value = try await trial.require("to be a success") { 1 }
      trial.expect(value, equals: 2)
      try await trial.require("to be free again") { throw CancellationErrorLike.other }
      trial.expect(false, "never reached")
    }
    #expect(
      outcome.messages == [
        "Expected the value to be 2, found 1.", "Expected the call to be free again, but it threw other.",
      ])
    #expect(outcome.violations.allSatisfy { !$0.isAccident })
  }

  @Test func aMissingConditionWithinARequiredCallSkipsTheClause() async {
    let outcome = await outcome { trial in
      try await trial.require("to be a success") { try await trial.given(Condition<Void>("unsupported")) }
    }
    guard case .skipped = outcome else {
      Issue.record("Expected a skipped clause, found \(outcome).")
      return
    }
  }

  @Test func anUnexpectedErrorIsAViolation() async {
    let outcome = await outcome { trial in
      trial.expect(true, "holds")
      throw CancellationErrorLike.other
    }
    #expect(outcome.messages == ["The clause ended with an error that it did not expect: other"])
  }

  @Test func aClauseThatExpectsNothingFails() async {
    let outcome = await outcome { _ = try await $0.subject.next() }
    #expect(outcome.messages == ["The clause expected nothing, so it would hold for anything."])
  }

  @Test func idsAreTheSameForEveryImplementationAndOthersForAnotherSeed() async {
    let seen = Locked<[String: [UUID]]>([:])
    func draw(_ name: String, seed: UInt64, _ implementation: Implementation<any Counter>) async {
      _ = await outcome(of: implementation, seed: seed) { trial in
        let ids = [trial.uuid(), trial.uuid()]
        seen.withLock { $0[name] = ids }
        trial.expect(ids[0] != ids[1], "two ids")
      }
    }
    await draw("one", seed: 1, .fixed(1))
    await draw("same", seed: 1, .fixed(2))
    await draw("other", seed: 2, .fixed(1))
    let drawn = seen.withLock { $0 }
    #expect(drawn["one"] == drawn["same"])
    #expect(Set(drawn["one"] ?? []).isDisjoint(with: drawn["other"] ?? []))
  }

  @Test func anImplementationThatCannotBeSetUpFails() async {
    let broken = Implementation<any Counter>("broken") { _ in throw CancellationErrorLike.other }
    let outcome = await outcome(of: broken) { $0.expect(true, "holds") }
    #expect(outcome.messages == ["broken could not be set up: other"])
  }
}

enum CancellationErrorLike: Error { case one, other }
