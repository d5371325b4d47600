import Dispatch
import Testing
import Understudy
import UnderstudyTesting

/// Failures in code that belongs to no test, where Swift Testing has nothing to fail but the run.
@Suite struct OutsideMistakes {
  /// It expects another number than the service returns.
  private static let wrong = Contract<any TodoService>("wrong") {
    Clause("wrong.add", "Adding returns two.") { trial in
      trial.expect(try await trial.subject.add("Milk"), equals: 2, "the number")
    }
  }

  /// The task is detached, and the error ignored.
  ///
  /// End: error: OutsideMistakes.swift:
  /// End: Failed outside of a test, as in a detached task: in-memory breaks wrong.add: Adding returns two.
  /// End: Await it in the test, without `try?`.
  @Test func aCheckInADetachedTask() async {
    await Task.detached { try? await Self.wrong.checks(of: .inMemory)[0].run() }.value
  }

  /// The same for what a contract does not notice.
  ///
  /// End: Failed outside of a test, as in a detached task: No clause of silent makes a call
  @Test func aMatrixInADetachedTask() async {
    let silent = Contract<any TodoService>("silent") {
      Clause("silent.nothing", "It is true.") { $0.expect(true, "") }
    }
    await Task.detached { try? await silent.survivors(of: .inMemory).check() }.value
  }

  /// A screen that takes a failure for an empty list, in a task without the test.
  ///
  /// End: Failed outside of a test, as in a detached task: adding under
  /// End: breaks adding.told
  @Test func aSweepInADetachedTask() async {
    let adding = Scenario("adding", "A person adds an item.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let count = (try? await todos.add("Milk")) ?? 0
      run.expect("adding.told", count == 1, "The item is there, or an error is shown.")
    }
    await Task.detached { try? await adding.sweep() }.value
  }

  /// The process of an exit test has no test, and its issue belongs to the one that waits for it.
  ///
  /// Red: in-memory breaks wrong.add: Adding returns two.
  @Test func aCheckInAnExitTest() async {
    await #expect(processExitsWith: .success) {
      try? await OutsideMistakes.wrong.checks(of: .inMemory)[0].run()
    }
  }

  /// The clause does not await the task that expects something.
  ///
  /// End: Failed outside of a test, as in a detached task: An expectation was checked after its clause had ended
  @Test func anExpectationOfADetachedTaskThatIsTooLate() async throws {
    let isOver = AsyncStream<Void>.makeStream()
    let ends = AsyncStream<Void>.makeStream()
    let late = Contract<any TodoService>("late") {
      Clause("late.add", "Adding returns the number of items.") { trial in
        trial.expect(try await trial.subject.add("Milk"), equals: 1, "the number")
        Task.detached {
          for await _ in isOver.stream {}
          trial.expect(false, "The item is shown.")
          ends.continuation.finish()
        }
      }
    }
    try await late.checks(of: .inMemory)[0].run()
    isOver.continuation.finish()
    for await _ in ends.stream {}
  }

  /// A plan that is made on a queue.
  ///
  /// End: Failed outside of a test, as in a detached task: A rule of a fault plan never fired: add: offline
  @Test func aPlanOnAQueue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = Intercepted(InMemoryTodos(), by: .faults(.on(.add, .offline)))
        continuation.resume()
      }
    }
  }
}
