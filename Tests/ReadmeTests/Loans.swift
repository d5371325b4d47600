import Foundation
import Observation
import Understudy
import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The app of several articles: the books that a user has borrowed.

protocol LoanService: Sendable {
  /// Borrows a book.
  ///
  /// - Throws: `.alreadyBorrowed` if the user has it.
  func borrow(_ book: String) async throws(LoanError) -> Loan

  /// All loans, the oldest first.
  func loans() async throws(LoanError) -> [Loan]
}

struct Loan: Codable, Hashable, Sendable {
  let id: Int
  let book: String
}

enum LoanError: Error, Hashable {
  case alreadyBorrowed, offline, unavailable

  init(_ fault: Fault) {
    switch fault.symptom {
    case .conflict: self = .alreadyBorrowed
    case .offline, .unreachable: self = .offline
    default: self = .unavailable
    }
  }
}

/// The loans on a server.
struct LiveLoanService: LoanService {
  var session = URLSession.shared
  let url: URL

  func borrow(_ book: String) async throws(LoanError) -> Loan {
    var request = URLRequest(url: url.appending(path: "loans"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try? JSONEncoder().encode(["book": book])
    return try await send(request)
  }

  func loans() async throws(LoanError) -> [Loan] {
    try await send(URLRequest(url: url.appending(path: "loans")))
  }

  private func send<Value: Decodable>(_ request: URLRequest) async throws(LoanError) -> Value {
    do {
      let (data, response) = try await session.data(for: request)
      if (response as? HTTPURLResponse)?.statusCode == 409 { throw LoanError.alreadyBorrowed }
      return try JSONDecoder().decode(Value.self, from: data)
    } catch let error as LoanError {
      throw error
    } catch let error as URLError {
      throw error.code == .notConnectedToInternet ? .offline : .unavailable
    } catch {
      throw .unavailable
    }
  }
}

@MainActor @Observable final class LoansViewModel {
  private(set) var loans: [Loan] = []
  private(set) var isLoading = false
  private(set) var message: String?
  private let service: any LoanService

  init(service: any LoanService) {
    self.service = service
  }

  func borrow(_ book: String) async {
    await act { () async throws(LoanError) in loans.append(try await service.borrow(book)) }
  }

  func load() async {
    await act { () async throws(LoanError) in loans = try await service.loans() }
  }

  private func act(_ body: () async throws(LoanError) -> Void) async {
    isLoading = true
    message = nil
    defer { isLoading = false }
    do throws(LoanError) {
      try await body()
    } catch .alreadyBorrowed {
      message = "You have this book already."
    } catch .offline {
      message = "You are offline."
    } catch {
      message = "Please try again later."
    }
  }
}

// MARK: - The double

struct InMemoryLoanService: LoanService {
  private let stored = Locked<[Loan]>([])

  func borrow(_ book: String) async throws(LoanError) -> Loan {
    try stored.withLock { loans throws(LoanError) in
      if loans.contains(where: { $0.book == book }) { throw .alreadyBorrowed }
      let loan = Loan(id: loans.count + 1, book: book)
      loans.append(loan)
      return loan
    }
  }

  func loans() async throws(LoanError) -> [Loan] { stored.withLock { $0 } }
}

extension Intercepted.Operation where Base: LoanService {
  static var borrow: Self { Self("borrow") }
  static var loans: Self { Self("loans") }
}

extension Intercepted: LoanService where Base: LoanService {
  func borrow(_ book: String) async throws(LoanError) -> Loan {
    try await intercept(.borrow, book, failure: LoanError.init) { base, book throws(LoanError) in
      try await base.borrow(book)
    }
  }

  func loans() async throws(LoanError) -> [Loan] {
    try await intercept(.loans, failure: LoanError.init) { base throws(LoanError) in
      try await base.loans()
    }
  }
}

// MARK: - The backend

/// The library in this process: stubs that share the loans.
func library() -> StubBackend {
  StubBackend(state: [Loan]()) { loans in
    Stub(.get, "/loans") { _ in try .json(loans.value) }
    Stub(.post, "/loans") { call in
      let book = try call.decode([String: String].self)["book"] ?? ""
      let loan: Loan? = loans.update { loans in
        if loans.contains(where: { $0.book == book }) { return nil }
        loans.append(Loan(id: loans.count + 1, book: book))
        return loans.last
      }
      return try loan.map { try .json($0, status: 201) } ?? HTTP.Response(status: 409)
    }
  }
}

// MARK: - The contract

extension Contract where Subject == any LoanService {
  static var loans: Self {
    Contract("loans") {
      Clause("loans.borrow.listed", "Each loan has its own identifier, and is listed.") { trial in
        let emma = try await trial.subject.borrow("Emma")
        let dune = try await trial.subject.borrow("Dune")
        trial.expect([emma.book, dune.book], equals: ["Emma", "Dune"], "the books")
        trial.expect(emma.id != dune.id, "Expected two identifiers.")
        trial.expect(try await trial.subject.loans(), equals: [emma, dune], "the loans")
      }
      Clause("loans.borrow.twice", "A book that the user has is refused.") { trial in
        let loan = try await trial.subject.borrow("Emma")
        await trial.expect(throws: LoanError.alreadyBorrowed) { try await trial.subject.borrow("Emma") }
        trial.expect(try await trial.subject.loans(), equals: [loan], "the loans")
      }
      Clause("loans.offline", "Without a network, a call reports that the user is offline.") { trial in
        try await trial.given(.offline)
        await trial.expect(throws: LoanError.offline) { try await trial.subject.loans() }
      }
    }
  }
}

extension Implementation where Subject == any LoanService {
  static var inMemory: Self { .double("in-memory", InMemoryLoanService()) { $0 } }

  static var live: Self {
    .live(over: library()) { transport, _ in
      LiveLoanService(session: URLSession(configuration: .over(transport)), url: loansURL)
    }
  }
}

/// The transport answers, whatever the address.
let loansURL = URL(string: "http://library.invalid") ?? URL(filePath: "/")
