import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct GateTests {
  @Test func callsAreAnsweredInAnyOrder() async throws {
    let gate = Gate<InMemoryTodos>(.add)
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let first = Task { () async throws -> String in try await todos.add("first", priority: 1) }
    let firstCall = try await gate.next(.add)
    async let second = todos.add("second", priority: 2)
    let secondCall = try await gate.next()
    #expect(gate.heldCalls.map(\.description) == [#"add("first", 1)"#, #"add("second", 2)"#])
    #expect(try await todos.titles() == [])
    secondCall.proceed()
    #expect(try await second == "second")
    #expect(todos.base.cached() == ["second"])
    #expect(firstCall.fail(with: .conflict))
    #expect(!firstCall.proceed())
    await #expect(throws: TodoError.conflict) { try await first.value }
    #expect(gate.heldCalls.isEmpty)
  }

  @Test func anOpenGateHoldsNoCallAndReportsIt() async throws {
    let (gate, line) = (Gate<InMemoryTodos>(), #line)
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    async let held = todos.add("Milk", priority: 1)
    _ = try await gate.next()
    gate.open()
    #expect(try await held == "Milk")
    #expect(try await todos.titles() == ["Milk"])
    let error = await #expect(throws: UnderstudyError.self) { try await gate.next() }
    #expect(error?.code == .openGate && error?.place?.line == line)
    gate.close()
    async let again = todos.titles()
    try await gate.next(.titles).proceed()
    #expect(try await again == ["Milk"])
  }

  @Test func openingEndsAWaitForACall() async {
    let gate = Gate<InMemoryTodos>(isOptional: true)
    let task = Task { _ = try await gate.next() }
    gate.open()
    await #expect(throws: UnderstudyError.self) { try await task.value }
  }

  @Test func aCancelledCallIsReleased() async throws {
    let gate = Gate<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let task = Task { () async throws -> String in try await todos.add("Milk", priority: 1) }
    let call = try await gate.next(.add)
    task.cancel()
    await #expect(throws: TodoError.cancelled) { try await task.value }
    #expect(!call.proceed())
    #expect(gate.heldCalls.isEmpty)
    #expect(todos.base.cached() == [])
  }

  @Test func aDeallocatedGateReleasesItsCalls() async throws {
    var gate: Gate<InMemoryTodos>? = Gate()
    let todos = Intercepted(InMemoryTodos(), by: try #require(gate.map { [.gate($0)] }))
    let task = Task { try await todos.add("Milk", priority: 1) }
    _ = try await gate?.next()
    gate = nil
    #expect(try await task.value == "Milk")
  }

  @Test func aCancelledWaiterTakesNoCall() async throws {
    let gate = Gate<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let impatient = Task { _ = try await gate.next() }
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    async let titles = todos.titles()
    try await gate.next().proceed()
    #expect(try await titles == [])
  }
}
