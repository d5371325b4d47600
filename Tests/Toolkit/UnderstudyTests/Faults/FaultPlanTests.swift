import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct FaultPlanTests {
  /// The calls that fail, by number from one, and their errors.
  static func failures(
    of calls: Int, with plan: FaultPlan<InMemoryTodos>
  ) async -> [Int: TodoError] {
    let todos = Intercepted(InMemoryTodos(), by: .faults(plan))
    var failures: [Int: TodoError] = [:]
    for number in 1...calls {
      do { _ = try await todos.add("\(number)", priority: number) } catch { failures[number] = error }
    }
    return failures
  }

  @Test func schedules() async {
    let conflict = TodoError.conflict
    #expect(await Self.failures(of: 5, with: FaultPlan(.on(.add, call: 2, .conflict))) == [2: conflict])
    #expect(
      await Self.failures(of: 5, with: FaultPlan(.on(.add, calls: 2...3, .conflict))).keys.sorted() == [2, 3])
    #expect(
      await Self.failures(of: 5, with: FaultPlan(.on(.add, calls: 4..., .conflict))).keys.sorted() == [4, 5])
    #expect(
      await Self.failures(of: 7, with: FaultPlan(.on(.add, every: 3, .conflict))).keys.sorted() == [3, 6])
    #expect(await Self.failures(of: 5, with: FaultPlan(.on(.titles, .conflict).optional)) == [:])
  }

  /// A call whose task was cancelled before is a call, too.
  @Test func aCallOfACancelledTaskCounts() async {
    let todos = Intercepted(InMemoryTodos(), by: .faults(FaultPlan(.on(.add, call: 2, .conflict))))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try? await todos.add("1", priority: 1)
    }
    await cancelled.value
    await #expect(throws: TodoError.conflict) { _ = try await todos.add("2", priority: 2) }
  }

  @Test func theFirstRuleAppliesAndTheSecondStillCounts() async {
    let plan = FaultPlan<InMemoryTodos>(
      .on(.add, call: 1, .conflict), .on(.add, calls: 1...2, .offline), .on(.titles, .timeout).optional)
    let failures = await Self.failures(of: 3, with: plan)
    #expect(failures == [1: .conflict, 2: .offline])
    #expect(plan.injections.map(\.description) == ["add, call 1: conflict", "add, call 2: offline"])
    #expect(plan.unfiredRules.map(\.description) == ["titles: timeout"])
    #expect(plan.reasonsOfUnfiredRules == ["titles: timeout: no call that it selects was made"])
  }

  @Test func aConditionDecidesWhichCallsCount() async {
    let plan = FaultPlan<InMemoryTodos>(
      .on(
        .add, call: 2, when: { $0.arguments(as: (String, Int).self)?.1.isMultiple(of: 2) == true }, .conflict)
    )
    #expect(await Self.failures(of: 6, with: plan).keys.sorted() == [4])
    #expect(plan.reasonsOfUnfiredRules == [])
  }

  @Test func theSeedDeterminesProbabilities() async {
    func failing(seed: UInt64, _ others: FaultPlan<InMemoryTodos>.Rule...) async -> [Int] {
      let rules = [.on(.add, probability: 0.3, .conflict)] + others
      return await Self.failures(of: 200, with: FaultPlan(rules: rules, seed: seed)).keys.sorted()
    }
    let first = await failing(seed: 1)
    #expect(await failing(seed: 1) == first)
    #expect(await failing(seed: 2) != first)
    #expect((30...90).contains(first.count))
    // Another rule draws from its own sequence.
    #expect(await failing(seed: 1, .on(.titles, probability: 0.5, .timeout).optional) == first)
    #expect(FaultPlan<InMemoryTodos>(seed: 42).description.contains("42"))
  }

  @Test func rulesAreAddedAndRemovedWhileCallsAreMade() async throws {
    let plan = FaultPlan<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .faults(plan))
    #expect(try await todos.titles() == [])
    await plan.during(.on(.any, .offline)) {
      await #expect(throws: TodoError.offline) { try await todos.titles() }
    }
    #expect(try await todos.titles() == [])
    let id = plan.add(.on(.add, .timeout).optional)
    plan.remove(id)
    #expect(try await todos.add("Milk", priority: 1) == "Milk")
    #expect(plan.unfiredRules.map(\.description) == ["add: timeout"])
  }

  @Test func concurrentCallsAreEachCountedOnce() async {
    let plan = FaultPlan<InMemoryTodos>(.on(.add, every: 4, .conflict))
    let todos = Intercepted(InMemoryTodos(), by: .faults(plan))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask { _ = try? await todos.add("\(number)", priority: 0) }
      }
    }
    #expect(plan.injections.count == 100)
    #expect(todos.base.cached().count == 300)
    #expect(Set(plan.injections.map(\.call)) == Set(stride(from: 4, through: 400, by: 4)))
  }

  @Test func theLastInjectionsAreKeptAndAllAreCounted() async throws {
    let plan = FaultPlan<InMemoryTodos>(.on(.add, .conflict), .on(.titles, .offline))
    let todos = Intercepted(InMemoryTodos(), by: .faults(plan))
    _ = try? await todos.titles()
    for _ in 1...25_000 { _ = try? await todos.add("Milk", priority: 0) }
    #expect(plan.injections.map(\.call) == Array(15_001...25_000))
    #expect(plan.injectionCounts.map(\.count) == [25_000, 1])
    #expect(plan.injectionCounts.map(\.rule.description) == ["add: conflict", "titles: offline"])
  }
}
