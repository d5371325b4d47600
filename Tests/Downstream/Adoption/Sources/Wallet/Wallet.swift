import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The number of a card.
public typealias CardNumber = UUID
/// The status of a response.
public typealias StatusCode = Int
/// What cards hold, as it changes.
public typealias Balances = AsyncThrowingStream<[CardNumber: Decimal], any Error>
/// A payment, or why it failed.
public typealias Outcome = Result<Payment, WalletError>
/// What is done with an outcome.
public typealias Confirmation = (Outcome) -> Void

/// What was paid.
///
/// Nothing says that it is `Sendable`.
public struct Payment: Codable, Equatable {
  /// The card.
  public let card: CardNumber
  /// The amount.
  public var amount: Decimal

  /// A payment.
  public init(card: CardNumber, amount: Decimal) {
    self.card = card
    self.amount = amount
  }
}

/// Where to pay.
///
/// It is made from a text that may be wrong.
public struct Terminal: Hashable {
  /// The number.
  public let number: Int

  /// A terminal with the number in a text.
  public init?(scanning text: String) {
    guard let number = Int(text) else { return nil }
    self.number = number
  }
}

/// Why the wallet failed.
public enum WalletError: Error {
  /// The failures.
  case missingCard
  /// It is not above zero.
  case invalidAmount
  /// That of a session.
  case underlying(any Error)
}

/// Type aliases, as the name of a type, of a `Result`, of a stream and of a function.
public protocol WalletServiceInterface: AnyObject {
  var owner: String? { get async }
  var onPayment: Confirmation? { get set }

  /// Reads a card
  /// - Parameters:
  ///   - number: The number of the card.
  ///   - isFresh: Whether it asks the bank.
  func balance(of number: CardNumber, isFresh: Bool) async throws -> Decimal

  /// Pays.
  ///
  /// - Parameter terminal: Where to pay; it's scanned.
  func pay(_ amount: Decimal, at terminal: Terminal) async -> Outcome
  func refund(_ payment: Payment) async -> Outcome
  func balances(of numbers: [CardNumber]) -> Balances
  func settle(_ payment: Payment, then confirm: Confirmation?)
  func round(_ amount: inout Decimal) async throws
  func scan(
    _ image: Data, progress: @escaping (Double) -> Void, whenSlow: (() -> Void)?
  ) async throws -> Payment
}

/// What a bank serves.
///
/// Its error has no case for a network that fails.
protocol BankAPI: HTTPService {
  /// The bank's rates.
  func rates() async throws -> [String: Double]
  func send(_ payment: Payment) async throws
}

/// A client with a session of its own.
protocol HTTPService {
  var session: URLSession { get }
  var address: URL { get }
}

enum BankError: Error, Equatable {
  case invalidURL
  case status(StatusCode)
  case malformedAnswer
}

/// Its error has no case that a fault could be.
protocol PassReader: Sendable {
  func read(_ pass: Data, from issuer: URL) async throws -> String
}

enum PassReaderError: Error {
  case noReaderSelected
}
