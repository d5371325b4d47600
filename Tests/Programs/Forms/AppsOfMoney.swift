// Services as those of apps for banks and shops.

import Foundation

enum BankError: Error, Equatable {
  case offline
  case insufficientFunds(available: Decimal)
  case locked(until: Date?)
}

struct Account: Identifiable, Hashable, Sendable {
  let id: UUID
  var name: String
  var balance: Decimal
}

struct Transfer: Hashable, Codable, Sendable {
  let amount: Decimal
  let reference: String?
}

/// The answer of a bank, a class of older code.
class Statement {
  var lines: [String] = []
}

// generated
// logged: cachedAccounts
// delayed: signOut
protocol BankingService: Sendable {
  var cachedAccounts: [Account] { get }
  func accounts() async throws(BankError) -> [Account]
  func account(_ id: Account.ID) async throws(BankError) -> Account?
  func transfer(_ transfer: Transfer, from source: Account.ID, to target: Account.ID) async throws(BankError)
    -> UUID
  func transactions(of account: Account, after cursor: String?) -> AsyncStream<[Transfer]>
  func signOut() async
}

// generated --failure BankError.init
// logged: cancelAll
protocol StatementLoading: AnyObject {
  func loadStatement(for month: Int, year: Int, completion: @escaping (Statement?, Error?) -> Void)
  func loadDocument(at url: URL, completion: @escaping (Swift.Result<Data, Error>) -> Void) -> Progress
  func cancelAll()
}

// generated
// logged: isFrozen, observe
@MainActor protocol CardController: AnyObject {
  var isFrozen: Bool { get }
  func freeze() async throws(BankError)
  func showPin(completion: @escaping (Result<String, BankError>) -> Void)
  func observe(_ handler: @escaping @MainActor (Bool) -> Void)
}

// generated --failure BankError.init
// logged: supportedCurrencies
protocol ExchangeRates: Sendable {
  typealias Rates = [String: Decimal]
  var supportedCurrencies: Set<String> { get }
  func rates(base: String, on day: Date?) async throws -> Rates
  func convert(_ amount: Decimal, from source: String, to target: String) throws -> Decimal
  func updates(base: String) -> AsyncThrowingStream<Rates, Error>
}

struct Invoice: Codable, Identifiable, Sendable {
  var id: Int?
  var lines: [Line]

  struct Line: Codable, Sendable {
    let text: String
    let price: Decimal
  }
}

// generated
protocol InvoiceStore: Sendable {
  func save(_ invoice: inout Invoice) throws(BankError)
  func invoice(_ id: Int) throws(BankError) -> Invoice?
  func lines(of invoice: Invoice) throws(BankError) -> [Invoice.Line]
  func delete(_ id: Int) -> Result<Void, BankError>
}

struct Product: Hashable, Identifiable, Sendable {
  let id: String
  let price: Decimal
}

struct Cart: Sendable {
  var products: [Product: Int] = [:]
}

// generated
// logged: count
protocol CartService: Sendable {
  func cart() async throws(BankError) -> Cart
  @discardableResult func add(_ product: Product, count: Int) async throws(BankError) -> Cart
  @discardableResult func add(_ products: [Product]) async throws(BankError) -> Cart
  func remove(_ product: Product) async throws(BankError)
  func count(of product: Product) -> Int
  func changes() -> AsyncStream<Cart>
}

// generated --failure BankError.init
protocol CheckoutService {
  func pay(
    _ cart: Cart, with method: String, success: @escaping (_ receipt: String) -> Void,
    failure: @escaping (_ error: Error) -> Void)
  func redeem(code: String, completion: @escaping (Bool, Error?) -> Void)
  func addresses(_ completion: (([String]?, Error?) -> Void)?)
}

struct PageOf<Element: Sendable>: Sendable {
  let elements: [Element]
  let next: Int?
}

// generated
// logged: image
protocol Catalogue: Sendable {
  func products(in category: String, page: Int) async throws(BankError) -> PageOf<Product>
  func search(_ text: String) async -> Result<PageOf<Product>, BankError>
  func image(of product: Product) -> Data?
  subscript(id: Product.ID) -> Product { get async throws(BankError) }
}

// generated --failure BankError.init
// logged: isActive
// delayed: entitlements
protocol SubscriptionStore: Sendable {
  var isActive: Bool { get }
  var entitlements: Set<String> { get async }
  func products(for ids: Set<String>) async throws -> [Product]
  func purchase(_ product: Product) async throws -> Bool
  func restore() -> Task<Void, Error>
}

struct Seat: Hashable, Sendable {
  let row: Int
  let number: Int
}

// generated --failure BankError.init
// delayed: release
protocol TicketService: Sendable {
  associatedtype Event: Identifiable & Sendable
  func events(near place: (latitude: Double, longitude: Double)) async throws -> [Event]
  func seats(of event: Event.ID) async throws -> [Seat: Bool]
  func hold(_ seats: Set<Seat>, of event: Event) async throws(BankError) -> Date
  func release(_ seats: Set<Seat>) async
}

// generated
// logged: minimumBid
protocol AuctionHouse: Actor {
  var minimumBid: Decimal { get }
  func bid(_ amount: Decimal, on lot: Int) async throws(BankError)
  func bids(on lot: Int) -> AsyncStream<Decimal>
}
