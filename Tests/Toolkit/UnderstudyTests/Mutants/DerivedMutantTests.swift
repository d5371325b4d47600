import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// A service whose results have every kind of part.
private protocol Diary: Sendable {
  func write(_ text: String) async throws(TodoError) -> Entry
  func entries(from first: Int) async throws(TodoError) -> [Entry]
  func clear() async throws(TodoError)
  func follow() async throws(TodoError) -> AsyncThrowingStream<Entry, any Error>
}

private struct Entry: Codable, Hashable, Sendable {
  enum Mood: String, Codable, Sendable { case good, bad }
  var id: UUID
  var text: String
  var number: Int
  var date: Date
  var mood: Mood
  var note: String?
}

private final class InMemoryDiary: Diary {
  private let all = Locked<[Entry]>([])

  func write(_ text: String) async throws(TodoError) -> Entry {
    if text.isEmpty { throw .full }
    return all.withLock { all in
      let number = all.count + 1
      all.append(
        Entry(
          id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number))), text: text,
          number: number, date: Date(timeIntervalSinceReferenceDate: Double(number) + 0.25),
          mood: number == 1 ? .good : .bad, note: number == 1 ? nil : "n"))
      return all[number - 1]
    }
  }

  func entries(from first: Int) async throws(TodoError) -> [Entry] {
    if first < 1 { throw .notFound }
    return all.withLock { Array($0.dropFirst(first - 1)) }
  }

  func clear() async throws(TodoError) { all.withLock { $0 = [] } }

  func follow() async throws(TodoError) -> AsyncThrowingStream<Entry, any Error> {
    let all = all.withLock { $0 }
    return AsyncThrowingStream { continuation in
      for entry in all { continuation.yield(entry) }
      continuation.finish(throwing: TodoError.connectionLost)
    }
  }
}

extension Intercepted.Operation where Base: Diary {
  fileprivate static var write: Self { Self("write") }
  fileprivate static var entries: Self { Self("entries") }
  fileprivate static var clear: Self { Self("clear") }
  fileprivate static var follow: Self { Self("follow") }
}

extension Intercepted: Diary where Base: Diary {
  func write(_ text: String) async throws(TodoError) -> Entry {
    try await intercept(.write, text, failure: TodoError.init) { base, text throws(TodoError) in
      try await base.write(text)
    }
  }

  func entries(from first: Int) async throws(TodoError) -> [Entry] {
    try await intercept(.entries, first, failure: TodoError.init) { base, first throws(TodoError) in
      try await base.entries(from: first)
    }
  }

  func clear() async throws(TodoError) {
    try await intercept(.clear, failure: TodoError.init) { base throws(TodoError) in try await base.clear() }
  }

  func follow() async throws(TodoError) -> AsyncThrowingStream<Entry, any Error> {
    try await interceptStream(.follow, failure: TodoError.init) { base throws(TodoError) in
      try await base.follow()
    }
  }
}

extension Implementation where Subject == any Diary {
  fileprivate static var inMemory: Self { .double("in-memory", InMemoryDiary()) { $0 } }
}

extension Contract where Subject == any Diary {
  /// Compares everything that the service returns, and what it stores.
  fileprivate static let whole = Contract("diary") {
    Clause("diary.all", "Everything is stored and returned.") { trial in
      let diary = trial.subject
      let model = InMemoryDiary()
      for text in ["One ", "two"] {
        let expected = try await model.write(text)
        trial.expect(try await diary.write(text) == expected, "another entry")
        let stored = try await model.entries(from: 1)
        trial.expect(try await diary.entries(from: 1) == stored, "other entries")
      }
      let second = try await model.entries(from: 2)
      trial.expect(try await diary.entries(from: 2) == second, "other entries from 2")
      trial.expect(try await diary.entries(from: 1).count == 2, "other entries from 1")
    }
    Clause("diary.refusals", "What cannot be done is refused.") { trial in
      await trial.expect(throws: TodoError.full) { try await trial.subject.write("") }
      await trial.expect(throws: TodoError.notFound) { try await trial.subject.entries(from: 0) }
      trial.expect(try await trial.subject.entries(from: 1) == [], "something is stored")
    }
    Clause("diary.clear", "A cleared diary is empty.") { trial in
      _ = try await trial.subject.write("a")
      try await trial.subject.clear()
      trial.expect(try await trial.subject.entries(from: 1) == [], "it is not empty")
    }
    Clause("diary.follow", "A follower receives each entry, and the end of the connection.") { trial in
      let entries = [try await trial.subject.write("a"), try await trial.subject.write("b")]
      var seen: [Entry] = []
      do {
        for try await entry in try await trial.subject.follow() { seen.append(entry) }
        trial.expect(false, "it ended without an error")
      } catch {
        trial.expect(error as? TodoError == .connectionLost, "another error")
      }
      trial.expect(seen == entries, "other entries")
    }
  }

  /// The clause notices only that something is returned.
  fileprivate static let loose = Contract("diary") {
    Clause("diary.written", "An entry is returned.") { trial in
      trial.expect(
        try await trial.subject.write(" Cafe\u{301}").text.isEmpty == false, "an entry without text")
    }
  }

  /// The clause compares what the first call returns, and only counts what the second does.
  fileprivate static let first = Contract("diary") {
    Clause("diary.first", "The first entry is returned.") { trial in
      let model = InMemoryDiary()
      let expected = try await model.write("one")
      trial.expect(try await trial.subject.write("one") == expected, "another entry")
      _ = try await trial.subject.write("two")
      trial.expect(try await trial.subject.entries(from: 1).count == 2, "another number")
    }
  }
}

@Suite(.stallLimit()) struct DerivedMutantTests {
  // MARK: - Contracts

  /// Catches an operator that claims an effect which no clause could notice, and a report that is silent about what it
  /// could not try.
  @Test func aContractThatComparesEverythingHasNoSurvivor() async throws {
    let report = await Contract.whole.survivors(of: .inMemory)
    #expect(report.noticed > 60)
    let issues = Locked<[(text: String, isFailure: Bool)]>([])
    let catching = IssueHandlingTrait.compactMapIssues { issue in
      issues.withLock { $0.append((issue.comments.map(\.rawValue).joined(), issue.failsTest)) }
      return nil
    }
    try await catching.provideScope(for: try #require(Test.current), testCase: nil) { try report.check() }
    let all = issues.withLock { $0 }
    #expect(all.filter(\.isFailure).map(\.text) == [])
    #if compiler(>=6.3)
      #expect(
        all.filter { !$0.isFailure }.map(\.text) == [
          """
          The clauses of diary do not try:
          - No clause makes `clear` throw.
          - No clause calls any of these twice: `clear`, `follow`.
          - No clause calls `write` twice with the same arguments.
          - No clause makes `write` throw and later succeed.
          - No clause makes any of these succeed and later throw: `entries`, `write`.
          - No clause makes two streams of `follow` fail.
          - No clause makes concurrent calls of any of these: `entries`, `write`.
          - No clause reads two equal events in succession from the stream of `follow`. A service that drops one of them \
          is not tried.
          - No clause gives argument 1 of `write` more than 255 characters. A service that cuts a long text is not tried.
          - No clause gives argument 1 of `write` a decomposed character, such as "e\\u{301}". A service that composes it is \
          not tried.
          - No clause has a list with two elements that have the same value of `[].note`, `[].text` in the result of \
          `entries`. A service that merges them is not tried.
          """
        ])
    #endif
  }

  /// Catches a report that becomes quieter when a clause is removed.
  @Test func whatNoClauseProvokesIsNamed() async {
    let notes = await Contract.loose.survivors(of: .inMemory).untried
    for expected in [
      "No clause makes `write` throw.", "No clause calls `write` twice.",
      "Every clause gives argument 1 of `write` the same value. A service that ignores it is not tried.",
    ] {
      #expect(notes.contains(expected), "\(notes)")
    }
    // Two clauses with one value each, of which the other differs.
    let other = Contract<any Diary>("diary") {
      Contract.loose.clauses
      Clause("diary.other", "Another entry is returned.") { trial in
        trial.expect(try await trial.subject.write("x").text == "x", "another text")
      }
    }
    let fewer = await other.survivors(of: .inMemory).untried
    #expect(!fewer.contains { $0.hasPrefix("Every clause gives") }, "\(fewer)")
  }

  /// Catches operators that are not made, or have no effect.
  @Test func aContractThatComparesNothingHasManySurvivors() async {
    let survivors = await Contract.loose.derivedMutants(of: .inMemory).survivors
    #expect(
      Set(survivors).isSuperset(of: [
        "write.twice", "write.id.another", "write.text.another", "write.text.uppercased",
        "write.text.lowercased",
        "write.text.trimmed", "write.text.composed", "write.number.another", "write.date.moved",
        "write.date.whole-seconds", "write(1).another", "write(1).uppercased", "write(1).trimmed",
        "write(1).composed",
      ]), "\(survivors)")
    // An empty text is refused.
    #expect(!survivors.contains("write(1).emptied"))
    // The clause looks at the text, and a mood cannot be any text.
    #expect(!survivors.contains("write.text.emptied"))
    #expect(!survivors.contains { $0.hasPrefix("write.mood.upper") })
    #expect(!survivors.contains { $0.hasPrefix("entries") })
  }

  /// Catches clauses that look at the first user or the first page only.
  @Test func aMutantMayBeWrongAfterTheFirstCallOnly() async {
    let report = await Contract.first.derivedMutants(of: .inMemory)
    #expect(!report.survivors.contains("write.text.another"))
    #expect(!report.survivors.contains("write.twice@other-arguments"))
    #expect(
      Set(report.survivors).isSuperset(of: [
        "write.text.another@other-arguments", "write.date.moved@other-arguments",
      ]), "\(report.survivors)")
    #expect(
      report.failures.contains(
        """
        A service whose `write` returns `text` changed to another value in calls whose arguments differ from those of \
        the first call passes. Compare `text` with the exact value for calls with different arguments. Or mark it as equivalent: \
        "write.text.another@other-arguments": "the reason".
        """), "\(report.failures)")
  }

  /// Catches a base that receives what the caller gave: the clause compares only what is stored.
  @Test func anArgumentIsChangedBeforeTheBaseReceivesIt() async {
    let stored = Contract<any Diary>("diary") {
      Clause("diary.stored", "A text is stored as it is given.") { trial in
        _ = try await trial.subject.write(" One")
        trial.expect(try await trial.subject.entries(from: 1).map(\.text) == [" One"], "another text")
      }
    }
    let survivors = await stored.derivedMutants(of: .inMemory).survivors
    #expect(!survivors.contains { $0.hasPrefix("write(1)") }, "\(survivors)")
    #expect(survivors.contains("write.text.trimmed"))
  }

  /// A clause without a mutant of its own is shown to be able to fail by a derived one.
  @Test func aClauseThatNoMutantNamesIsTriedWithDerivedOnes() async {
    struct Silent: Diary {
      let base: any Diary
      func write(_ text: String) async throws(TodoError) -> Entry { try await base.write(text) }
      func entries(from first: Int) async throws(TodoError) -> [Entry] { try await base.entries(from: first) }
      func clear() async throws(TodoError) {}
      func follow() async throws(TodoError) -> AsyncThrowingStream<Entry, any Error> {
        try await base.follow()
      }
    }
    let idle = Clause<any Diary>("diary.idle", "Nothing is checked.") { trial in
      _ = try await trial.subject.entries(from: 1)
    }
    let contract = Contract("diary") {
      for clause in Contract.whole.clauses { clause }
      idle
    }
    let mutant = Mutant<any Diary>(
      "silent", "Clears nothing.", of: .inMemory, killedBy: ["diary.clear": "it is not empty"]
    ) { Silent(base: $0) }
    let matrix = await contract.killMatrix(of: [mutant])
    #expect(matrix.failures.map { $0.prefix(35) } == ["No mutant is killed by diary.idle: "])
    #expect(matrix.clauses.map(\.kills.count) == [1, 1, 1, 1, 0])
    #expect(matrix.clauses.first { $0.id == "diary.clear" }?.kills == ["silent"])
  }

  @Test func aSurvivorIsASentenceWithTheClauseThatIsMissing() async {
    let failures = await Contract.loose.survivors(of: .inMemory).failures
    #expect(
      failures.contains(
        """
        A service whose `write` returns `date` moved by two hours, or truncated to whole seconds passes. Compare `date` \
        with the exact value. Or mark it as equivalent: "write.date": "the reason".
        """), "\(failures)")
  }

  /// Catches a report that is lost on the way to a file or a page, or merged with one of another run.
  @Test func theReportIsInEveryForm() async throws {
    let derived = await Contract.loose.survivors(of: .inMemory)
    #expect(derived.tried > derived.noticed && derived.survivors.count == derived.tried - derived.noticed)
    let report = UnderstudyReport(derived: [derived])
    #expect(!report.isClean && !report.isEmpty)
    #expect(report.summary.mutantFailures == derived.failures.count)
    let read = try UnderstudyReport(parsing: try JSONEncoder().encode(report), named: "report.json")
    #expect(read == report)
    #expect(try UnderstudyReport(merging: [report, read]) == report)
    for (name, text) in [("page", report.html()), ("JUnit", report.junit()), ("table", report.table())] {
      #expect(text.contains("Calling `write` twice changed no outcome."), "\(name)")
    }
    for text in [report.html(), report.table()] { #expect(text.contains("No clause makes `write` throw.")) }
    let other = UnderstudyReport(derived: [await Contract.first.survivors(of: .inMemory)])
    let error = #expect(throws: ReportError.self) { try UnderstudyReport(merging: [report, other]) }
    #expect(
      error?.description.hasSuffix("derived from in-memory under diary differ. Pass one of them.") == true)
  }

  /// Catches marks of a place that mark another one.
  @Test func aMarkOfAPlaceMarksItsChanges() async {
    let report = await Contract.loose.survivors(
      of: .inMemory,
      equivalents: [
        "write.text": "No caller looks.", "write(1)": "No caller looks.", "write.twice": "It is idempotent.",
      ])
    #expect(!report.survivors.contains { $0.hasPrefix("write.text") || $0.hasPrefix("write(1)") })
    #expect(report.survivors.contains("write.date.moved"))
    let wrong = await Contract.loose.survivors(of: .inMemory, equivalents: ["write.tex": "A slip."]).failures
    #expect(
      wrong.contains { $0.hasPrefix("\"write.tex\" is marked as equivalent, but there is no such mutant.") })
  }

  // MARK: - Marks

  @Test func aMarkIsNeededToBeValid() async {
    let marks: KeyValuePairs = [
      "clear.twice": "It is idempotent.", "write.nothing": "x", "write.text.another": "y", "*.lost": "z",
    ]
    let failures = await Contract.whole.survivors(of: .inMemory, equivalents: marks).failures
    #expect(
      failures.contains {
        $0.hasPrefix("\"write.text.another\" is marked as equivalent, but diary.")
          && $0.hasSuffix("notices it. Remove the mark.")
      }, "\(failures)")
    #expect(
      failures.contains("\"*.lost\" is marked as equivalent, but no such mutant survives. Remove the mark."),
      "\(failures)")
    #expect(
      failures.contains(
        """
        "write.nothing" is marked as equivalent, but there is no such mutant. Remove the mark. The nearest is \
        "clear.nothing".
        """),
      "\(failures)")
  }

  /// Catches marks that silence everything without a word.
  @Test func aMarkHasAReasonAndAContractAnEffect() async {
    let idle = Contract<any Diary>("diary") {
      Clause("diary.cleared", "It can be cleared.") { trial in
        try await trial.subject.clear()
        trial.expect(true, "")
      }
    }
    #expect(
      await idle.survivors(of: .inMemory, equivalents: ["clear.twice": " ", "clear.nothing": "x"]).failures
        == ["The mark of \"clear.twice\" has no reason. Say why the mutant is not wrong."])
    #expect(
      await idle.survivors(of: .inMemory, equivalents: ["clear.twice": "x", "clear.nothing": "x"]).failures
        == ["No clause notices any of 2 mutants, so the contract has no effect."])
  }

  /// A closure that uses the argument of the method makes all of them survive.
  @Test func anArgumentOfWhichNoChangeIsNoticedIsReportedOnce() async {
    let idle = Contract<any Diary>("diary") {
      Clause("diary.ignored", "A text is ignored.") { trial in
        _ = try? await trial.subject.write("Other")
        trial.expect(true, "")
      }
    }
    let failures = await idle.survivors(of: .inMemory).failures
    #expect(failures.filter { $0.contains("argument 1") }.count == 1, "\(failures)")
    #expect(
      failures.contains { $0.hasSuffix("its closure must use its own parameter, { base, argument in … }.") },
      "\(failures)")
  }

  // MARK: - What cannot be tried

  @Test func aContractWithoutAClauseThatRunsIsReported() async {
    let moon = Condition<Void>("the moon is full")
    let skipping = Contract<any Diary>("diary") {
      Clause("diary.moon", "It is written at full moon.") { trial in
        try await trial.given(moon)
        _ = try await trial.subject.write("a")
      }
    }
    let skipped = await skipping.survivors(of: .inMemory).failures
    #expect(skipped.count == 1)
    #expect(skipped.first?.hasPrefix("in-memory skips every clause of diary, such as diary.moon:") == true)
    #expect(
      await Contract<any Diary>("diary") {}.survivors(of: .inMemory).failures
        == ["diary has no clause, so nothing would notice a mutant."])
    let some = Contract<any Diary>("diary") { Contract.loose.clauses + skipping.clauses }
    #expect(
      await some.survivors(of: .inMemory).untried.contains(
        "in-memory skips 1 clause, which can notice no mutant: diary.moon."))
  }

  @Test func anImplementationThatIsNotInterceptedIsReported() async {
    let failures = await Contract.whole.survivors(of: Implementation("plain") { _ in InMemoryDiary() })
      .failures
    #expect(failures.count == 1)
    #expect(
      failures.first?.hasPrefix("No clause of diary makes a call of plain that could be changed.") == true)
  }

  /// A mutant of a service that is wrong already proves nothing.
  @Test func aWrongImplementationIsReported() async {
    struct Forgetful: Diary {
      let base: any Diary
      func write(_ text: String) async throws(TodoError) -> Entry { try await base.write(text) }
      func entries(from first: Int) async throws(TodoError) -> [Entry] { [] }
      func clear() async throws(TodoError) {}
      func follow() async throws(TodoError) -> AsyncThrowingStream<Entry, any Error> {
        try await base.follow()
      }
    }
    let wrong = Implementation<any Diary>.inMemory.wrapping(as: "forgetful") { Forgetful(base: $0) }
    let failures = await Contract.whole.survivors(of: wrong).failures
    #expect(failures.contains { $0.hasPrefix("forgetful fails diary.all, so no mutant can be made of it:") })
  }

  /// Catches shards that overlap, leave out a mutant, or cannot be put together.
  @Test func theShardsHaveEachMutantOnce() async throws {
    let whole = await Contract.first.survivors(of: .inMemory)
    var shards: [UnderstudyReport] = []
    for number in 1...3 {
      let shard = try #require(SweepShard(number, of: 3))
      shards.append(
        UnderstudyReport(derived: [await Contract.first.derivedMutants(of: .inMemory, shard: shard)]))
    }
    let merged = try #require(try UnderstudyReport(merging: shards.reversed()).derived.first)
    #expect((merged.tried, merged.noticed) == (whole.tried, whole.noticed))
    #expect(merged.survivors == whole.survivors.sorted())
    #expect(merged.failures == whole.failures.sorted())
    #expect(merged.untried == whole.untried.sorted())
  }

  /// Catches an argument that is taken for constant because `nil` is left out.
  @Test func anArgumentThatIsNilOnceIsNotConstant() {
    func sentences(_ arguments: ValueTree...) -> [String] {
      let calls = arguments.map {
        TracedCall(operation: "page", arguments: [$0], isConcurrent: false, canThrow: true)
      }
      return UntriedCalls(
        traces: [calls], possible: [:], results: [:], names: ArgumentNames(), opaque: [], uncalled: []
      ).ofValues(except: [])
    }
    let constant =
      "Every clause gives argument 1 of `page` the same value. A service that ignores it is not tried."
    let text = ValueTree.leaf(.text(ValueTree.ExactText("c5")))
    #expect(sentences(text, text) == [constant])
    #expect(sentences(.null, .null) == [constant])
    #expect(sentences(.null, text) == [])
  }

  /// Catches a value that is taken for changed because a part of it does not equal itself.
  @Test func aNumberThatIsNoneIsNotAChange() throws {
    let tree = try ValueTree([Double.nan, 1])
    #expect(tree == (try ValueTree([Double.nan, 1])))
    #expect(Set([tree, try ValueTree([Double.nan, 1])]).count == 1)
    let same: [Double]? = Coded.replacing([Double.nan, 1]) { $0 }
    #expect(same == nil)
  }

  /// Catches marks of a result that silence the arguments, too.
  @Test func theMarkOfAResultIsNotThatOfAnArgument() async {
    let report = await Contract.loose.survivors(of: .inMemory, equivalents: ["write": "No caller looks."])
    #expect(!report.survivors.contains { $0.hasPrefix("write.text") || $0.hasPrefix("write.date") })
    #expect(report.survivors.contains("write(1).another") && report.survivors.contains("write.twice"))
  }

  // MARK: - Values

  private struct Everything: Codable, Hashable {
    enum Choice: Codable, Hashable {
      case none
      case one(Int)
      case named(a: String, b: [Int?])
    }
    var flag = true
    var small: Int8 = -3
    var large: UInt64 = .max
    var float: Float = 0.5
    var double = 1e300
    var text = "é"
    var date = Date(timeIntervalSinceReferenceDate: 0.123456)
    var data = Data([0, 255])
    var url = URL(filePath: "/a b")
    var id = UUID()
    var decimal = Decimal(string: "1.10")
    var nothing: String?
    var list: [Int?] = [1, nil]
    var empty: [String] = []
    var keyed = [3: "c"]
    var choices: [Choice] = [.none, .one(1), .named(a: "x", b: [nil, 2])]
  }

  @Test func everyKindOfValueIsReadBack() throws {
    let value = Everything()
    let read = try ValueTree(value).value(as: Everything.self)
    #expect(read == value, "\(read)\n\(value)")
    #expect(try ValueTree([value]).value(as: [Everything].self) == [value])
    #expect(try ValueTree(Int?.none).value(as: Int?.self) == nil)
  }

  /// Catches numbers that are truncated where they do not fit, and text that is read as another type.
  @Test func aTreeOfAnotherTypeIsNotAValue() throws {
    #expect(throws: DecodingError.self) { try ValueTree(300).value(as: UInt8.self) }
    #expect(throws: DecodingError.self) { try ValueTree("1").value(as: Int.self) }
    #expect(throws: DecodingError.self) { try ValueTree(["a": 1]).value(as: Everything.self) }
    #expect(throws: DecodingError.self) { try ValueTree([1]).value(as: [String].self) }
  }
}
