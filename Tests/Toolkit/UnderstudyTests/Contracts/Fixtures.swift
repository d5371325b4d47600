import Understudy

/// A minimal service for contracts.
protocol Counter: Sendable {
  func next() async throws -> Int
}

struct Fixed: Counter {
  let value: Int
  func next() async throws -> Int { value }
}

extension Implementation where Subject == any Counter {
  static func fixed(_ value: Int, setUp: @escaping @Sendable (TrialEnvironment) -> Void = { _ in }) -> Self {
    Implementation("fixed-\(value)") { trial in
      setUp(trial)
      return Fixed(value: value)
    }
  }
}

extension Condition where Fixture == Int {
  static var startsAt: Self { Condition("it starts at a number") }
}

/// The outcome of a single clause.
func outcome(
  of implementation: Implementation<any Counter> = .fixed(1), seed: UInt64 = 0,
  _ check: @escaping @Sendable (Trial<any Counter>) async throws -> Void
) async -> Outcome {
  let contract = Contract("counter") { Clause("counter.it", "It holds.", check: check) }
  return await contract.checks(of: implementation)[0].outcome(seed: seed)
}

extension Outcome {
  var messages: [String] { violations.map(\.message) }
}
