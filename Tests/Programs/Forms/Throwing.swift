// How a call fails. `.ci/forms` reads the comments above the protocols.

import Foundation

enum ShopError: Error {
  case offline, soldOut
}

enum PaymentError: Error {
  case declined(String)
}

struct TransferError: Error {
  let code: Int
  let underlying: (any Error)?
}

struct Rejected<Reason: Sendable>: Error {
  let reason: Reason
}

enum Depot {
  enum Failure: Error {
    case closed
  }
}

struct Article: Hashable, Sendable {
  let name: String
}

// generated --failure ShopError.init
protocol AsyncThrows: Sendable {
  func articles() async throws -> [Article]
  func order(_ article: Article) async throws
}

// generated --failure ShopError.init(_:of:)
protocol FailsWithPartsOfCalls: AnyObject, Sendable {
  func order(_ article: Article, times count: Int) async throws
  func articles() throws -> [Article]
  func changes(of article: Article) async throws -> AsyncThrowingStream<Article, Error>
  func news() -> AsyncThrowingStream<Article, Error>
  func cancel(_ article: Article, completion: @escaping @Sendable (Result<Void, Error>) -> Void)
  func ship(_ article: Article) -> Task<Int, Error>
  func pay(_ article: inout Article) async throws
}

// generated
protocol AsyncTypedThrows: Sendable {
  func articles() async throws(ShopError) -> [Article]
  @discardableResult func order(_ article: Article, times count: Int) async throws(ShopError) -> Int
}

// generated
// delayed: count, close, total
protocol AsyncOnly: Sendable {
  func count() async -> Int
  func close() async
  func total() async throws(Never) -> Int
}

// generated
// logged: count, close
protocol Synchronous: Sendable {
  func count() -> Int
  func close()
}

// generated --failure ShopError.init
protocol SynchronousThrows: Sendable {
  func articles() throws -> [Article]
  func order(_ article: Article) throws
}

// generated
protocol SynchronousTypedThrows: Sendable {
  func articles() throws(ShopError) -> [Article]
  func order(_ article: Article) throws(ShopError)
}

// generated
protocol SynchronousResult: Sendable {
  func price(of article: Article) -> Result<Int, ShopError>
}

// generated --failure ShopError.init
protocol SynchronousResultOfAnyError: Sendable {
  func price(of article: Article) -> Result<Int, Error>
}

// generated
protocol AsyncResult: Sendable {
  func price(of article: Article) async -> Result<Int, ShopError>
  func close() async -> Result<Void, ShopError>
}

// generated --failure ShopError.init
protocol AsyncResultOfAnyError: Sendable {
  func price(of article: Article) async -> Swift.Result<Int, any Swift.Error>
}

// generated
// delayed: price
protocol AsyncResultWithoutError: Sendable {
  func price(of article: Article) async -> Result<Int, Never>
}

// generated --failure ShopError.init
protocol ErrorsOfThreeKinds: Sendable {
  func reserve() async throws(ShopError)
  func ship() async throws
  func pay() async throws(PaymentError)
}

// generated --failure PaymentError.init
protocol SynchronousErrorsOfThreeKinds: Sendable {
  func reserve() throws(ShopError)
  func ship() throws
  func pay() throws(PaymentError)
}

// generated --failure TransferError.init
protocol StructureAsError: Sendable {
  func transfer(_ amount: Decimal) async throws(TransferError) -> Int
  func receipts() async throws -> [String]
}

// generated
protocol NestedError: Sendable {
  func open() async throws(Depot.Failure)
}

// generated
protocol GenericError: Sendable {
  func check() async throws(Rejected<String>)
}

// generated
protocol FoundationError: Sendable {
  func download(_ url: URL) async throws(URLError) -> Data
}

// generated
protocol AliasedError: Sendable {
  typealias Failure = ShopError
  func open() async throws(Failure)
  func price() async -> Result<Int, Failure>
}

// generated --failure '{ ShopError($0) }'
protocol FailureIsAClosure: Sendable {
  func open() async throws
}

// refused: each(_:): it rethrows
protocol Rethrows: Sendable {
  func each(_ body: (Article) throws -> Void) rethrows
}

// refused: attempt(_:): it throws a type that the caller chooses
protocol ThrowsWhatTheCallerChooses: Sendable {
  func attempt<Failure: Error>(_ work: @Sendable () async throws(Failure) -> Int) async throws(Failure) -> Int
}

// refused --write unimplemented: result(of:): it is generic and does not throw
// generated --write intercepted
// delayed: result
protocol ResultThatTheCallerChooses: Sendable {
  func result<Failure: Error>(of work: @Sendable () async throws(Failure) -> Int) async -> Result<
    Int, Failure
  >
}
