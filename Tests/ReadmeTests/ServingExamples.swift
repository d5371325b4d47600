import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

// The code of the article about serving. The backend is in Loans.swift.

@Suite(.stallLimit()) struct ServingExamples {
  @Test func aLoanIsStoredThoughItsAnswerIsLost() async throws {
    let log = CallLog<StubBackend>()
    let server = try await MockServer(
      library(), faults: .on(.post("/loans"), call: 1, .emptyReply), by: .log(log))
    let service = LiveLoanService(url: server.url)
    await #expect(throws: LoanError.unavailable) { try await service.borrow("Emma") }
    await #expect(throws: LoanError.alreadyBorrowed) { try await service.borrow("Emma") }
    #expect(log.count(of: .post("/loans")) == 2)
    await server.close()
  }
}
