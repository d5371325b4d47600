public import Foundation

/// Errors with values, and results without a usual value.
public protocol PaymentGateway: Sendable {
  func pay(
    _ amount: Decimal, currency: String, with method: PaymentMethod
  ) async throws(PaymentError) -> Receipt
  func refund(_ receipt: Receipt, reason: String?) async throws(PaymentError)
  func methods() async -> [PaymentMethod]
  func limits() async -> (daily: Decimal, monthly: Decimal)
  func latest() async -> Receipt
}

/// How to pay.
public enum PaymentMethod: Hashable, Sendable {
  case card(number: String, expires: DateComponents)
  case invoice
}

/// Only the gateway makes one.
public struct Receipt: Hashable, Sendable {
  /// The number.
  public let number: String

  init(number: String) { self.number = number }
}

/// Why a payment failed.
public enum PaymentError: Error {
  case declined(reason: String)
  case unauthenticated
  case http(status: Int)
  case transport(underlying: any Error)
  case decoding(DecodingError)
  case tooManyRequests(retryAfter: TimeInterval)
}
