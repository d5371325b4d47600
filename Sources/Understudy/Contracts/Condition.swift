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

  /// The static member that declares the condition.
  private let member: Member

  /// The name of a static member, such as `nameIsTaken`, in which two equal conditions may differ.
  private struct Member: Sendable, Hashable {
    let name: String

    static func == (one: Self, other: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// Creates a condition.
  ///
  /// Two conditions with the same name and fixture type are equal.
  ///
  /// - Parameters:
  ///   - name: The condition in a few words that follow "when", such as `the name is taken`.
  ///   - member: The static member that declares the condition, for the Swift code in failures.
  public init(_ name: String, member: String = #function) {
    self.init(name, fault: nil, member: member)
  }

  init(_ name: String, fault: Fault?, member: String = "") {
    self.name = name
    self.fault = fault
    self.member = Member(name: member)
  }

  /// The condition as Swift code.
  var swift: String {
    let member = member.name
    if let fault { return ".callsFail(with: \(fault.swiftSpelling))" }
    let isMember =
      member.first?.isLetter == true && member.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isMember
      ? ".\(member)" : "Condition<\(SwiftText.name(of: Fixture.self))>(\(SwiftText.literal(name)))"
  }

  /// The name of the condition.
  public var description: String { name }
}

// Conditions that apply to every service with a server. A condition's documentation describes it; its value is the
// fixture.

extension Condition where Fixture == Void {
  /// Every call fails with this fault.
  ///
  /// The other conditions of failures are the same with one fault, named after the situation.
  public static func callsFail(with fault: Fault) -> Self {
    Condition("calls fail with \(fault)", fault: fault)
  }

  /// The server answers every call with an error (500).
  public static var serverFails: Self { Condition("the server fails") }

  /// No call receives an answer.
  public static var doesNotAnswer: Self { Condition("the server does not answer") }

  /// The device has no network.
  public static var offline: Self { Condition("the device is offline") }

  /// The connection is lost before the server has read the request.
  public static var connectionBreaks: Self { Condition("the connection breaks") }

  /// The server does the work, and the connection is lost before the answer arrives.
  public static var answerIsLost: Self { Condition("the answer is lost") }

  /// The answer is not in the format that the service expects.
  public static var answerIsUnreadable: Self { Condition("the answer is unreadable") }
}

extension Condition where Fixture == Duration {
  /// The server rejects calls for a while; the fixture is the delay that it announces.
  public static var tooManyRequests: Self { Condition("there were too many requests") }
}

extension Condition where Fixture == HeldCalls {
  /// Every call is held before it reaches the server.
  public static var callsAreHeld: Self { Condition("calls are held in transit") }
}
/// Calls that are held before they reach the server.
public struct HeldCalls: Sendable {
  /// Returns when this many calls have been held since the condition was set up.
  public let arrival: @Sendable (_ count: Int) async -> Void
  /// Lets the held calls continue, and later ones pass.
  public let release: @Sendable () async -> Void

  /// Creates held calls from a way to wait for them and a way to release them.
  package init(
    arrival: @escaping @Sendable (_ count: Int) async -> Void,
    release: @escaping @Sendable () async -> Void
  ) {
    self.arrival = arrival
    self.release = release
  }
}
