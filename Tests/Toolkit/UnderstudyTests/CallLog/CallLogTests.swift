import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct CallLogTests {
  @Test func callsAreInOrderWithTheirArguments() async throws {
    let log = CallLog<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, call: 2, .conflict)), .log(log))
    _ = try await todos.add("Milk", priority: 1)
    _ = try? await todos.add("Eggs", priority: 2)
    _ = try await todos.titles()
    #expect(log.operations == [.add, .add, .titles])
    #expect(log.count(of: .add) == 2)
    #expect(log.count(of: .any) == 3)
    let arguments = try log.arguments(of: .add, as: (String, Int).self)
    #expect(arguments.map(\.0) == ["Milk", "Eggs"])
    #expect(arguments.map(\.1) == [1, 2])
    #expect(
      log.description == """
        1. add("Milk", 1) returned
        2. add("Eggs", 2) threw conflict
        3. titles() returned
        """)
  }

  @Test func argumentsOfOtherTypesAreAnErrorWithTheActualTypes() async throws {
    let log = CallLog<InMemoryTodos>()
    _ = try await Intercepted(InMemoryTodos(), by: .log(log)).add("Milk", priority: 1)
    let error = #expect(throws: UnderstudyError.self) {
      try log.arguments(of: .add, as: Int.self)
    }
    #expect(error?.code == .otherArguments)
    #expect(error?.description.contains("(String, Int).self") == true)
  }

  @Test func aHeldCallIsInProgressAndAWaitEndsWhenItIsMade() async throws {
    let (log, gate) = (CallLog<InMemoryTodos>(), Gate<InMemoryTodos>(.titles))
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate), .log(log))
    async let titles = todos.titles()
    async let added = todos.add("Milk", priority: 1)
    try await log.wait(for: .titles)
    try await log.wait(for: .any, calls: 2)
    _ = try await added
    let outcomes = log.records.filter { $0.call.operation == .titles }.map(\.description)
    #expect(outcomes == ["titles() is under way"])
    gate.open()
    _ = try await titles
  }

  @Test func everyWaitEndsAtItsOwnCountOfItsOwnOperation() async throws {
    let log = CallLog<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .log(log))
    _ = try await todos.titles()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for count in 1...20 {
        group.addTask {
          try await log.wait(for: .add, calls: count)
          #expect(log.count(of: .add) >= count)
        }
        group.addTask {
          try await log.wait(for: .any, calls: 2 * count + 1)
          #expect(log.count(of: .any) >= 2 * count + 1)
        }
      }
      for number in 1...20 {
        group.addTask { _ = try await todos.add("\(number)", priority: 1) }
        group.addTask { _ = try await todos.titles() }
      }
      try await group.waitForAll()
    }
  }

  @Test func aCancelledWaitEnds() async {
    let log = CallLog<InMemoryTodos>()
    let task = Task { try await log.wait(for: .add) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func everyLogSeesEveryCall() async throws {
    let logs = (0..<3).map { _ in CallLog<InMemoryTodos>() }
    let todos = Intercepted(InMemoryTodos(), by: logs.map { .log($0) })
    _ = try await todos.titles()
    #expect(logs.allSatisfy { $0.description == "1. titles() returned" })
  }

  @Test func aLogOfTheLastCallsCountsTheOthers() async throws {
    let log = CallLog<InMemoryTodos>(keepingLast: 2)
    let todos = Intercepted(InMemoryTodos(), by: .log(log))
    _ = try await todos.titles()
    #expect(log.droppedCount == 0)
    #expect(log.description == "1. titles() returned")
    for number in 1...2_000 { _ = try await todos.add("\(number)", priority: 1) }
    #expect(log.droppedCount == 1_999)
    #expect(
      log.description == """
        1,999 earlier calls were dropped.
        2000. add("1999", 1) returned
        2001. add("2000", 1) returned
        """)
    #expect(try log.arguments(of: .add, as: (String, Int).self).map(\.0) == ["1999", "2000"])
    #expect([log.count(of: .titles), log.count(of: .add), log.count(of: .any)] == [1, 2_000, 2_001])
    // The call was made, although its record was dropped.
    try await log.wait(for: .titles)
    try log.verify()
  }
}
