import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of the article about XCTest. The app is in Loans.swift.

final class LoansScreenTests: XCTestCase {
  @MainActor func testTheUserIsOffline() async throws {
    let plan = FaultPlan<InMemoryLoanService>(.on(.borrow, .offline))
    let service = Intercepted(InMemoryLoanService(), by: .faults(plan))
    let timeline = StateTimeline(of: LoansViewModel(service: service)) { $0.message ?? "\($0.isLoading)" }
    await timeline.subject.borrow("Emma")
    XCTAssertEqual(timeline.states, ["false", "true", "You are offline."])
    XCTAssertEqual(plan.injections.count, 1)
  }

  @MainActor func testTheScreenIsLoadingMeanwhile() async throws {
    let gate = Gate<InMemoryLoanService>(.loans)
    let screen = LoansViewModel(service: Intercepted(InMemoryLoanService(), by: .gate(gate)))
    async let loaded: Void = screen.load()
    let call = try await gate.next()
    XCTAssertTrue(screen.isLoading)
    call.proceed()
    await loaded
    XCTAssertFalse(screen.isLoading)
  }

  func testBorrowingOverARecording() async throws {
    try await withRecordingSession(
      "loans/lists", in: .module, upstream: InProcessTransport(to: library()),
      hasPassed: { testRun?.totalFailureCount == 0 }
    ) { session in
      let service = LiveLoanService(session: URLSession(configuration: .over(session)), url: loansURL)
      let loan = try await service.borrow("Emma")
      let loans = try await service.loans()
      XCTAssertEqual(loans, [loan])
    }
  }

  func testTheContract() async throws {
    for check in Contract.loans.checks(of: .live, .inMemory) { try await check.run() }
  }
}
