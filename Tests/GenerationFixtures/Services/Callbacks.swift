public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What may cancel a call.
public protocol Cancelling: Sendable {
  func cancel()
}

/// An account of a user, with completion handlers in the forms that apps have.
public protocol AccountService: Sendable {
  typealias Completion<Value> = @Sendable (Result<Value, TodoError>) -> Void

  func name(_ completion: @escaping @Sendable (Result<String, TodoError>) -> Void)
  func names(of ids: [Int], completion: @escaping Completion<[String]>)
  func close(completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
  func rename(_ name: String, completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
  func delete(completion: (@Sendable ((any Error)?) -> Void)?)
  func picture(
    at url: URL,
    completion: @escaping @Sendable (_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Void
  ) -> any Cancelling
  func friends(completion: @escaping @Sendable ([String], NSError?) -> Void) -> (any Cancelling)?
  func age(onSuccess: @escaping @Sendable (Int) -> Void, onFailure: @escaping @Sendable (TodoError) -> Void)
  func ping(success: @escaping @Sendable () -> Void, failure: @escaping @Sendable (any Error) -> Void)
  /// Its handler is on the main actor.
  func badge(_ completion: @escaping @MainActor @Sendable (Result<Int, TodoError>) -> Void)
  /// Its handler is not `Sendable`, and neither is its answer.
  func parcel(_ answer: String, _ completion: @escaping (Result<Parcel, TodoError>) -> Void)
  /// Its handler has no place for an error, so that it is only logged.
  func progress(_ handler: @escaping @Sendable (Double) -> Void)
}

/// A store that answers at once.
public protocol DraftStore: Sendable {
  func save(_ draft: String) throws(TodoError)
  func remove(_ draft: String) throws
  func drafts() -> Result<[String], TodoError>
  var count: Int { get throws }
  /// A state, so that it is only logged.
  var latest: Result<String, TodoError> { get }
  subscript(_ place: Int) -> String { get throws(TodoError) }
}

/// Methods that start a task, requirements of types, and protocols to which `Intercepted` conforms.
public protocol Downloading: Identifiable, Hashable, Sendable where ID == Int {
  static var limit: Int { get }
  init?(id: Int)
  func start(_ name: String) -> Task<Int, any Error>
  func wait() -> Task<Int, Never>
}

/// An initializer, a requirement of the type, and a task.
public protocol Uploading: Sendable {
  static var limit: Int { get }
  init?(id: Int)
  func start(_ name: String) -> Task<Int, any Error>
}

/// A client as apps built on a library of dependencies have it.
public struct LoanClient: Sendable {
  /// Borrows a book, for some days.
  public var borrow: @Sendable (_ title: String, _ days: Int) async throws -> Int
  /// The borrowed books.
  public var loans: @Sendable () async throws(TodoError) -> [String]
  /// The numbers of loans from now on.
  public var changes: @Sendable (String) -> AsyncThrowingStream<Int, any Error>
  /// The number of loans.
  public var count: @Sendable () throws -> Int
  /// Finds a loan.
  public var find: @Sendable (Int, @escaping @Sendable (Result<String, TodoError>) -> Void) -> Void
  /// Whether it is open.
  public var isOpen: @Sendable () -> Bool
  /// A value, which stays.
  public var name: String

  /// A client of closures.
  public init(
    borrow: @escaping @Sendable (_ title: String, _ days: Int) async throws -> Int,
    loans: @escaping @Sendable () async throws(TodoError) -> [String],
    changes: @escaping @Sendable (String) -> AsyncThrowingStream<Int, any Error>,
    count: @escaping @Sendable () throws -> Int,
    find: @escaping @Sendable (Int, @escaping @Sendable (Result<String, TodoError>) -> Void) -> Void,
    isOpen: @escaping @Sendable () -> Bool, name: String
  ) {
    self.borrow = borrow
    self.loans = loans
    self.changes = changes
    self.count = count
    self.find = find
    self.isOpen = isOpen
    self.name = name
  }
}
