public import GenerationFixtures
public import Understudy

// What the generated doubles leave to a hand.

extension TodoError {
  /// What a fault becomes.
  init(_ fault: Fault) {
    self = fault.symptom == .conflict ? .duplicate : .unavailable("\(fault)")
  }
}

extension Intercepted where Base: Assorted {
  /// By hand.
  public static func make() -> Int { Base.make() }

  /// By hand.
  public func add(_ numbers: Int...) async throws(TodoError) -> Int {
    try await intercept(.add, numbers, failure: { TodoError($0) }) { base throws(TodoError) in
      try await numbers.count == 2 ? base.add(numbers[0], numbers[1]) : base.add()
    }
  }
}

extension UnimplementedAssorted {
  /// By hand.
  public static func make() -> Int { 0 }
  /// By hand.
  public func add(_ numbers: Int...) async throws(TodoError) -> Int { numbers.count }
}

extension Intercepted: CustomStringConvertible where Base: Named {
  /// By hand.
  public var description: String { base.description }
}

extension UnimplementedNamed {
  /// By hand.
  public var description: String { "unimplemented" }
}
