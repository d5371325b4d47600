public import Foundation

/// Adopted by the tests of `adopt`: documented in part, with calls, a stream, and a value that only it can make.
public protocol LendingService: Sendable {
  /// Lends a copy for some days. Fails if none is left.
  func lend(_ copy: Copy.ID, to reader: Reader, days: Int) async throws(LendingError) -> Loan
  /// All loans; the newest first.
  func loans() async throws(LendingError) -> [Loan]
  func reminders() -> AsyncStream<String>
  func latest() async -> Loan
  func forget(_ reader: Reader) async
}

/// A copy of a book.
public struct Copy: Hashable, Identifiable, Sendable {
  /// The number on the shelf.
  public let id: UUID
}

/// A person who borrows.
public struct Reader: Hashable, Sendable {
  /// How long a reader may keep a copy.
  public enum Card: Hashable, Sendable {
    case teacher(school: String)
    case regular
  }

  /// The name.
  public let name: String
  /// The kind of card.
  public let card: Card

  /// A reader.
  public init(name: String, card: Card, isNew: Bool = false) {
    self.name = name
    self.card = card
  }
}

/// Only the service makes one.
public struct Loan: Hashable, Sendable {
  /// The copy.
  public let copy: Copy.ID
}

/// Why a copy is not lent.
public enum LendingError: Error, Hashable {
  case signedOut, noneLeft, copyNotFound, alreadyTaken
  case tooManyRequests(retryAfter: Int?)
  case refused(status: Int)
  case noConnection, requestTimedOut
  case unknown
}

/// Known in the module alone, isolated, not `Sendable`, with plain throws: the error is the one that it names.
///
/// It throws `CatalogueFailure`.
@MainActor protocol Catalogue: AnyObject {
  var isOpen: Bool { get }
  var title: String { get set }
  func titles(containing text: String) async throws -> [String]
}

/// Not an error of ``Catalogue``, and without a case that can be made.
public enum ClosedError: Error {
  case because(any CustomStringConvertible & Sendable)
}

/// Throws what cannot be made.
protocol ClosedShelf: Sendable {
  func open() async throws(ClosedError)
}

/// How a catalogue fails.
struct CatalogueFailure: Error {
  let code: Int
  let message: String
}
