/// A deliberately wrong implementation: right but for one mistake, which names the clauses that must notice it.
///
/// A contract that lets a mutant pass promises less than it says. Wrap a right implementation, make one mistake, and
/// say which clauses fail and why:
///
/// ```swift
/// extension Mutant where Subject == any TodoService {
///   static var all: [Mutant] {
///     [
///       Mutant(
///         "forgets", "Adds nothing.", of: .inMemory, killedBy: ["todos.add.listed": "Expected the items to be"]
///       ) { ForgetfulTodoService(base: $0) }
///     ]
///   }
/// }
/// ```
public struct Mutant<Subject: Sendable>: Sendable {
  /// A name for reports, in one word, such as `loses-goals`.
  public let name: String
  /// What is wrong, in one sentence.
  public let mistake: String
  /// The right implementation that it is made of.
  let base: Implementation<Subject>
  /// The wrong one.
  package let implementation: Implementation<Subject>
  /// The clauses that must fail, each with words of the violation that only this mistake explains.
  let killers: [(clause: String, words: String)]

  /// A mutant that wraps the subject of a right implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - mistake: What is wrong, in one sentence.
  ///   - base: The right implementation; it must keep every clause that the mutant breaks.
  ///   - killers: The clauses that must fail by their identifiers, and words that must stand in one of their
  ///     violations: another failure is an accident.
  ///   - wrap: Makes the mistake.
  public init(
    _ name: String, _ mistake: String, of base: Implementation<Subject>,
    killedBy killers: KeyValuePairs<String, String>, wrap: @escaping @Sendable (Subject) -> Subject
  ) {
    self.init(name, mistake, of: base, as: base.wrapping(as: name, wrap), killedBy: killers)
  }

  /// A mutant whose whole stage is another one, for a mistake that lies beneath the subject.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - mistake: What is wrong, in one sentence.
  ///   - base: The right implementation; it must keep every clause that the mutant breaks.
  ///   - implementation: The wrong one.
  ///   - killers: As above.
  public init(
    _ name: String, _ mistake: String, of base: Implementation<Subject>,
    as implementation: Implementation<Subject>, killedBy killers: KeyValuePairs<String, String>
  ) {
    self.name = name
    self.mistake = mistake
    self.base = base
    self.implementation = implementation
    self.killers = killers.map { ($0.key, $0.value) }
  }
}
