/// One thing that can be done to a service, with symbolic arguments, as a case of an enumeration.
///
/// ```swift
/// enum TodoCommand: ExplorationCommand {
///   case add(String)
///   case remove(Int)    // the place of the item among those that were added
///   case items
///
///   static func random(in model: TodoModel, using generator: inout some RandomNumberGenerator) -> Self { … }
///
///   func call(in model: TodoModel) -> ExplorationCall<any TodoService, TodoModel>? {
///     switch self {
///     case .remove(let place):
///       guard model.ids.indices.contains(place) else { return nil }
///       let id = model.ids[place]
///       return ExplorationCall { try await $0.remove(id) } step: { model, answer in
///         model.items[id] = nil
///         return answer.returned
///       }
///     …
///     }
///   }
/// }
/// ```
///
/// An argument that a service makes, such as an id, is not in a command: it says which one is meant, and the model knows
/// it by the answer that brought it. So a command means something in another sequence too, when failures shrink.
public protocol ExplorationCommand: Sendable, Hashable {
  /// The service.
  associatedtype Subject: Sendable
  /// The reference model: what the service is expected to hold, as simply as it can be written down.
  associatedtype Model: Sendable, Hashable

  /// A command that may be tried next; one whose ``call(in:)`` is `nil` is drawn anew.
  static func random(in model: Model, using generator: inout some RandomNumberGenerator) -> Self

  /// The call that the command is in this state, its references looked up; `nil` where it makes no sense.
  func call(in model: Model) -> ExplorationCall<Subject, Model>?

  /// Commands that look at all there is, which end every generated program, so that nothing goes wrong unseen.
  static func observations(of model: Model) -> [Self]

  /// Commands that may show the same and are simpler, the simplest first; never one that has this one among its own.
  var simpler: [Self] { get }

  /// The command as Swift writes it where its type is known, such as `.add("Milk")`.
  var swift: String { get }

  /// Whether a call that threw this may or may not have taken effect, because nobody heard its answer.
  static func isUnanswered(_ error: any Error) -> Bool
}

extension ExplorationCommand {
  /// None.
  public static func observations(of model: Model) -> [Self] { [] }

  /// None.
  public var simpler: [Self] { [] }

  /// The description of the case, which is Swift as long as those of its arguments are.
  public var swift: String { ".\(self)" }

  /// A call that was cancelled.
  public static func isUnanswered(_ error: any Error) -> Bool { error is CancellationError }
}

extension Int {
  /// Numbers that are nearer to a simplest one, the nearest first: for ``ExplorationCommand/simpler``.
  public func simpler(toward simplest: Int = 0) -> [Int] {
    let (distance, overflows) = subtractingReportingOverflow(simplest)
    guard distance != 0, !overflows else { return [] }
    let steps = [simplest, simplest + distance / 2, self - distance.signum()]
    return steps.indices.filter { steps[$0] != self && !steps[..<$0].contains(steps[$0]) }.map { steps[$0] }
  }
}
