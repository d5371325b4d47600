import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct GateCoreTests {
  @Test func aCancelledWaitTakesNoCall() async throws {
    let gate = GateCore(.any, isOptional: true)
    let first = try #require(gate.arrive(CallCore(operation: .name("first"), arguments: ())))
    let second = try #require(gate.arrive(CallCore(operation: .name("second"), arguments: ())))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await gate.next(.any)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await gate.next(.any)?.number == first.number)
    #expect(try await gate.next(.any)?.number == second.number)
  }

  /// Catches a deadlock: resuming a task runs its executor, which here reads the gate.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aWaiterIsResumedOutsideTheLock() async throws {
    let gate = GateCore(.any, isOptional: true)
    let executor = SteppedExecutor { _ = gate.held }
    let waiter = Task(executorPreference: executor) { try await gate.next(.any) }
    executor.run()
    let ticket = try #require(gate.arrive(CallCore(operation: .name("add"), arguments: ())))
    executor.run()
    #expect(try await waiter.value?.number == ticket.number)
  }

  /// Catches a call that is lost, because its waiter is cancelled after it was chosen and before it waits.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aCallOfACancelledWaiterGoesToTheNextOne() async throws {
    let gate = GateCore(.any, isOptional: true)
    let executor = SteppedExecutor()
    let next = Task(executorPreference: executor) { try await gate.next(.any) }
    let monitor = StallMonitor()
    // Called when the waiter is registered, and does not wait yet.
    monitor.whenWatching {
      executor.run()
      _ = gate.arrive(CallCore(operation: .name("add"), arguments: ()))
      withUnsafeCurrentTask { $0?.cancel() }
    }
    let cancelled = Task {
      try await StallMonitor.$current.withValue(monitor) { try await gate.next(.any) }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    executor.run()
    #expect(try await next.value?.call.operation == .name("add"))
  }
}

/// An executor that runs its jobs when a test asks for it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class SteppedExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])
  private let jobIsReady: @Sendable () -> Void

  /// - Parameter jobIsReady: Called whenever a job is enqueued.
  init(jobIsReady: @escaping @Sendable () -> Void = {}) {
    self.jobIsReady = jobIsReady
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    jobIsReady()
  }

  /// Runs jobs until none is ready.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
