import Foundation
import GenerationFixtures
import Testing
import Understudy
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func words<Value>(_ result: Result<Value, some Error>) -> String {
  switch result {
  case .success(let value): "\(value)"
  case .failure(let error): "\(error)"
  }
}

/// The doubles of a protocol with completion handlers, and of a structure of closures.
@Suite(.stallLimit()) struct CallbackDoublesTests {
  /// Answers at once, or not at all.
  private struct Account: AccountService {
    private struct Request: Cancelling {
      func cancel() {}
    }

    func name(_ completion: @escaping @Sendable (Result<String, TodoError>) -> Void) {
      completion(.success("Ann"))
    }

    func names(of ids: [Int], completion: @escaping Completion<[String]>) {
      completion(.success(ids.map(String.init)))
    }

    func close(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) { completion(.success(())) }
    func rename(_ name: String, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
      completion(true, nil)
    }
    func delete(completion: (@Sendable ((any Error)?) -> Void)?) { completion?(nil) }

    func picture(
      at url: URL, completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> any Cancelling {
      completion(Data([1]), nil, nil)
      return Request()
    }

    func friends(completion: @escaping @Sendable ([String], NSError?) -> Void) -> (any Cancelling)? {
      completion(["Ben"], nil)
      return Request()
    }

    func age(
      onSuccess: @escaping @Sendable (Int) -> Void, onFailure: @escaping @Sendable (TodoError) -> Void
    ) { onSuccess(7) }

    func ping(success: @escaping @Sendable () -> Void, failure: @escaping @Sendable (any Error) -> Void) {
      success()
    }

    func badge(_ completion: @escaping @MainActor @Sendable (Result<Int, TodoError>) -> Void) {
      Task { await completion(.success(3)) }
    }

    func parcel(_ answer: String, _ completion: @escaping (Result<Parcel, TodoError>) -> Void) {
      completion(.success(Parcel(weight: answer.count)))
    }

    func progress(_ handler: @escaping @Sendable (Double) -> Void) { handler(1) }
  }

  /// The answers of all calls, in words.
  @MainActor private func answers(of account: some AccountService) async -> [String] {
    var answers: [String] = []
    func add(_ call: (@escaping @Sendable (String) -> Void) -> Void) async {
      answers.append(await withCheckedContinuation { answer in call { answer.resume(returning: $0) } })
    }
    await add { done in account.name { done(words($0)) } }
    await add { done in account.names(of: [1, 2]) { done(words($0)) } }
    await add { done in account.close { done(words($0)) } }
    await add { done in account.rename("Cat") { done("\($0) \($1.map { "\($0)" } ?? "")") } }
    await add { done in account.delete { done($0.map { "\($0)" } ?? "deleted") } }
    await add { done in
      let url = URL(fileURLWithPath: "/picture")
      _ = account.picture(at: url) { data, _, error in
        done("\(data?.count ?? 0) \(error.map { "\($0)" } ?? "")")
      }
    }
    await add { done in _ = account.friends { done("\($0) \($1?.domain ?? "")") } }
    await add { done in account.age(onSuccess: { done("\($0)") }, onFailure: { done("\($0)") }) }
    await add { done in account.ping(success: { done("pong") }, failure: { done("\($0)") }) }
    await add { done in account.badge { done(words($0)) } }
    await add { done in account.parcel("four") { done(words($0.map(\.weight))) } }
    return answers
  }

  @Test func completionHandlersReceiveTheAnswersOfTheBase() async {
    let log = CallLog<Account>()
    let answers = await answers(of: Intercepted(Account(), by: .log(log)))
    #expect(
      answers == [
        "Ann", #"["1", "2"]"#, "()", "true ", "deleted", "1 ", #"["Ben"] "#, "7", "pong", "3", "4",
      ])
    #expect(
      log.operations.map(\.description) == [
        "name", "names", "close", "rename", "delete", "picture", "friends", "age", "ping", "badge", "parcel",
      ])
  }

  @Test func completionHandlersReceiveFaultsAsErrorsOfTheApp() async {
    let answers = await answers(of: Intercepted(Account(), by: .faults(.on(.any, .conflict))))
    let error = "\(TodoError.duplicate)"
    #expect(
      answers == [
        error, error, error, "false \(error)", error, "0 \(error)",
        "[] GenerationFixtures.TodoError",
        error, error, error, error,
      ])
  }

  @Test func anUnimplementedHandlerFails() async throws {
    let account = UnimplementedAccountService(
      onPicture: { _, _ in fatalError("not called") }, onProgress: { _ in })
    let name = Locked<Result<String, TodoError>?>(nil)
    withKnownIssue {
      account.name { answer in name.withLock { $0 = answer } }
    } matching: {
      $0.description.contains("AccountService.name(_:) is not implemented by this double. Set onName.")
    }
    #expect(throws: TodoError.self) { try name.withLock { try $0?.get() } }
  }

  // MARK: - Tasks, and requirements of types

  private struct Download: Downloading {
    static let limit = 3
    let id: Int

    init?(id: Int) {
      if id < 0 { return nil }
      self.id = id
    }

    func start(_ name: String) -> Task<Int, any Error> {
      Task {
        if name.isEmpty { try await Task.sleep(for: .seconds(3_600)) }
        return name.count
      }
    }

    func wait() -> Task<Int, Never> { Task { id } }
  }

  @Test func aTaskReceivesFaultsAndPassesItsCancellationOn() async throws {
    let base = try #require(Download(id: 7))
    let log = CallLog<Download>()
    let download = Intercepted(base, by: .log(log), .faults(.on(.start, call: 2, .conflict)))
    #expect(try await download.start("Emma").value == 4)
    await #expect(throws: TodoError.duplicate) { try await download.start("Emma").value }
    let endless = download.start("")
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    #expect(await download.wait().value == 7)
    #expect(log.operations == [.start, .start, .start, .wait])
  }

  @Test func requirementsOfTypesAreThoseOfTheBase() throws {
    #expect(Intercepted<Download>.limit == 3)
    #expect(Intercepted<Download>(id: -1) == nil)
    let download = try #require(Intercepted<Download>(id: 7))
    #expect(download.id == 7)
    #expect(Set([download, try #require(Intercepted(id: 7)), try #require(Intercepted(id: 8))]).count == 2)
  }

  // MARK: - A structure of closures

  fileprivate static var loans: LoanClient {
    let store = Locked<[String]>([])
    return LoanClient(
      borrow: { title, days in
        store.withLock { $0.append(title) }
        return days
      },
      loans: { store.withLock(\.self) }, changes: { _ in AsyncThrowingStream { $0.finish() } },
      count: { store.withLock(\.count) }, find: { number, completion in completion(.success("\(number)")) },
      isOpen: { true }, name: "library")
  }

  @Test func theClosuresPassTheInterceptors() async throws {
    let (log, gate) = (CallLog<LoanClient>(), Gate<LoanClient>(.loans))
    let client = Self.loans.intercepted(
      by: .log(log), .gate(gate), .faults(.on(.borrow, call: 2, .conflict), .on(.count, call: 2, .offline)))
    #expect(client.name == "library" && client.isOpen())
    #expect(try await client.borrow("Emma", 14) == 14)
    await #expect(throws: TodoError.duplicate) { try await client.borrow("Emma", 14) }
    #expect(try client.count() == 1)
    #expect(throws: TodoError.self) { try client.count() }
    async let titles = client.loans()
    try await gate.next().proceed()
    #expect(try await titles == ["Emma"])
    #expect(
      await withCheckedContinuation { answer in client.find(7) { answer.resume(returning: $0) } }
        == .success("7"))
    #expect(
      log.calls.map(\.description) == [
        "isOpen()", #"borrow("Emma", 14)"#, #"borrow("Emma", 14)"#, "count()", "count()", "loans()",
        "find(7)",
      ])
  }

  @Test func aScreenOverTheClosuresIsSwept() async throws {
    let scenario = Scenario("borrowing", "A user borrows a book.") { run in
      let client = LoanClient(run.intercepted(Self.loans, as: "loans"))
      var message: String?
      let failures = await run.act {
        do { _ = try await client.borrow("Emma", 14) } catch TodoError.duplicate {
        } catch { message = "\(error)" }
      }
      run.expect(
        "errors.shown", failures.match(isShown: message != nil), "\(message ?? "none") after \(failures)")
    }
    try await withKnownIssue {
      try await scenario.sweep()
    } matching: {
      $0.description.contains("borrowing under loans.borrow call=1 conflict breaks errors.shown")
    }
  }

  @Test(arguments: Contract.borrowing.checks(of: .inMemory))
  func aContractChecksTheClosures(_ check: ContractCheck<LoanClient>) async throws { try await check.run() }
}

extension Implementation where Subject == LoanClient {
  fileprivate static var inMemory: Self {
    .double("in memory", CallbackDoublesTests.loans) { LoanClient($0) }
  }
}

extension Contract where Subject == LoanClient {
  fileprivate static let borrowing = Contract("borrowing") {
    Clause("loans.borrow", "A borrowed book is among the loans.") { trial in
      _ = try await trial.subject.borrow("Emma", 14)
      trial.expect(try await trial.subject.loans(), equals: ["Emma"])
    }
    Clause("loans.server", "A failure of the server is reported as one.") { trial in
      try await trial.given(.serverFails)
      await trial.expect(throws: TodoError(.serverError)) { _ = try await trial.subject.borrow("Emma", 14) }
    }
  }
}
