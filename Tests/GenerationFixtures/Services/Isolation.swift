/// On the main actor, and for classes, so that it can be set.
@MainActor public protocol NoteScreen: AnyObject, Sendable {
  var title: String { get set }
  func save(_ note: String) async throws(TodoError) -> Int
  func shown() -> [String]
  nonisolated func prefetch() async throws -> Int
}

/// A global actor of the adopter's.
@globalActor public actor StorageActor {
  /// The one that there is.
  public static let shared = StorageActor()
}

/// On a global actor of the adopter's.
@StorageActor public protocol Storage: Sendable {
  func store(_ bytes: [UInt8]) async throws -> Int
  func size() -> Int
}

/// Isolation of single requirements.
public protocol Mixed: Sendable {
  @MainActor func show(_ text: String) async throws -> String
  @MainActor func edit(_ draft: Draft) async throws -> Int
  @MainActor func shown() -> Int
  @MainActor var isShown: Bool { get }
  @concurrent func compute(_ number: Int) async throws -> Int
  nonisolated(nonsending) func stay(_ number: Int) async throws -> Int
  func on(_ actor: isolated (any Actor)?, _ number: Int) async throws -> Int
  func send(_ numbers: sending [Int]) async throws -> sending [Int]
}

/// For classes, on no actor.
public protocol Beacon: AnyObject, Sendable {
  func blink(_ times: Int) async throws(TodoError)
  func colour() -> String
}

/// For actors.
public protocol Safe: Actor {
  var total: Int { get }
  func add(_ coins: Int) throws(TodoError)
  func open(_ code: String) async throws(TodoError) -> Bool
  nonisolated func name() -> String
}

/// Says nothing of `Sendable`.
public protocol Loose {
  func run() async throws -> Int
}

/// For nested protocols.
public enum Shelf {
  /// In a type.
  public protocol Source: Sendable {
    func take() async throws(TodoError) -> Todo
  }
}

/// Known in the package alone.
package protocol Ledger: Sendable {
  func entries() async throws(TodoError) -> [Int]
}

/// Known in the module alone.
protocol Diary: Sendable {
  func pages() async throws(TodoError) -> Int
}
