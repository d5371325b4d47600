import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyRecordingTesting
import UnderstudyServer
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of the articles for readers who come from something else. Their app is in Loans.swift.

// MARK: - FromHandWrittenMocks

final class MockLoanService: LoanService {
  let borrowed = Locked<[String]>([])

  func borrow(_ book: String) async throws(LoanError) -> Loan {
    borrowed.withLock { $0.append(book) }
    return Loan(id: 1, book: book)
  }

  func loans() async throws(LoanError) -> [Loan] { [Loan(id: 1, book: "Emma")] }
}

extension Implementation where Subject == any LoanService {
  static var mock: Self { Implementation("mock") { _ in MockLoanService() } }
}

@Suite(.stallLimit()) struct FromHandWrittenMocks {
  @MainActor @Test func aBookIsBorrowed() async {
    let mock = MockLoanService()
    let screen = LoansViewModel(service: mock)
    await screen.borrow("Emma")
    #expect(mock.borrowed.withLock { $0 } == ["Emma"])
    #expect(screen.message == nil)
  }

  @Test(arguments: Contract.loans.checks(of: .live, .inMemory))
  func honours(_ check: ContractCheck<any LoanService>) async throws { try await check.run() }

  @Test func theContractRefusesTheOldMock() async throws {
    let mock = Mutant(
      "old-mock", "Lends every book, and stores nothing.", of: .inMemory, as: .mock,
      killedBy: ["loans.borrow.twice": "throw alreadyBorrowed"])
    try await Contract.loans.killMatrix(of: [mock]).check()
  }

  @MainActor @Test func aBookThatTheUserHasIsNotLentAgain() async throws {
    let log = CallLog<InMemoryLoanService>()
    let screen = LoansViewModel(service: Intercepted(InMemoryLoanService(), by: .log(log)))
    await screen.borrow("Emma")
    await screen.borrow("Emma")
    #expect(screen.message == "You have this book already.")
    #expect(try log.arguments(of: .borrow, as: String.self) == ["Emma", "Emma"])
  }

  @MainActor @Test func theUserIsOfflineAtTheSecondLoan() async {
    let service = Intercepted(InMemoryLoanService(), by: .faults(.on(.borrow, call: 2, .offline)))
    let screen = LoansViewModel(service: service)
    await screen.borrow("Emma")
    await screen.borrow("Dune")
    #expect(screen.message == "You are offline.")
    #expect(screen.loans.map(\.book) == ["Emma"])
  }
}

// MARK: - FromMockingLibraries

protocol CatalogService: Sendable {
  func title(id: Int) async throws(LoanError) -> String
  func reserve(_ id: Int, days: Int) async throws(LoanError)
}

struct InMemoryCatalogService: CatalogService {
  var titles: [Int: String]
  private let reserved = Locked<Set<Int>>([])

  func title(id: Int) async throws(LoanError) -> String {
    guard let title = titles[id] else { throw .unavailable }
    return title
  }

  func reserve(_ id: Int, days: Int) async throws(LoanError) {
    guard reserved.withLock({ $0.insert(id).inserted }) else { throw .alreadyBorrowed }
  }
}

/// A screen that looks a book up, once more if that fails, and reserves it.
@MainActor final class ReservationViewModel {
  private(set) var message: String?
  private let catalog: any CatalogService

  init(catalog: any CatalogService) {
    self.catalog = catalog
  }

  func reserve(_ id: Int) async {
    do throws(LoanError) {
      let title = try await title(of: id)
      try await catalog.reserve(id, days: 14)
      message = "\(title) is reserved."
    } catch {
      message = error == .alreadyBorrowed ? "You have this book already." : "Please try again later."
    }
  }

  private func title(of id: Int) async throws(LoanError) -> String {
    do throws(LoanError) { return try await catalog.title(id: id) } catch {
      return try await catalog.title(id: id)
    }
  }
}

// What `understudy generate` writes for the protocol, without the table of its operations.

extension Intercepted.Operation where Base: CatalogService {
  static var title: Self { Self("title") }
  static var reserve: Self { Self("reserve") }
}

extension Intercepted: CatalogService where Base: CatalogService {
  func title(id: Int) async throws(LoanError) -> String {
    try await intercept(.title, id, failure: { LoanError($0) }) { base, id throws(LoanError) in
      try await base.title(id: id)
    }
  }

  func reserve(_ id: Int, days: Int) async throws(LoanError) {
    try await intercept(.reserve, id, days, failure: { LoanError($0) }) { base, id, days throws(LoanError) in
      try await base.reserve(id, days: days)
    }
  }
}

struct UnimplementedCatalogService: CatalogService {
  var onTitle: @Sendable (_ id: Int) async throws(LoanError) -> String = { _ throws(LoanError) in
    throw LoanError(Fault.unimplemented("CatalogService.title(id:)", closure: "onTitle"))
  }

  var onReserve: @Sendable (_ id: Int, _ days: Int) async throws(LoanError) -> Void = {
    _, _ throws(LoanError) in
    throw LoanError(Fault.unimplemented("CatalogService.reserve(_:days:)", closure: "onReserve"))
  }

  func title(id: Int) async throws(LoanError) -> String { try await onTitle(id) }

  func reserve(_ id: Int, days: Int) async throws(LoanError) { try await onReserve(id, days) }
}

@Suite(.stallLimit()) struct FromMockingLibraries {
  @MainActor @Test func looksUpTheBook() async {
    let log = CallLog<InMemoryCatalogService>(
      expecting: .exactly(1, .title.with(3)), .exactly(1, .reserve.with(3, 14)))
    let catalog = Intercepted(InMemoryCatalogService(titles: [3: "Emma"]), by: .log(log))
    let screen = ReservationViewModel(catalog: catalog)
    await screen.reserve(3)
    #expect(screen.message == "Emma is reserved.")
  }

  @MainActor @Test func looksItUpAgainWhenThatFails() async {
    let catalog = Intercepted(
      InMemoryCatalogService(titles: [3: "Emma"]), by: .faults(.on(.title, call: 1, .offline)))
    let screen = ReservationViewModel(catalog: catalog)
    await screen.reserve(3)
    #expect(screen.message == "Emma is reserved.")
  }

  @MainActor @Test func reservesAfterTheLookup() async throws {
    let log = CallLog<InMemoryCatalogService>(expecting: .inOrder(.title, .reserve))
    let catalog = Intercepted(InMemoryCatalogService(titles: [3: "Emma"]), by: .log(log))
    await ReservationViewModel(catalog: catalog).reserve(3)
    let reservation = try #require(log.arguments(of: .reserve, as: (Int, Int).self).first)
    #expect(reservation.1 > 7)
  }

  @MainActor @Test func aRefusalIsShown() async {
    var catalog = UnimplementedCatalogService()
    catalog.onTitle = { id in "Book \(id)" }
    catalog.onReserve = { _, _ throws(LoanError) in throw .alreadyBorrowed }
    let screen = ReservationViewModel(catalog: catalog)
    await screen.reserve(3)
    #expect(screen.message == "You have this book already.")
  }

  /// What the table of the article has, and no other test.
  @Test func otherSpellings() async throws {
    let base = InMemoryCatalogService(titles: [3: "Emma", 4: "Dune"])
    let log = CallLog<InMemoryCatalogService>(expecting: .exactly(1, .title), .exactly(1, .reserve))
    let catalog = Intercepted(
      base, by: .log(log), .faults(.on(.title.with(4), .offline)))
    await #expect(throws: LoanError.offline) { try await catalog.title(id: 4) }
    try await catalog.reserve(3, days: 14)
    try await log.wait(for: .reserve)
    #expect(log.count(of: .title.with(4)) == 1)
    var stub = UnimplementedCatalogService()
    stub.onTitle = { _ in "Emma" }
    stub.onReserve = base.reserve
    #expect(try await stub.title(id: 4) == "Emma")
    await #expect(throws: LoanError.alreadyBorrowed) { try await stub.reserve(3, days: 14) }
  }
}

// MARK: - FromSwiftDependencies

/// A client that is a structure of closures.
struct LoanClient: Sendable {
  var borrow: @Sendable (_ book: String) async throws -> Loan
  var loans: @Sendable () async throws -> [Loan]
}

extension LoanClient {
  init(_ service: some LoanService) {
    self.init(borrow: { try await service.borrow($0) }, loans: { try await service.loans() })
  }
}

// What `understudy generate --protocol LoanClient` writes.

extension Intercepted.Operation where Base == LoanClient {
  static var borrow: Self { Self("borrow") }
  static var loans: Self { Self("loans") }
}

extension LoanClient {
  init(_ double: Intercepted<LoanClient>) {
    self = double.base
    borrow = { book in
      try await double.intercept(.borrow, book, failure: { LoanError($0) as any Error }) {
        try await $0.borrow($1)
      }
    }
    loans = {
      try await double.intercept(.loans, failure: { LoanError($0) as any Error }) { try await $0.loans() }
    }
  }

  func intercepted(by interceptors: Interceptor<LoanClient>..., time: Time = .system) -> LoanClient {
    LoanClient(Intercepted(self, by: .all(interceptors), time: time))
  }
}

extension Contract where Subject == LoanClient {
  static var loanClient: Self {
    Contract("loan-client") {
      Clause("loan-client.listed", "A loan is listed.") { trial in
        let loan = try await trial.subject.borrow("Emma")
        trial.expect(try await trial.subject.loans(), equals: [loan], "the loans")
      }
      Clause("loan-client.server", "A failure of the server is reported as one.") { trial in
        try await trial.given(.serverFails)
        await trial.expect(throws: LoanError.unavailable) { try await trial.subject.loans() }
      }
    }
  }
}

extension Implementation where Subject == LoanClient {
  static var inMemory: Self {
    .double("in-memory", LoanClient(InMemoryLoanService())) { LoanClient($0) }
  }

  static var live: Self {
    .live(over: library()) { transport, _ in
      LoanClient(LiveLoanService(session: URLSession(configuration: .over(transport)), url: loansURL))
    }
  }
}

@Suite(.stallLimit()) struct FromSwiftDependencies {
  @Test(arguments: Contract.loanClient.checks(of: .inMemory, .live))
  func honours(_ check: ContractCheck<LoanClient>) async throws { try await check.run() }

  @Test func theSecondLoanFails() async throws {
    let client = LoanClient(InMemoryLoanService())
      .intercepted(by: .faults(.on(.borrow, call: 2, .connectionLost)))
    _ = try await client.borrow("Emma")
    await #expect(throws: LoanError.unavailable) { try await client.borrow("Dune") }
  }
}

// MARK: - FromReplay

@Suite(.stallLimit(), .recordings("loans", in: .module, upstream: InProcessTransport(to: library())))
struct FromReplay {
  @Test func lists() async throws {
    let service = LiveLoanService(session: URLSession(configuration: .over(.recorded)), url: loansURL)
    let loan = try await service.borrow("Emma")
    #expect(try await service.loans() == [loan])
  }
}

// MARK: - XcodeProjects

private final class BundleToken {}

extension Bundle {
  fileprivate static let tests = Bundle(for: BundleToken.self)
}

@Suite(.stallLimit()) struct XcodeProjects {
  @Test(.recording("loans/lists", in: .tests, upstream: InProcessTransport(to: library())))
  func lists() async throws {
    let service = LiveLoanService(session: URLSession(configuration: .over(.recorded)), url: loansURL)
    let loan = try await service.borrow("Emma")
    #expect(try await service.loans() == [loan])
  }
}

// MARK: - FromWireMock

@Suite(.stallLimit()) struct FromWireMock {
  @Test func stubsFaultsAndVerification() async throws {
    let log = CallLog<StubBackend>(expecting: .exactly(2, .post("/loans")), .atLeast(1, .get("/loans")))
    let server = try await MockServer(
      library(), faults: .on(.post("/loans"), call: 2, .connectionLost),
      .on(.get("/loans"), .latency(.seconds(2))), by: .log(log), time: TestClock(.immediate).time)
    let service = LiveLoanService(url: server.url)
    let loan = try await service.borrow("Emma")
    await #expect(throws: LoanError.unavailable) { try await service.borrow("Dune") }
    #expect(try await service.loans() == [loan])
    try log.verify()
    await server.close()
  }
}
