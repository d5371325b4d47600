import Understudy

extension Benchmark {
  static let sleepers = Benchmark("sleepers", "Sleepers of a test clock, beside continuations.") { extent in
    // In short form as many: the time of each grows with their number.
    let count = 10_000
    return try await extent.rounds(9) {
      let plain = ("continuations resumed", try await resumeContinuations(count))
      return [
        Row("advanced", try await advanceSleepers(count), .milliseconds, beside: plain, aim: 3),
        Row("put to sleep and advanced", try await sleepAndAdvance(count), .milliseconds, beside: plain),
        Row("cancelled", try await cancelSleepers(count), .milliseconds, beside: plain),
      ]
    }
  }

  // The tasks are not in a group, because a group takes time proportional to its size to remove a child that ends out
  // of order. This would dominate the measurement.

  private static func resumeContinuations(_ sleepers: Int) async throws -> Double {
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
    return try await processorTime {
      for continuation in continuations { continuation.resume() }
      for task in tasks { await task.value }
    } / .milliseconds(1)
  }

  private static func advanceSleepers(_ sleepers: Int) async throws -> Double {
    let manual = TestClock()
    let tasks = putToSleep(sleepers, on: manual)
    try await manual.wait(forSleepers: sleepers)
    return try await processorTime {
      manual.advance(by: .seconds(sleepers))
      for task in tasks { try await task.value }
    } / .milliseconds(1)
  }

  private static func sleepAndAdvance(_ sleepers: Int) async throws -> Double {
    try await processorTime { _ = try await advanceSleepers(sleepers) } / .milliseconds(1)
  }

  private static func cancelSleepers(_ sleepers: Int) async throws -> Double {
    let manual = TestClock()
    let tasks = putToSleep(sleepers, on: manual)
    try await manual.wait(forSleepers: sleepers)
    return try await processorTime {
      for task in tasks { task.cancel() }
      for task in tasks { _ = await task.result }
    } / .milliseconds(1)
  }

  /// Creates deadlines from a second on, in mixed order.
  private static func putToSleep(_ sleepers: Int, on manual: TestClock) -> [Task<Void, any Error>] {
    let time = manual.time
    return (0..<sleepers).map { index in
      Task { try await time.sleep(for: .seconds(1 + index * 7_919 % sleepers)) }
    }
  }
}
