/// A deliberately wrong implementation with a single mistake, and the clauses that must detect it.
///
/// A contract that lets a mutant pass is incomplete. Wrap a right implementation, make one mistake, and name the
/// clauses that fail with the reason:
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
  package let name: String
  /// The mistake, in one sentence.
  package let mistake: String
  /// The right implementation from which the mutant is made.
  let base: Implementation<Subject>
  /// The wrong implementation.
  package let implementation: Implementation<Subject>
  /// The clauses that must fail, each with words of the violation that only this mistake causes.
  let killers: [(clause: String, words: String)]

  /// Creates a mutant that wraps the subject of a right implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - mistake: The mistake, in one sentence.
  ///   - base: The right implementation; it must satisfy every clause that the mutant violates.
  ///   - killers: The identifiers of the clauses that must fail, each with words that one of the violations must
  ///     contain. A failure without these words is an accident.
  ///   - wrap: Makes the mistake.
  public init(
    _ name: String, _ mistake: String, of base: Implementation<Subject>,
    killedBy killers: KeyValuePairs<String, String>, wrap: @escaping @Sendable (Subject) -> Subject
  ) {
    self.init(name, mistake, base, base.wrapping(as: name, wrap), killers.map { ($0.key, $0.value) })
  }

  /// Creates a mutant that clauses with computed identifiers must detect, all for one reason.
  ///
  /// ```swift
  /// Mutant(
  ///   "silent", "Never fails.", of: .inMemory, killedBy: ["add", "remove"].map { "todos.\($0).refused" },
  ///   because: "to throw"
  /// ) { SilentTodoService(base: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - mistake: The mistake, in one sentence.
  ///   - base: The right implementation; it must satisfy every clause that the mutant violates.
  ///   - clauses: The identifiers of the clauses that must fail.
  ///   - words: Words that one of the violations of each of these must contain.
  ///   - wrap: Makes the mistake.
  public init(
    _ name: String, _ mistake: String, of base: Implementation<Subject>,
    killedBy clauses: some Sequence<String>, because words: String,
    wrap: @escaping @Sendable (Subject) -> Subject
  ) {
    self.init(name, mistake, base, base.wrapping(as: name, wrap), clauses.map { ($0, words) })
  }

  /// Creates a mutant with a separate implementation, for a mistake below the subject.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - mistake: The mistake, in one sentence.
  ///   - base: The right implementation; it must satisfy every clause that the mutant violates.
  ///   - implementation: The wrong implementation.
  ///   - killers: The identifiers of the clauses that must fail, each with words that one of the violations must
  ///     contain.
  public init(
    _ name: String, _ mistake: String, of base: Implementation<Subject>,
    as implementation: Implementation<Subject>, killedBy killers: KeyValuePairs<String, String>
  ) {
    self.init(name, mistake, base, implementation, killers.map { ($0.key, $0.value) })
  }

  private init(
    _ name: String, _ mistake: String, _ base: Implementation<Subject>,
    _ implementation: Implementation<Subject>, _ killers: [(clause: String, words: String)]
  ) {
    (self.name, self.mistake, self.base, self.implementation) = (name, mistake, base, implementation)
    self.killers = killers
  }
}
