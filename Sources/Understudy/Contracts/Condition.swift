/// A circumstance that a clause asks for, and that an implementation may be able to bring about.
///
/// What the clause needs to know of it comes with it as a fixture: that a name is taken, with the name; that a
/// row belongs to somebody else, with its id. An adopter's own conditions are extensions:
///
/// ```swift
/// extension Condition where Fixture == String {
///   static var nameIsTaken: Self { Condition("the name is taken") }
/// }
/// ```
public struct Condition<Fixture: Sendable>: Sendable, Hashable, CustomStringConvertible {
  /// The circumstance in a few words that follow "when", such as `the name is taken`.
  public let name: String

  /// A condition; two of the same name and fixture type are the same.
  public init(_ name: String) {
    self.name = name
  }

  /// The name.
  public var description: String { name }
}
