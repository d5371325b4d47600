import Testing
import UnderstudyContracts
import UnderstudyPrimitives

struct ConditionTests {
  @Test func theFixtureComesWithTheCondition() async {
    let implementation = Implementation.fixed(
      5, provisions: [.bringing(about: .startsAt) { 5 }])
    let outcome = await outcome(of: implementation) { trial in
      trial.expect(try await trial.subject.next(), equals: try await trial.given(.startsAt))
    }
    #expect(outcome == .passed)
  }

  @Test func aConditionThatNobodyProvidesSkipsTheClauseWithTheReason() async {
    let outcome = await outcome { trial in
      trial.expect(true, "before")
      _ = try await trial.given(.startsAt)
      trial.expect(false, "never reached")
    }
    #expect(outcome == .skipped(reason: "fixed-1 has no way to bring about: it starts at a number"))
  }

  @Test func anUnavailableConditionSkipsWithItsOwnReason() async {
    let implementation = Implementation.fixed(
      1, provisions: [.unavailable(.startsAt, because: "the number is fixed")])
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    #expect(outcome == .skipped(reason: "it starts at a number: the number is fixed"))
  }

  @Test func aViolationBeforeASkipStillFails() async {
    let outcome = await outcome { trial in
      trial.expect(false, "wrong already")
      _ = try await trial.given(.startsAt)
    }
    #expect(outcome.messages == ["wrong already"])
  }

  @Test func aConditionThatCannotBeBroughtAboutFails() async {
    let implementation = Implementation.fixed(
      1, provisions: [.bringing(about: .startsAt) { throw CancellationErrorLike.one }])
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    #expect(
      outcome.messages == ["The condition \"it starts at a number\" could not be brought about: one"])
  }

  @Test func aFixtureOfAnotherTypeFailsAndSaysWhatToDo() async throws {
    let sameName = Condition<String>("it starts at a number")
    let implementation = Implementation.fixed(1, provisions: [.bringing(about: sameName) { "five" }])
    let outcome = await outcome(of: implementation) { _ = try await $0.given(.startsAt) }
    let message = try #require(outcome.messages.first)
    #expect(
      message.contains("type Int") && message.contains("type String") && message.contains("same Condition"))
  }

  @Test func conditionsEndInReverseOrderAndTheStageLast() async {
    let ends = Locked<[String]>([])
    let other = Condition<Void>("other")
    let implementation = Implementation<any Counter>("fixed") { _ in
      Stage(
        Fixed(value: 1),
        provisions: [
          .bringing(about: .startsAt, endingWith: { ends.withLock { $0.append("number") } }) { 1 },
          .bringing(about: other, endingWith: { ends.withLock { $0.append("other") } }) {},
        ],
        tearDown: { ends.withLock { $0.append("stage") } })
    }
    _ = await outcome(of: implementation) { trial in
      _ = try await trial.given(.startsAt)
      try await trial.given(other)
      try? await trial.during(.startsAt) { _ in throw CancellationErrorLike.one }
      trial.expect(ends.withLock { $0 }, equals: ["number"], "what ended during the clause")
      throw CancellationErrorLike.other
    }
    #expect(ends.withLock { $0 } == ["number", "other", "number", "stage"])
  }
}
