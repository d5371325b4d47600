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
