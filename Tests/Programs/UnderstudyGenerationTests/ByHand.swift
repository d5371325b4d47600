public import GenerationFixtures
public import Understudy

// The parts of doubles that are written by hand.

extension TodoError {
  /// The error of a fault.
  init(_ fault: Fault) {
    self = fault.symptom == .conflict ? .duplicate : .unavailable("\(fault)")
  }
}

extension Intercepted where Base: Assorted {
  /// Written by hand.
  public static func make() -> Int { Base.make() }

  /// Written by hand.
  public func add(_ numbers: Int...) async throws(TodoError) -> Int {
    try await intercept(.add, numbers, failure: { TodoError($0) }) { base, numbers throws(TodoError) in
      try await numbers.count == 2 ? base.add(numbers[0], numbers[1]) : base.add()
    }
  }
}

extension UnimplementedAssorted {
  /// Written by hand.
  public static func make() -> Int { 0 }
  /// Written by hand.
  public func add(_ numbers: Int...) async throws(TodoError) -> Int { numbers.count }
}

extension Intercepted: CustomStringConvertible where Base: Named {
  /// Written by hand.
  public var description: String { base.description }
}

extension UnimplementedNamed {
  /// Written by hand.
  public var description: String { "unimplemented" }
}
