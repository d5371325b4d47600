/// Model-based testing of a service: its commands are tried in sequences that nobody wrote, alone and at the same time, and
/// each answer must be one that a simple reference model allows.
///
/// An exploration is a value that can be kept beside the contract of the service:
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
/// What fails is shrunk, and reported as Swift that can be pasted into a test.
public struct Exploration<Command: ExplorationCommand>: Sendable {
  /// The service.
  public typealias Subject = Command.Subject
  /// The reference model.
  public typealias Model = Command.Model

  /// The service that it is about, in one word, such as `todos`.
  public let name: String

  /// The static member that gives it, such as `todoService`.
  let member: String
  let invariants: [Invariant<Subject, Model>]
  let model: @Sendable (Trial<Subject>) async throws -> Model

  /// An exploration.
  ///
  /// - Parameters:
  ///   - name: The service, in one word.
  ///   - invariants: What holds after each command of a sequence, beside what the model says of answers.
  ///   - member: The static member that it is made in, for the Swift of findings.
  ///   - model: The model of a fresh stage. What it has to know of the stage, such as who is signed in, it gets by asking
  ///     the trial for a condition.
  public init(
    _ name: String, invariants: [Invariant<Subject, Model>] = [], member: String = #function,
    model: @escaping @Sendable (_ trial: Trial<Subject>) async throws -> Model
  ) {
    self.name = name
    self.invariants = invariants
    self.member = member
    self.model = model
  }
}
