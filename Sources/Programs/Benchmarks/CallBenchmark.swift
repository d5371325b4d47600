import Understudy

/// An example of an app's service.
protocol Counter: Sendable {
  func add(_ number: Int) async throws(CounterError) -> Int
}

/// The error of a ``Counter``.
struct CounterError: Error {
  let fault: Fault
}

struct PlainCounter: Counter {
  func add(_ number: Int) async throws(CounterError) -> Int { number &+ 1 }
}

/// A spy as tests without this package write it: it records calls, and fails if a test has set an error.
struct HandWrittenSpy: Counter {
  enum Call: Sendable {
    case add(Int)
  }

  struct State: Sendable {
    var calls: [Call] = []
    var error: CounterError?
  }

  let base: any Counter
  let state = Locked(State())

  func add(_ number: Int) async throws(CounterError) -> Int {
    let error = state.withLock { state in
      state.calls.append(.add(number))
      return state.error
    }
    if let error { throw error }
    return try await base.add(number)
  }
}

extension Intercepted.Operation where Base: Counter {
  static var add: Self { Self("add") }
  static var reset: Self { Self("reset") }
}

extension Intercepted: Counter where Base: Counter {
  func add(_ number: Int) async throws(CounterError) -> Int {
    try await intercept(.add, number, failure: CounterError.init) { base, number throws(CounterError) in
      try await base.add(number)
    }
  }
}

extension Benchmark {
  static let calls = Benchmark("calls", "A call of a double, beside a hand-written spy.") { extent in
    // About as many calls of each double as in a long test, so that a row measures a call and not a log of megabytes.
    let (doubles, calls) = (extent.size(100, short: 20), 1_000)
    func nanoseconds(_ make: () -> any Counter) async throws -> Double {
      let counters = (0..<doubles).map { _ in make() }
      var number = 0
      let time = try await processorTime {
        for counter in counters {
          for _ in 0..<calls { number = try await counter.add(number) }
        }
      }
      guard number == doubles * calls else { throw CounterError(fault: .serverError) }
      return time / .nanoseconds(doubles * calls)
    }
    let subjects: [(name: String, aim: Double?, reached: Double?, make: () -> any Counter)] = [
      ("direct, through an existential", nil, nil, { PlainCounter() }),
      ("intercepted, without interceptors", nil, nil, { Intercepted(PlainCounter()) }),
      (
        "intercepted, by a plan that does not match", nil, nil,
        { Intercepted(PlainCounter(), by: .faults(.on(.reset, .conflict))) }
      ),
      ("intercepted, by a log", nil, nil, { Intercepted(PlainCounter(), by: .log(CallLog())) }),
      (
        "intercepted, by a log and a plan that does not match", 2, 3,
        { Intercepted(PlainCounter(), by: .log(CallLog()), .faults(.on(.reset, .conflict))) }
      ),
    ]
    return try await extent.rounds(15, short: 5) {
      let spy = ("hand-written spy", try await nanoseconds { HandWrittenSpy(base: PlainCounter()) })
      var rows: [Row] = []
      for (name, aim, reached, make) in subjects {
        rows.append(
          Row(name, try await nanoseconds(make), .nanoseconds, beside: spy, aim: aim, reached: reached))
      }
      return rows
    }
  }
}
