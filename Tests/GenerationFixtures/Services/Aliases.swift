public import Foundation

/// The number of a box.
public typealias BoxNumber = UUID
/// The status of an answer.
public typealias StatusNumber = Int
/// What became of a letter.
public typealias Delivery = Result<Int, DeliveryError>
/// What becomes of letters.
public typealias Deliveries = AsyncThrowingStream<Int, any Error>
/// What is done after a delivery.
public typealias Receipt = (Delivery) -> Void

/// What became of anything.
public typealias Outcome<Value> = (Result<Value, DeliveryError>)

/// Type aliases, which decide how a requirement is intercepted.
public protocol Mailroom: Sendable {
  func deliver(to box: BoxNumber) async -> Delivery
  func deliveries() -> Deliveries
  func announce(_ receipt: Receipt?)
  func weigh(_ letters: [Int]) async -> Outcome<[Int: Double]>
  func stamp(_ letters: [Int], progress: @escaping (Double) -> Void, done: Receipt?)
    async throws(DeliveryError)
}

/// Why a letter is not delivered.
public enum DeliveryError: Error {
  case offline, unknownBox
}

/// A service whose error has no case for a failing network.
public protocol SorterService: Sendable {
  /// Sorts the letters
  /// - Parameter box: That of the reader's own letters.
  /// - Returns: Their number.
  func sort(_ box: BoxNumber) async throws -> Int
  /// Only the type of the result distinguishes it.
  func sort(_ box: BoxNumber) async throws -> [String: Int]
  func count() async throws -> Int
}

/// Why letters are not sorted.
public enum SorterError: Error {
  case invalidAddress
  case missingStamp
  case status(StatusNumber)
  case malformedAnswer
}
