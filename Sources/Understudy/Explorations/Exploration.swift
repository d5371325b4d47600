/// Model-based testing of a service.
///
/// Generated commands run in sequence and concurrently, and each answer must be one that a simple reference model
/// allows.
///
/// An exploration is a value that can be declared next to the contract of the service:
///
/// ```swift
/// extension Exploration where Command == TodoCommand {
///   static var todoService: Self {
///     Exploration("todos") { _ in TodoModel() }
///   }
/// }
///
/// @Test func explored() async throws { try await Exploration.todoService.run(on: .inMemory) }
/// ```
///
/// A failing program is shrunk, and reported as Swift code for a test.
public struct Exploration<Command: ExplorationCommand>: Sendable {
  /// The service type.
  package typealias Subject = Command.Subject
  /// The reference model type.
  package typealias Model = Command.Model

  /// The service to explore, in one word, such as `todos`.
  package let name: String

  /// The static member that declares the exploration, such as `todoService`.
  let member: String
  let invariants: [Invariant<Subject, Model>]
  let model: @Sendable (Trial<Subject>) async throws -> Model

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - name: The service, in one word.
  ///   - invariants: Invariants that are checked after each command of a sequence, in addition to the model.
  ///   - member: The static member that declares the exploration, for the Swift code in failures.
  ///   - model: Makes the model of a fresh environment. It requests what it needs to know of the environment, such as
  ///     the signed-in user, as a condition of the trial.
  public init(
    _ name: String, invariants: [Invariant<Command.Subject, Command.Model>] = [], member: String = #function,
    model: @escaping @Sendable (_ trial: Trial<Command.Subject>) async throws -> Command.Model
  ) {
    self.name = name
    self.invariants = invariants
    self.member = member
    self.model = model
  }
}

/// A property that holds whenever no call is in progress.
public struct Invariant<Subject: Sendable, Model: Sendable>: Sendable {
  /// The property in one sentence.
  package let statement: String

  let holds: @Sendable (Model, Subject) async throws -> Bool

  /// Creates an invariant, which is checked after each command of a sequence.
  ///
  /// - Parameters:
  ///   - statement: The property in one sentence.
  ///   - holds: Returns whether the property holds. It may call the service, but must not change anything. An error
  ///     that it throws is a violation.
  public init(
    _ statement: String, holds: @escaping @Sendable (_ model: Model, _ subject: Subject) async throws -> Bool
  ) {
    self.statement = statement
    self.holds = holds
  }
}

/// A reference to a resource that is not a value, such as an open stream, for use in a model.
///
/// Two handles are equal if they are identical.
package final class Handle<Value: Sendable>: Sendable, Hashable {
  /// The resource.
  package let value: Value

  /// Creates a handle.
  package init(_ value: Value) {
    self.value = value
  }

  /// Whether both are the same handle.
  package static func == (one: Handle, other: Handle) -> Bool { one === other }

  /// Hashes the identity of the handle.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// The number and length of the programs of an exploration.
public struct ExplorationSize: Sendable, Hashable {
  /// The number of sequences, each in a fresh environment.
  package let sequences: Int
  /// The number of commands in a sequence.
  package let length: Int
  /// The number of programs with concurrent branches, each in a fresh environment.
  package let programs: Int

  /// Creates a size.
  ///
  /// Numbers are clamped to the range from 0 to 1,000,000,000.
  public init(sequences: Int = 100, length: Int = 30, programs: Int = 500) {
    self.sequences = Self.clamped(sequences)
    self.length = Self.clamped(length)
    self.programs = Self.clamped(programs)
  }

  /// A size for in-memory services: the exploration takes a fraction of a second.
  public static let standard: ExplorationSize = ExplorationSize()

  /// This size with the number of sequences and programs multiplied by a factor.
  package func times(_ factor: Int) -> ExplorationSize {
    func times(_ number: Int) -> Int {
      let (product, overflows) = number.multipliedReportingOverflow(by: Self.clamped(factor))
      return overflows ? .max : product
    }
    return ExplorationSize(sequences: times(sequences), length: length, programs: times(programs))
  }

  private static func clamped(_ number: Int) -> Int { min(max(0, number), 1_000_000_000) }
}
