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
