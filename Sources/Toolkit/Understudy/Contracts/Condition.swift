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
  private let member: String

  /// Creates a condition.
  ///
  /// Two conditions with the same name and fixture type are equal; of conditions of a fault, those of the same fault.
  ///
  /// - Parameters:
  ///   - name: The condition in a few words that follow "when", such as `the name is taken`.
  ///   - member: The static member that declares the condition, for the Swift code in failures.
  public init(_ name: String, member: String = #function) {
    self.init(name, fault: nil, member: member)
  }

  init(_ name: String, fault: Fault?, member: String = #function) {
    self.name = name
    self.fault = fault
    self.member = member
  }

  /// The condition as Swift code.
  var swift: String {
    if let fault, member.isEmpty { return ".callsFail(with: \(fault.swiftSpelling))" }
    let isMember =
      member.first?.isLetter == true && member.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isMember
      ? ".\(member)" : "Condition<\(SwiftText.name(of: Fixture.self))>(\(SwiftText.literal(name)))"
  }

  /// What a handler is registered for.
  var key: ConditionKey { fault.map { .fault($0) } ?? .name(name) }

  /// Whether both have the same fault or, without one, the same name.
  public static func == (one: Self, other: Self) -> Bool { one.key == other.key }

  /// Hashes the fault or, without one, the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// The name of the condition.
  public var description: String { name }
}

/// The identity of a condition, independent of its fixture.
enum ConditionKey: Hashable, Sendable {
  case fault(Fault)
  case name(String)
}

// Conditions that apply to every service with a server. A condition's documentation describes it; its value is the
// fixture.

extension Condition where Fixture == Void {
  /// Every call fails with this fault.
  ///
  /// The other conditions of failures are this one with one fault, named after the situation. A handler for one of them
  /// is also the handler for the same fault by this name.
  public static func callsFail(with fault: Fault) -> Self {
    Condition("calls fail with \(fault)", fault: fault, member: "")
  }

  /// The server answers every call with an error (500).
  public static var serverFails: Self { Condition("the server fails", fault: .serverError) }

  /// No call receives an answer.
  public static var doesNotAnswer: Self { Condition("the server does not answer", fault: .timeout) }

  /// The device has no network.
  public static var offline: Self { Condition("the device is offline", fault: .offline) }

  /// The connection is lost before the server has read the request.
  public static var connectionBreaks: Self { Condition("the connection breaks", fault: .connectionLost) }

  /// The server does the work, and the connection is lost before the answer arrives.
  public static var answerIsLost: Self { Condition("the answer is lost", fault: .emptyReply) }

  /// The answer is not in the format that the service expects.
  public static var answerIsUnreadable: Self {
    Condition("the answer is unreadable", fault: .unreadableAnswer)
  }
}

extension Condition where Fixture == Duration {
  /// The server rejects calls for a while; the fixture is the delay that it announces.
  public static var tooManyRequests: Self { Condition("there were too many requests") }
}

extension Condition where Fixture == CallHold {
  /// Every call is held before it reaches the server.
  package static var callsAreHeld: Self { Condition("calls are held in transit") }
}

/// A hold on calls before they reach the server.
package struct CallHold: Sendable {
  private let calls: @Sendable (_ count: Int) async -> Void
  private let end: @Sendable () async -> Void

  /// Creates a hold from a way to wait for held calls and a way to release them.
  package init(
    calls: @escaping @Sendable (_ count: Int) async -> Void,
    release: @escaping @Sendable () async -> Void
  ) {
    self.calls = calls
    end = release
  }

  /// Returns when this many calls have been held since the condition was set up.
  package func wait(forCalls count: Int) async { await calls(count) }

  /// Lets the held calls continue, and later ones pass.
  package func release() async { await end() }
}
