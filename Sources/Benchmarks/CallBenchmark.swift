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

/// A handwritten test spy, for comparison.
struct HandWrittenSpy: Counter {
  enum Call: Sendable {
    case add(Int)
  }

  let base: any Counter
  let calls = Locked<[Call]>([])

  func add(_ number: Int) async throws(CounterError) -> Int {
    calls.withLock { $0.append(.add(number)) }
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

enum CallBenchmark {
  static let rounds = 15
  /// The number of doubles per round and of calls per double, about as many as in a long test.
  ///
  /// The results thus measure a call instead of a log of megabytes.
  static let doubles = 100
  static let calls = 1_000

  static func run() async throws -> [String] {
    var measurements: [(Measurement, () -> any Counter)] = [
      (Measurement(name: "direct, through an existential"), { PlainCounter() }),
      (Measurement(name: "hand-written spy"), { HandWrittenSpy(base: PlainCounter()) }),
      (Measurement(name: "intercepted, without interceptors"), { Intercepted(PlainCounter()) }),
      (
        Measurement(name: "intercepted, by a plan that does not match"),
        { Intercepted(PlainCounter(), by: .faults(.on(.reset, .conflict))) }
      ),
      (
        Measurement(name: "intercepted, by a log"),
        { Intercepted(PlainCounter(), by: .log(CallLog())) }
      ),
      (
        Measurement(name: "intercepted, by a log and a plan that does not match", aim: 200),
        { Intercepted(PlainCounter(), by: .log(CallLog()), .faults(.on(.reset, .conflict))) }
      ),
    ]
    for _ in 0..<rounds {
      for index in measurements.indices {
        let make = measurements[index].1
        let figure = try await nanoseconds(of: (0..<doubles).map { _ in make() })
        measurements[index].0.figures.append(figure)
      }
    }
    return measurements.map(\.0.line)
  }

  private static func nanoseconds(of counters: [any Counter]) async throws -> Double {
    var number = 0
    let duration = try await ContinuousClock().measure {
      for counter in counters {
        for _ in 0..<calls { number = try await counter.add(number) }
      }
    }
    guard number == doubles * calls else { throw CounterError(fault: .serverError) }
    return duration / .nanoseconds(doubles * calls)
  }
}
