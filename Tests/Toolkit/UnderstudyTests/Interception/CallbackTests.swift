import Dispatch
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// Methods with a completion handler, in the forms that apps have.
private protocol LibraryService: Sendable {
  func titles(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void)
  func add(_ title: String, completion: @escaping @Sendable (String?, (any Error)?) -> Void)
  func remove(_ title: String, completion: @escaping @Sendable ((any Error)?) -> Void)
  func count(onSuccess: @escaping @Sendable (Int) -> Void, onFailure: @escaping @Sendable (TodoError) -> Void)
  func download(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void) -> Download
  func find(_ title: String, _ completion: @escaping @Sendable (Result<Bool, TodoError>) -> Void) -> Download?
}

/// What may cancel a call.
private struct Download: Sendable, Equatable {
  let number: Int
}

/// Calls completion handlers at once, `answers` times.
private final class Library: LibraryService {
  private let store = Locked<[String]>(["Emma"])
  private let answers: Int

  init(answers: Int = 1) { self.answers = answers }

  var stored: [String] { store.withLock(\.self) }

  func titles(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void) {
    for _ in 0..<answers { completion(.success(stored)) }
  }

  func add(_ title: String, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
    let isNew = store.withLock { store in
      defer { if !store.contains(title) { store.append(title) } }
      return !store.contains(title)
    }
    completion(isNew ? title : nil, isNew ? nil : TodoError.conflict)
  }

  func remove(_ title: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
    let place = store.withLock { store in
      let place = store.firstIndex(of: title)
      if let place { store.remove(at: place) }
      return place
    }
    completion(place == nil ? TodoError.notFound : nil)
  }

  func count(onSuccess: @escaping @Sendable (Int) -> Void, onFailure: @escaping @Sendable (TodoError) -> Void)
  {
    onSuccess(stored.count)
  }

  func download(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void) -> Download {
    completion(.success(stored))
    return Download(number: 7)
  }

  func find(_ title: String, _ completion: @escaping @Sendable (Result<Bool, TodoError>) -> Void) -> Download?
  {
    completion(.success(stored.contains(title)))
    return Download(number: 8)
  }
}

extension Intercepted.Operation where Base: LibraryService {
  fileprivate static var titles: Self { Self("titles") }
  fileprivate static var add: Self { Self("add") }
  fileprivate static var remove: Self { Self("remove") }
  fileprivate static var count: Self { Self("count") }
  fileprivate static var download: Self { Self("download") }
  fileprivate static var find: Self { Self("find") }
}

extension Intercepted: LibraryService where Base: LibraryService {
  fileprivate func titles(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void) {
    interceptCallback(.titles, failure: { .failure(TodoError($0)) }, completion: completion) {
      base, completion in base.titles(completion)
    }
  }

  fileprivate func add(_ title: String, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
    interceptCallback(
      .add, title, failure: { (nil, TodoError($0)) }, completion: { completion($0.0, $0.1) }
    ) { base, completion, title in
      base.add(title) { completion(($0, $1)) }
    }
  }

  fileprivate func remove(_ title: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
    interceptCallback(.remove, title, failure: { TodoError($0) }, completion: completion) {
      base, completion, title in base.remove(title, completion: completion)
    }
  }

  fileprivate func count(
    onSuccess: @escaping @Sendable (Int) -> Void, onFailure: @escaping @Sendable (TodoError) -> Void
  ) {
    interceptCallback(
      .count, failure: { .failure(TodoError($0)) },
      completion: { (answer: Result<Int, TodoError>) in
        switch answer {
        case .success(let count): onSuccess(count)
        case .failure(let error): onFailure(error)
        }
      }
    ) { base, completion in
      base.count(onSuccess: { completion(.success($0)) }, onFailure: { completion(.failure($0)) })
    }
  }

  fileprivate func download(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void)
    -> Download
  {
    interceptCallback(.download, failure: { .failure(TodoError($0)) }, completion: completion) {
      base, completion in base.download(completion)
    }
  }

  fileprivate func find(
    _ title: String, _ completion: @escaping @Sendable (Result<Bool, TodoError>) -> Void
  ) -> Download? {
    interceptCallback(.find, title, failure: { .failure(TodoError($0)) }, completion: completion) {
      base, completion, title in base.find(title, completion)
    }
  }
}

/// Waits for the answer of a call.
private nonisolated(nonsending) func answer<Answer: Sendable>(
  _ call: (@escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer {
  await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}

@Suite(.stallLimit()) struct CallbackTests {
  private let log = CallLog<Library>()

  private func outcomes() -> [String] {
    log.records.map { record in
      switch record.outcome {
      case .underWay: "\(record.call.operation) is under way"
      case .returned: "\(record.call.operation) returned"
      case .failed(let error): "\(record.call.operation) failed: \(error)"
      }
    }
  }

  /// Catches an answer that arrives late although nothing holds the call, as after a hop that the base does not make.
  @Test func theBaseAnswersWhereNoInterceptorConcernsTheCall() {
    let library = Intercepted(Library(), by: .faults(.on(.add, .conflict).optional), .log(log))
    let answers = Locked<[Result<[String], TodoError>]>([])
    library.titles { answer in answers.withLock { $0.append(answer) } }
    #expect(answers.withLock(\.self) == [.success(["Emma"])])
    #expect(outcomes() == ["titles returned"])
  }

  @Test(arguments: [Fault.conflict, .answerLost]) func aFaultBecomesAnErrorOfEveryForm(_ fault: Fault) async {
    let library = Intercepted(Library(), by: .faults(.on(.any, fault)), .log(log))
    let error = TodoError(fault)
    #expect(await answer { library.titles($0) } == .failure(error))
    let added: (String?, TodoError?) = await answer { completion in
      library.add("Persuasion") { completion(($0, $1 as? TodoError)) }
    }
    #expect(added.0 == nil && added.1 == error)
    #expect(await answer { done in library.remove("Emma") { done($0 as? TodoError) } } == error)
    let count: Result<Int, TodoError> = await answer { done in
      library.count(onSuccess: { done(.success($0)) }, onFailure: { done(.failure($0)) })
    }
    #expect(count == .failure(error))
    #expect(library.base.stored == (fault.reachesBase ? ["Persuasion"] : ["Emma"]))
    #expect(outcomes() == ["titles", "add", "remove", "count"].map { "\($0) failed: \(error)" })
  }

  /// Catches a log that takes every answer for a success.
  @Test func aFailureOfTheBaseIsLogged() async {
    let library = Intercepted(Library(), by: .log(log))
    library.add("Emma") { _, _ in }
    library.remove("Persuasion") { _ in }
    library.remove("Emma") { _ in }
    #expect(
      outcomes() == [
        "add failed: \(TodoError.conflict)", "remove failed: \(TodoError.notFound)", "remove returned",
      ])
  }

  @Test func aGateHoldsCallsAndAnswersThemInAnyOrder() async throws {
    let gate = Gate<Library>(.add)
    let library = Intercepted(Library(), by: .gate(gate), .log(log))
    let order = Locked<[String]>([])
    let (first, second) = (Signal<Void>(), Signal<Void>())
    library.add("Persuasion") { title, _ in
      order.withLock { $0.append(title ?? "none") }
      first.send(())
    }
    library.add("Sanditon") { title, _ in
      order.withLock { $0.append(title ?? "none") }
      second.send(())
    }
    let held = (try await gate.next(), try await gate.next())
    #expect(library.base.stored == ["Emma"])
    #expect(outcomes() == ["add is under way", "add is under way"])
    held.1.proceed()
    try await second.value()
    held.0.fail(with: .conflict)
    try await first.value()
    #expect(order.withLock(\.self) == ["Sanditon", "none"])
    #expect(library.base.stored == ["Emma", "Sanditon"])
  }

  @Test func aLatencyDelaysTheCall() async throws {
    let clock = TestClock()
    let library = Intercepted(Library(), by: .faults(.on(.titles, .latency(.seconds(5)))), time: clock.time)
    let answer = Signal<Result<[String], TodoError>>()
    library.titles { answer.send($0) }
    try await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(5))
    #expect(try await answer.value() == .success(["Emma"]))
  }

  /// Catches a failure on a background thread of a service that answers on the main thread, where an app would trap.
  @Test @MainActor func aFaultAnswersOnTheMainThreadIfTheCallIsMadeThere() async {
    let library = Intercepted(Library(), by: .faults(.on(.titles, .conflict)))
    let isMain = await answer { done in library.titles { _ in done(MainQueue.isCurrent) } }
    #expect(isMain)
  }

  @Test @MainActor func aQueueForCompletionHandlersCanBeChosen() async {
    let (queue, key) = (DispatchQueue(label: "background"), DispatchSpecificKey<Bool>())
    queue.setSpecific(key: key, value: true)
    let library = Intercepted(Library(), by: .callbacks(on: queue), .faults(.on(.titles, call: 2, .conflict)))
    for _ in 1...2 {
      let isThere = await answer { done in
        library.titles { _ in done(DispatchQueue.getSpecific(key: key) == true) }
      }
      #expect(isThere)
    }
  }

  @Test func aValueThatTheBaseReturnsIsReturned() async {
    let library = Intercepted(
      Library(), by: .faults(.on(.download, call: 1, .conflict), .on(.find, call: 1, .conflict)))
    let answers = Locked<[String]>([])
    let (first, second, third) = (Signal<Void>(), Signal<Void>(), Signal<Void>())
    let download = library.download { answer in
      answers.withLock { $0.append("\(answer)") }
      first.send(())
    }
    try? await first.value()
    let nothing = library.find("Emma") { answer in
      answers.withLock { $0.append("\(answer)") }
      second.send(())
    }
    try? await second.value()
    let found = library.find("Emma") { answer in
      answers.withLock { $0.append("\(answer)") }
      third.send(())
    }
    try? await third.value()
    #expect([download, nothing, found] == [Download(number: 7), nil, Download(number: 8)])
    #expect(
      answers.withLock(\.self) == [
        "\(Result<Bool, TodoError>.failure(.conflict))", "\(Result<Bool, TodoError>.failure(.conflict))",
        "success(true)",
      ])
  }

  @Test func aBaseThatAnswersTwiceIsReported() {
    let library = Intercepted(Library(answers: 2))
    let count = Locked(0)
    withKnownIssue {
      library.titles { _ in count.withLock { $0 += 1 } }
    } matching: {
      $0.description.contains("titles called its completion handler twice.")
    }
    #expect(count.withLock(\.self) == 2)
  }

  // MARK: - Answers without a place for a failure

  private func hasTitles(
    _ library: Intercepted<Library>, as name: String = "hasTitles",
    _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    library.interceptCallback(Intercepted.Operation(name), completion: completion) { base, completion in
      completion(!base.stored.isEmpty)
    }
  }

  /// Catches a gate or a latency that lets such a call pass, and a log in which it has returned before its answer.
  @Test func anAnswerWithoutAFailureCanBeHeld() async throws {
    let gate = Gate<Library>(Intercepted.Operation("held"))
    let clock = TestClock()
    let library = Intercepted(
      Library(), by: .gate(gate), .faults(.on(Intercepted.Operation("slow"), .latency(.seconds(5)))),
      .log(log),
      time: clock.time)
    let (first, second) = (Signal<Bool>(), Signal<Bool>())
    hasTitles(library, as: "held") { first.send($0) }
    let held = try await gate.next()
    hasTitles(library, as: "slow") { second.send($0) }
    try await clock.wait(forSleepers: 1)
    #expect(outcomes() == ["held is under way", "slow is under way"])
    clock.advance(by: .seconds(5))
    #expect(try await second.value())
    held.proceed()
    #expect(try await first.value())
    #expect(outcomes() == ["held returned", "slow returned"])
  }

  @Test func aBaseThatAnswersTwiceWithoutAFailureIsReported() {
    let library = Intercepted(Library())
    withKnownIssue {
      library.interceptCallback(Intercepted.Operation("hasTitles"), completion: { (_: Bool) in }) {
        _, completion in
        completion(true)
        completion(false)
      }
    } matching: {
      $0.description.contains("hasTitles called its completion handler twice.")
    }
  }

  /// Catches faults and cancellations that are tried on a call that cannot fail, and a call that is not late.
  @Test func answersWithoutAFailureAreSwept() async throws {
    let scenario = Scenario("looking", "A user looks for titles.") { [self] run in
      let library = run.intercepted(Library(), as: "library")
      let answers = Locked<[Bool]>([])
      await run.act { hasTitles(library) { answer in answers.withLock { $0.append(answer) } } }
      run.expect("answer.arrives", answers.withLock { !$0.isEmpty }, "none")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.unfailing == ["library.hasTitles"])
    let delays = Fault.all(of: .call).filter { $0.symptom == .delayed && $0.applies(to: .service) }
    #expect(report.points.first?.faults == delays.count)
    #expect(report.counts.interrupted > 0)
    #expect(report.gap.hasSuffix("never failed: library.hasTitles (cannot fail)"))
  }

  private struct RetryOnce<Base: Sendable>: CustomInterceptor {
    func intercept<Result>(
      _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
      do { return try await next() } catch { return try await next() }
    }
  }

  @Test func aCustomInterceptorMayMakeTheCallAgain() async {
    let library = Intercepted(
      Library(), by: Interceptor(RetryOnce()), .faults(.on(.add, call: 1, .answerLost)))
    let added: (String?, TodoError?) = await answer { completion in
      library.add("Persuasion") { completion(($0, $1 as? TodoError)) }
    }
    // The lost answer was that of a call that had added the title.
    #expect(added.0 == nil && added.1 == .conflict)
  }

  // MARK: - Scenarios

  /// Catches a run that goes on before a completion handler has returned, and one without a fault of callbacks.
  @Test func callsWithACompletionHandlerAreSwept() async throws {
    let scenario = Scenario("reading", "A user reads titles.") { run in
      let library = run.intercepted(Library(), as: "library")
      let answer = Locked<Result<[String], TodoError>?>(nil)
      let failures = await run.act {
        library.titles { result in
          DispatchQueue.main.async { answer.withLock { $0 = result } }
        }
      }
      let shown = answer.withLock(\.self)
      run.expect("answer.arrives", shown != nil, "none")
      run.expect(
        "errors.shown", failures.match(isShown: (try? shown?.get()) == nil), "\(failures), \(shown as Any)")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.points.map(\.point) == [FaultPoint("library.titles", call: 1)])
    // Only the app cancels such a call.
    let faults = Fault.all(of: .call).filter { $0 != .cancelled && $0.applies(to: .service) }
    #expect(report.points.first?.faults == faults.count)
    #expect(report.counts.interrupted > 0)
  }

  /// Catches a call after a hop to the main queue that belongs to no action: it would be neither restarted, nor among the
  /// failures of the action.
  @Test(arguments: [true, false]) func aCallAfterAHopBelongsToTheAction(byTask: Bool) async throws {
    let scenario = Scenario("signing in", "A user signs in, and sees the titles.") { run in
      let library = run.intercepted(Library(), as: "library")
      let shown = Locked<Result<[String], TodoError>?>(nil)
      let read: @Sendable @MainActor () -> Void = {
        library.titles { answer in Task { shown.withLock { $0 = answer } } }
      }
      let failures = await run.act {
        library.remove("Emma") { error in
          if let error = error as? TodoError { return shown.withLock { $0 = .failure(error) } }
          if byTask { Task { await read() } } else { DispatchQueue.main.async { read() } }
        }
      }
      let isFailed = shown.withLock { if case .failure = $0 { true } else { false } }
      run.expect("answer.shown", shown.withLock { $0 != nil }, "none")
      run.expect("errors.shown", failures.match(isShown: isFailed), "\(failures)")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.points.map(\.isOfAction) == [true, true])
  }

  /// Catches a store that seems to differ from a screen, because a call that had to return a value did its work.
  @Test func aFaultOfACallThatReturnsAValueMayHaveWorked() async throws {
    let scenario = Scenario("downloading", "A user downloads.") { run in
      let library = run.intercepted(Library(), as: "library")
      let downloads = await run.act { _ = library.download { _ in } }
      let finds = await run.act { _ = library.find("Emma") { _ in } }
      run.expect("downloads.work", downloads.allSatisfy(\.mayHaveWorked), "\(downloads)")
      run.expect("finds.do.not", !finds.contains(where: \.mayHaveWorked), "\(finds)")
    }
    let downloading = FaultSchedule([.at("library.download", call: 1, .conflict)])
    #expect(try await scenario.outcome(under: downloading).violations == [])
    #expect(try await scenario.outcome(under: [.at("library.find", call: 1, .conflict)]).violations == [])
  }

  /// An error for everything, as some apps have.
  private struct AnyFailure: Error {
    init(_ fault: Fault) {}
  }

  /// Catches a failure that counts as a cancellation, because the app has one error for both.
  @Test func aFailureWithTheErrorOfACancellationIsOne() async throws {
    let scenario = Scenario("failing", "The base fails.") { run in
      let base = run.intercepted(Forgetful(), as: "base")
      let failures = await run.act {
        base.interceptCallback(
          Intercepted.Operation("titles"), failure: { .failure(AnyFailure($0)) },
          completion: { (_: Result<[String], AnyFailure>) in }
        ) { _, completion in completion(.failure(AnyFailure(.serverError))) }
      }
      run.expect("errors.shown", failures.match(isShown: true), "\(failures)")
    }
    #expect(try await scenario.outcome().violations == [])
  }

  /// Catches a cancellation by the app that counts as a failure to show.
  @Test func aCancellationByTheAppIsNoFailure() async throws {
    let scenario = Scenario("cancelling", "The app cancels its call.") { run in
      let base = run.intercepted(Forgetful(), as: "base")
      let failures = await run.failures {
        await run.act {
          base.interceptCallback(
            Intercepted.Operation("titles"), failure: { .failure(TodoError($0)) },
            completion: { (_: Result<[String], TodoError>) in }
          ) { _, completion in completion(.failure(.cancelled)) }
        }
      }
      run.expect("failed", failures.count == 1, "\(failures)")
      run.expect("errors.shown", failures.match(isShown: false), "\(failures)")
    }
    #expect(try await scenario.outcome().violations == [])
  }

  /// Catches a screen that is kept alive by a base that has released its completion handler.
  @Test func aReleasedHandlerEndsTheWait() async throws {
    final class Screen: Sendable {}
    let time = TestClock(.immediate).time
    let base = Intercepted(Forgetful(), by: .faults(.on(.any, .latency(.seconds(1)))), time: time)
    weak var released: Screen?
    do {
      let screen = Screen()
      released = screen
      base.interceptCallback(
        Intercepted.Operation("titles"), failure: { .failure(TodoError($0)) },
        completion: { (_: Result<[String], TodoError>) in withExtendedLifetime(screen) {} }
      ) { base, completion in base.titles(completion) }
    }
    while released != nil { await Task.yield() }
  }

  /// Catches a trap of a handler on the main actor, which is called on another queue.
  @Test func aHandlerOnTheMainActorStaysThere() async {
    let library = Intercepted(
      Library(), by: .callbacks(on: .global()), .faults(.on(.titles, call: 2, .conflict)))
    for _ in 1...2 {
      let isMain = await answer { done in
        DispatchQueue.main.async {
          library.interceptCallback(
            .titles, onMainActor: true, failure: { .failure(TodoError($0)) },
            completion: { (_: Result<[String], TodoError>) in done(MainQueue.isCurrent) }
          ) { base, completion in base.titles(completion) }
        }
      }
      #expect(isMain)
    }
  }

  /// A base that forgets its completion handler under a fault of its own.
  private struct Forgetful: Sendable {
    func titles(_ completion: @escaping @Sendable (Result<[String], TodoError>) -> Void) {}
  }

  @Test func aCallThatIsNeverAnsweredIsNamed() async throws {
    let record = Locked<RunRecord?>(nil)
    let scenario = Scenario("reading", "A user reads titles.") { run in
      record.withLock { $0 = run.record }
      let base = run.intercepted(Forgetful(), as: "library")
      await run.act {
        base.interceptCallback(
          Intercepted.Operation("titles"), failure: { .failure(TodoError($0)) }, completion: { _ in }
        ) { base, completion in base.titles(completion) }
      }
    }
    let running = Task { try await scenario.outcome(stallLimit: .seconds(1_000_000)) }
    while record.withLock({ $0?.points.isEmpty }) != false { await Task.yield() }
    let hint = record.withLock { $0?.hint(for: .idle(.seconds(10))) }
    #expect(hint == "library.titles call=1 has not called its completion handler.")
    running.cancel()
    _ = await running.result
  }

  /// Catches a delay that waits for the call which it delays.
  @Test func aCallThatCannotFailIsDelayedAndInterruptedInAnAction() async throws {
    let scenario = Scenario("counting", "A user counts.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let count = Locked<Int?>(nil)
      await run.act {
        let number = await todos.intercept(Intercepted.Operation("count")) { _ in 3 }
        count.withLock { $0 = number }
      }
      run.expect("counted", count.withLock { $0 == 3 }, "it is not")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.counts.single > 0 && report.counts.interrupted > 0)
  }

  /// Catches a handler that a run takes for returned before it is, and one that is called on the main queue after all.
  @Test func aSweepMayAnswerOnAnotherQueue() async throws {
    let queue = DispatchQueue(label: "background")
    let scenario = Scenario("reading", "A user reads titles.") { run in
      let library = run.intercepted(Library(), as: "library", callbacks: queue)
      let shown = Locked<Result<[String], TodoError>?>(nil)
      let failures = await run.act {
        library.titles { answer in
          // Traps on the main queue.
          DispatchQueue.main.sync { shown.withLock { $0 = answer } }
        }
      }
      let isFailed = shown.withLock { if case .failure = $0 { true } else { false } }
      run.expect("answer.shown", shown.withLock { $0 != nil }, "none")
      run.expect("errors.shown", failures.match(isShown: isFailed), "\(failures)")
    }
    #expect(try await scenario.report().violations == [])
  }

  /// Catches advice that a user has already followed, and a sweep that passes because no call can fail.
  @Test func aSweepNamesWhatItCannotMakeFail() async throws {
    func scenario(_ body: @escaping @MainActor @Sendable (Intercepted<InMemoryTodos>) async -> Void)
      -> Scenario
    {
      Scenario("counting", "A user counts.") { run in
        await body(run.intercepted(InMemoryTodos(), as: "todos"))
        run.expect("counted", true, "")
      }
    }
    let silent = try await scenario { todos in _ = todos.cached() }.report()
    #expect(silent.violations.map(\.invariant) == [Scenario.uncovered])
    #expect(
      silent.violations.first?.message.hasPrefix("No call of the scenario can fail, so no fault was tried")
        == true)
    #expect(silent.violations.first?.message.contains("The calls are todos.cached.") == true)
    let mixed = try await scenario { todos in
      _ = todos.cached()
      _ = try? await todos.titles()
    }.report()
    #expect(mixed.violations == [])
    #expect(mixed.coverage.contains("; never failed: todos.cached (cannot fail)"), "\(mixed.coverage)")
  }
}

/// Methods that throw without being asynchronous.
@Suite(.stallLimit()) struct SynchronousCallTests {
  private final class Store: Sendable {
    let texts = Locked<[String]>([])

    func save(_ text: String) throws(TodoError) {
      if text.isEmpty { throw .unavailable }
      texts.withLock { $0.append(text) }
    }
  }

  private static let save = Intercepted<Store>.Operation("save")

  private func save(_ text: String, in store: Intercepted<Store>) throws(TodoError) {
    try store.interceptSynchronously(Self.save, text, failure: TodoError.init) {
      base, text throws(TodoError) in try base.save(text)
    }
  }

  @Test func aFaultIsThrown() throws {
    let log = CallLog<Store>()
    let store = Intercepted(
      Store(), by: .faults(.on(Self.save, call: 1, .conflict), .on(Self.save, call: 2, .answerLost)),
      .log(log))
    #expect(throws: TodoError.conflict) { try save("one", in: store) }
    #expect(throws: TodoError(.answerLost)) { try save("two", in: store) }
    try save("three", in: store)
    #expect(throws: TodoError.unavailable) { try save("", in: store) }
    #expect(store.base.texts.withLock(\.self) == ["two", "three"])
    #expect(
      log.records.map { if case .failed = $0.outcome { false } else { true } } == [false, false, true, false])
  }

  /// Catches a delay that is silently ignored.
  @Test func aLatencyIsReported() throws {
    try withKnownIssue {
      let store = Intercepted(Store(), by: .faults(.on(Self.save, .latency(.seconds(1)))))
      try save("one", in: store)
    } matching: {
      $0.description.contains("the call is synchronous, so it cannot wait")
    }
  }
}
