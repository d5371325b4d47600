import Understudy
import UnderstudyHTTP

enum TimeBenchmark {
  static let rounds = 9
  static let sleepers = 10_000

  static func run() async throws -> [String] {
    var measurements: [(Measurement, () async throws -> Duration)] = [
      (Measurement(name: "continuations resumed and their tasks awaited"), resumeContinuations),
      (Measurement(name: "sleepers of different deadlines advanced and awaited", aim: 50), advanceSleepers),
      (Measurement(name: "the same with putting them to sleep"), sleepAndAdvance),
      (Measurement(name: "sleepers cancelled and awaited"), cancelSleepers),
    ]
    for _ in 0..<rounds {
      for index in measurements.indices {
        let duration = try await measurements[index].1()
        measurements[index].0.figures.append(duration / .milliseconds(1))
      }
    }
    return measurements.map(\.0.line)
  }

  // The tasks are not in a group, because a group takes time proportional to its size to remove a child that ends out
  // of order. This would dominate the measurement.

  private static func resumeContinuations() async throws -> Duration {
    let waiting = Locked<[CheckedContinuation<Void, Never>]>([])
    let (ready, signal) = AsyncStream.makeStream(of: Void.self)
    let tasks = (0..<sleepers).map { _ in
      Task {
        await withCheckedContinuation { continuation in
          let count = waiting.withLock {
            $0.append(continuation)
            return $0.count
          }
          if count == sleepers { signal.yield() }
        }
      }
    }
    for await _ in ready { break }
    let continuations = waiting.withLock { $0 }
    return await ContinuousClock().measure {
      for continuation in continuations { continuation.resume() }
      for task in tasks { await task.value }
    }
  }

  private static func advanceSleepers() async throws -> Duration {
    let manual = TestClock()
    let tasks = putToSleep(on: manual)
    try await manual.wait(forSleepers: sleepers)
    return try await ContinuousClock().measure {
      manual.advance(by: .seconds(sleepers))
      for task in tasks { try await task.value }
    }
  }

  private static func sleepAndAdvance() async throws -> Duration {
    try await ContinuousClock().measure { _ = try await advanceSleepers() }
  }

  private static func cancelSleepers() async throws -> Duration {
    let manual = TestClock()
    let tasks = putToSleep(on: manual)
    try await manual.wait(forSleepers: sleepers)
    return await ContinuousClock().measure {
      for task in tasks { task.cancel() }
      for task in tasks { _ = await task.result }
    }
  }

  /// Creates deadlines of one to ten thousand seconds, in mixed order.
  private static func putToSleep(on manual: TestClock) -> [Task<Void, any Error>] {
    let time = manual.time
    return (0..<sleepers).map { index in
      Task { try await time.sleep(for: .seconds(1 + index * 7_919 % sleepers)) }
    }
  }
}
