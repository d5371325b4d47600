import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ExpectationTests {
  func failure(
    _ log: CallLog<InMemoryTodos>, after calls: (Intercepted<InMemoryTodos>) async throws -> Void
  ) async throws -> String? {
    try await calls(Intercepted(InMemoryTodos(), by: .log(log)))
    return log.failure
  }

  func addThenRead(_ todos: Intercepted<InMemoryTodos>) async throws {
    _ = try await todos.add("Milk", priority: 1)
    _ = try await todos.titles()
  }

  @Test func aLogWithoutExpectationsHasNoFailure() async throws {
    #expect(try await failure(CallLog(), after: addThenRead) == nil)
  }

  @Test func metExpectationsAreNotReported() async throws {
    let logs: [CallLog<InMemoryTodos>] = [
      CallLog(expecting: .exactly(1, .add), .exactly(1, .titles)), CallLog(expecting: .exactly(2, .any)),
      CallLog(expecting: .atLeast(1, .add), .atMost(1, .titles)), CallLog(expecting: .inOrder(.add, .titles)),
      CallLog(expecting: .never(.cached), .othersAllowed),
    ]
    for log in logs {
      #expect(try await failure(log, after: addThenRead) == nil)
      try log.verify()
    }
  }

  @Test func everyUnmetExpectationIsReported() async throws {
    let line = #line + 1
    let log = CallLog<InMemoryTodos>(
      expecting: .exactly(2, .add), .never(.titles), .inOrder(.titles, .add), .atMost(0, .add))
    let failure = try #require(await failure(log, after: addThenRead))
    #expect(failure.contains("add 2 times, but it was called 1 time"))
    #expect(failure.contains("titles never, but it was called 1 time"))
    #expect(failure.contains("in this order: titles, add, but add was not called after titles"))
    #expect(failure.contains(#"1. add("Milk", 1) returned"#))
    let error = #expect(throws: UnderstudyError.self) { try log.verify() }
    #expect(error?.code == .unmetExpectations && error?.message == failure)
    #expect(error?.place?.fileID == #fileID && error?.place?.line == line)
  }

  // MARK: - Arguments

  @Test func callsAreSelectedByTheirArguments() async throws {
    let met = CallLog<InMemoryTodos>(
      expecting: .exactly(1, .add.with("Milk", 1)), .never(.add.with("Milk", 2)), .exactly(1, .titles.with()))
    #expect(try await failure(met, after: addThenRead) == nil)
    #expect(met.count(of: .add.with("Milk", 1)) == 1 && met.count(of: .add.with("Bread", 1)) == 0)
    let unmet = CallLog<InMemoryTodos>(expecting: .exactly(1, .add.with("Bread", 1)), .atLeast(1, .titles))
    let message = try #require(await failure(unmet, after: addThenRead))
    #expect(message.contains(#"add("Bread", 1) once, but it was called 0 times"#), "\(message)")
    #expect(message.contains(#"no call of add, but found add("Milk", 1)"#), "\(message)")
    let order = CallLog<InMemoryTodos>(expecting: .inOrder(.titles, .add.with("Milk", 1)))
    #expect(try await failure(order, after: addThenRead)?.contains("but add") == true)
  }

  /// Catches an expectation of no call that holds because no call can have its arguments.
  @Test func argumentsOfOtherTypesAreAFailure() async throws {
    let log = CallLog<InMemoryTodos>(expecting: .never(.add.with("Milk")), .othersAllowed)
    let message = try #require(await failure(log, after: addThenRead))
    #expect(
      message.contains(
        #"add(Milk) never, which no call can match. The arguments of add("Milk", 1) are of type (String, Int), and (Milk) has the type String"#
      ), "\(message)")
    withKnownIssue {
      #expect(log.count(of: .add.with(1)) == 0)
    } matching: {
      $0.description.contains("No call can match add(1). The arguments of add")
    }
  }

  @Test func rulesAndGatesSelectCallsByTheirArguments() async throws {
    let gate = Gate<InMemoryTodos>(.add.with("Bread", 1))
    let todos = Intercepted(
      InMemoryTodos(), by: .faults(.on(.add.with("Milk", 2), call: 1, .conflict)), .gate(gate))
    _ = try await todos.add("Milk", priority: 1)
    await #expect(throws: TodoError.conflict) { try await todos.add("Milk", priority: 2) }
    async let bread = todos.add("Bread", priority: 1)
    let held = try await gate.next(.add.with("Bread", 1))
    #expect(held.call.description == #"add("Bread", 1)"#)
    held.proceed()
    #expect(try await bread == "Bread")
    let plan = FaultPlan<InMemoryTodos>(.on(.add.with("Tea", 1), .conflict).optional)
    #expect(plan.description.contains(#"add("Tea", 1): conflict"#), "\(plan.description)")
  }

  @Test func anUnexpectedCallIsAFailureUnlessItIsAllowed() async throws {
    let strict = try await failure(CallLog(expecting: .exactly(1, .add)), after: addThenRead)
    #expect(strict?.contains("no call of titles, but found titles()") == true)
    let loose = CallLog<InMemoryTodos>(expecting: .exactly(1, .add), .othersAllowed)
    #expect(try await failure(loose, after: addThenRead) == nil)
  }

  /// Catches a check of only the first call of each operation, or only of the presence of all calls.
  @Test func theOrderOfCallsIsChecked() async throws {
    let inOrder = CallLog<InMemoryTodos>(expecting: .inOrder(.titles, .add))
    #expect(
      try await failure(inOrder) { todos in
        try await addThenRead(todos)
        try await addThenRead(todos)
      } == nil)
    let twice = CallLog<InMemoryTodos>(expecting: .inOrder(.add, .titles, .add))
    #expect(try await failure(twice, after: addThenRead) != nil)
  }
}
