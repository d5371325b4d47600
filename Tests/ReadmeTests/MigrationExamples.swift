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

extension Intercepted.Operation where Base == LoanClient {
  static var borrow: Self { Self("borrow") }
  static var loans: Self { Self("loans") }
}

extension LoanClient {
  init(_ double: Intercepted<LoanClient>) {
    self.init(
      borrow: { book in
        try await double.intercept(.borrow, book, failure: { LoanError($0) as any Error }) {
          try await $0.borrow($1)
        }
      },
      loans: {
        try await double.intercept(.loans, failure: { LoanError($0) as any Error }) { try await $0.loans() }
      })
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
    let double = Intercepted(
      LoanClient(InMemoryLoanService()), by: .faults(.on(.borrow, call: 2, .connectionLost)))
    let client = LoanClient(double)
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
