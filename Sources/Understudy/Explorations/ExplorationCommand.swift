/// One operation on a service, with symbolic arguments, as a case of an enumeration.
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
/// A command does not contain values that the service makes, such as an id. It refers to such a value by position, and
/// the model knows the value from the answer that returned it. A command therefore keeps its meaning in another
/// sequence, which shrinking requires.
public protocol ExplorationCommand: Sendable, Hashable {
  /// The service type.
  associatedtype Subject: Sendable
  /// The reference model: the expected state of the service, in its simplest form.
  associatedtype Model: Sendable, Hashable

  /// Draws a command that may be tried next.
  ///
  /// If its ``call(in:)`` is `nil`, another one is drawn.
  static func random(in model: Model, using generator: inout some RandomNumberGenerator) -> Self

  /// Resolves the references of the command in a state; `nil` if the command is not applicable.
  func call(in model: Model) -> ExplorationCall<Subject, Model>?

  /// Commands that read the whole state.
  ///
  /// They end every generated program, so that no wrong state goes undetected.
  static func observations(of model: Model) -> [Self]

  /// Simpler commands that may reproduce a failure, the simplest first.
  ///
  /// The relation must not contain a cycle.
  var simpler: [Self] { get }

  /// The command as a Swift expression with an implied type, such as `.add("Milk")`.
  var swift: String { get }

  /// Whether a call that threw this error may have taken effect, because its answer was lost.
  static func isUnanswered(_ error: any Error) -> Bool
}

extension ExplorationCommand {
  /// Returns an empty list.
  public static func observations(of model: Model) -> [Self] { [] }

  /// An empty list.
  public var simpler: [Self] { [] }

  /// The description of the case, which is valid Swift if the descriptions of its arguments are.
  public var swift: String { ".\(self)" }

  /// Returns whether the call was cancelled.
  public static func isUnanswered(_ error: any Error) -> Bool { error is CancellationError }
}

extension Int {
  /// Numbers closer to the simplest one, the closest to it first, for ``ExplorationCommand/simpler``.
  public func simpler(toward simplest: Int = 0) -> [Int] {
    let (distance, overflows) = subtractingReportingOverflow(simplest)
    guard distance != 0, !overflows else { return [] }
    let steps = [simplest, simplest + distance / 2, self - distance.signum()]
    return steps.indices.filter { steps[$0] != self && !steps[..<$0].contains(steps[$0]) }.map { steps[$0] }
  }
}
