/// One way to implement a service, as a contract tries it.
///
/// ```swift
/// extension Implementation where Subject == any TodoService {
///   static var inMemory: Self {
///     Implementation("in-memory") { _ in Stage(InMemoryTodoService()) }
///   }
/// }
/// ```
public struct Implementation<Subject: Sendable>: Sendable {
  /// The name in reports and on the command line, without spaces, such as `in-memory`.
  public let name: String

  let prepare: @Sendable (_ seed: UInt64) async throws -> Stage<Subject>

  /// An implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - prepare: Sets up a fresh stage for one trial; whatever is random in it comes from the seed.
  public init(_ name: String, prepare: @escaping @Sendable (_ seed: UInt64) async throws -> Stage<Subject>) {
    self.name = name
    self.prepare = prepare
  }

  /// The same stage with something around the subject: a decorator, or a deliberately wrong implementation.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - wrap: Gives the subject that is tried in place of this one's.
  public func wrapping(
    as name: String, _ wrap: @escaping @Sendable (Subject) -> Subject
  ) -> Implementation {
    Implementation(name) { [prepare] seed in
      let stage = try await prepare(seed)
      return Stage(wrap(stage.subject), provisions: stage.provisions, tearDown: stage.tearDown)
    }
  }
}
