/// A situation that a clause requires, and that an implementation may be able to set up.
///
/// Its fixture holds what the clause needs to know: the name that is taken, or the id of a row that belongs to another
/// user. An adopter adds conditions in extensions:
///
/// ```swift
/// extension Condition where Fixture == String {
///   static var nameIsTaken: Self { Condition("the name is taken") }
/// }
/// ```
public struct Condition<Fixture: Sendable>: Sendable, Hashable, CustomStringConvertible {
  /// The condition in a few words that follow "when", such as `the name is taken`.
  package let name: String

  /// The fault with which every call fails while the condition holds; `nil` for a condition with a handler of its own.
  let fault: Fault?

  /// Creates a condition.
  ///
  /// Two conditions with the same name and fixture type are equal.
  public init(_ name: String) {
    self.init(name, fault: nil)
  }

  init(_ name: String, fault: Fault?) {
    self.name = name
    self.fault = fault
  }

  /// The name of the condition.
  public var description: String { name }
}
