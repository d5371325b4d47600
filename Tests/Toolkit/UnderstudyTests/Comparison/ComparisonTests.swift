import Foundation
import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct ComparisonTests {
  private static let live = Implementation<any ShelfService>.shelf(named: "live", firstID: 1)

  private static func compare(
    _ one: Implementation<any ShelfService>, with other: Implementation<any ShelfService> = live,
    under conditions: [Condition<Void>] = [.offline], freedoms: [Freedom] = [], seed: UInt64 = 0,
    size: ComparisonSize = ComparisonSize()
  ) async throws -> ComparisonReport {
    try await Contract.shelfService.comparison(
      of: one, with: other, through: .shelfService, under: conditions, freedoms: freedoms, seed: seed,
      size: size)
  }

  @Test func rightTwinsAgree() async throws {
    let report = try await Self.compare(.shelf(), seed: 1, size: ComparisonSize(programs: 40))
    #expect(report.failure == nil, "\(report.failure ?? "")")
    #expect(report.calls > 800)
    #expect(report.answers > report.calls)
    #expect(report.neverCalled == [])
    let errors = Set(report.outcomes.values.flatMap(\.keys))
    #expect(
      errors.isSuperset(of: [
        "ShelfError.network(.offline)", "ShelfError.taken", "ShelfError.notFound", "ShelfError.invalid",
      ]))
  }

  @Test(arguments: Effort.some(of: Mistake.allCases, every: 4)) func aMistakeIsFound(_ mistake: Mistake)
    async throws
  {
    for seed in Effort.some(of: [0, 1, 2] as [UInt64], every: 3) {
      let report = try await Self.compare(.shelf(mistake), seed: seed, size: ComparisonSize(programs: 400))
      let clause = try #require(report.clause, "\(mistake)")
      #expect(try #require(report.stepsOfDifference) <= 6, "\(clause)")
    }
  }

  /// The member is missing in the answer of one side, whichever that is.
  @Test func aMemberOfOneSideAloneIsADifference() {
    func areEqual(_ note: String?, _ other: String?) -> Bool {
      var comparison = AnswerComparison([])
      return comparison.areEqual(
        ValueTree(of: Draft(title: "A", note: note, pages: 1)),
        ValueTree(of: Draft(title: "A", note: other, pages: 1)), at: [], of: "add", step: 1)
    }
    #expect(areEqual("x", "x") && areEqual(nil, nil))
    #expect(!areEqual("x", nil))
    #expect(!areEqual(nil, "x"))
  }

  /// What a clause prints must fail on the wrong implementation, although == takes both forms for equal.
  @Test func aNormalFormIsExpectedScalarForScalar() async throws {
    let clause = try #require(
      try await Self.compare(.shelf(.composesTitles), size: ComparisonSize(programs: 400)).clause)
    #expect(clause.contains(".title.unicodeScalars.map(\\.value), equals: \""), "\(clause)")
  }

  // MARK: - Freedoms

  /// The ids of both are numbers that count on, from different ones.
  @Test func generatedNumbersDifferUnlessThatIsAFreedom() async throws {
    func compare(_ mistake: CounterMistake?, _ freedoms: [Freedom]) async throws -> ComparisonReport {
      try await Contract.counter.comparison(
        of: .counter("in-memory", from: 1, mistake), with: .counter("live", from: 1_000), through: .counter,
        freedoms: freedoms, size: ComparisonSize(programs: 30))
    }
    let strict = try await compare(nil, [])
    #expect(strict.failure?.contains("differ in add(_:)") == true)
    let freedom = Freedom.generated("id", because: "The server counts the items of all users.")
    let free = try await compare(nil, [freedom])
    #expect(free.failure == nil, "\(free.failure ?? "")")
    // What is behind the freedom is still found, and no id is a literal.
    let wrong = try #require(try await compare(.removesTheLast, [freedom]).clause)
    #expect(wrong.contains(".id)"), "\(wrong)")
    let code = wrong.split(separator: "\n").filter { !$0.contains("// ") }
    #expect(!code.contains { $0.contains("100") }, "\(wrong)")
  }

  @Test func anAllowedErrorAndAnAllowedMemberDoNotHideOthers() async throws {
    let error = Freedom.error(of: "add(_:)", because: "Both are refused.")
    let few = ComparisonSize(programs: 25)
    #expect(
      try await Self.compare(.shelf(.refusesWithAnotherError), freedoms: [error], size: few).failure == nil)
    #expect(try await Self.compare(.shelf(.allowsDuplicates), freedoms: [error]).clause != nil)
    let note = Freedom.anything("note", because: "The server may edit notes.")
    #expect(try await Self.compare(.shelf(.emptiesNotes), freedoms: [note], size: few).failure == nil)
    #expect(try await Self.compare(.shelf(.clampsPages), freedoms: [note]).clause != nil)
    let elsewhere = Freedom.anything("note", in: "first(_:)", because: "The server may edit notes.")
    #expect(try await Self.compare(.shelf(.emptiesNotes), freedoms: [elsewhere]).clause != nil)
  }

  @Test func aFreedomIsOfTheServiceAndHasAReason() async throws {
    func failure(_ freedom: Freedom) async throws -> String? {
      try await Self.compare(.shelf(), freedoms: [freedom], size: ComparisonSize(programs: 20)).failure
    }
    #expect(try await failure(.anything("note", because: " "))?.contains("has no reason") == true)
    #expect(
      try await failure(.error(of: "ad(_:)", because: "Why."))?.contains("The nearest is \"add(_:)\".")
        == true)
    #expect(try await failure(.generated("idd", because: "Why."))?.contains("The nearest is \"id\".") == true)
    let report = try await Self.compare(
      .shelf(), freedoms: [.anything("pages", because: "Why.")], size: ComparisonSize(programs: 5))
    #expect(report.unneededFreedoms == [".anything(\"pages\")"])
  }

  // MARK: - What shows nothing

  @Test func sharedStateIsReported() async throws {
    let state = Locked(Shelf.State())
    let shared = try await Self.compare(.shelf(in: state), with: .shelf(named: "live", in: state))
    #expect(
      shared.failure?.contains("in-memory and live share their state") == true, "\(shared.failure ?? "")")
    let kept = try await Self.compare(.shelf(in: Locked(Shelf.State())))
    #expect(kept.failure?.contains("in-memory keeps its state") == true, "\(kept.failure ?? "")")
  }

  @Test func aComparisonInWhichNothingFailsFails() async throws {
    let contract = Contract<any CounterService>("counter") {
      Clause("counter.add", "It counts.") { trial in
        trial.expect(try await trial.subject.items(), equals: [])
      }
    }
    let report = try await contract.comparison(
      of: .counter("in-memory", from: 1), with: .counter("live", from: 1), through: .counter)
    #expect(report.failure?.contains("failed, so the comparison says nothing about failures") == true)
    #expect(report.neverCalled == ["add(_:)", "remove(id:)"])
  }

  @Test func aComparisonWithoutCallsFails() async throws {
    #expect(
      try await Self.compare(.shelf(), size: ComparisonSize(programs: 0)).failure?.contains("made no call")
        == true)
    let silent = Contract<any ShelfService>("shelf") {
      Clause("shelf.nothing", "It calls nothing.") { $0.expect(true, "") }
    }
    let report = try await silent.comparison(of: .shelf(), with: Self.live, through: .shelfService)
    #expect(report.failure?.contains("it has no arguments") == true)
  }

  @Test func aConditionThatOneLacksIsLeftOut() async throws {
    let condition = Condition<Void>("the shelf is locked")
    let report = try await Self.compare(.shelf(), under: [condition], size: ComparisonSize(programs: 20))
    #expect(report.failure == nil)
    #expect(report.lackedConditions == ["in-memory cannot set up the condition: the shelf is locked"])
  }

  @Test func theSameSeedFindsTheSame() async throws {
    let one = try await Self.compare(.shelf(.clampsPages), seed: 3)
    let again = try await Self.compare(.shelf(.clampsPages), seed: 3)
    #expect(one.failure == again.failure)
    #expect(one.text == again.text)
    let other = try await Self.compare(.shelf(.clampsPages), seed: 4)
    #expect(one.text != other.text)
  }

  @Test func fixturesAreFirstAnswers() async throws {
    let report = try await Contract.owned.comparison(
      of: .owned("in-memory"), with: .owned("live", .updateKeepsNote), through: .shelfService,
      given: .hasBook)
    let clause = try #require(report.clause)
    #expect(clause.contains("try await trial.given(.hasBook)"), "\(clause)")
  }

  /// An address of an account is another one in each environment, so it is used as a user may type it.
  @Test func textsOfFixturesAreAltered() async throws {
    let report = try await Contract.members.comparison(
      of: .members("in-memory", ignoringCase: false), with: .members("live", ignoringCase: true),
      through: .members, given: .hasMember)
    let clause = try #require(report.clause)
    #expect(clause.contains("members.find(given1.uppercased())"), "\(clause)")
    let twins = try await Contract.members.comparison(
      of: .members("in-memory", ignoringCase: true), with: .members("live", ignoringCase: true),
      through: .members, given: .hasMember)
    #expect(twins.failure == nil, "\(twins.failure ?? "")")
  }
}
