import Foundation
import GenerationFixtures
import GenerationFixturesBase
import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy

// Other types of TestSupport have these names.
private typealias Todo = GenerationFixtures.Todo
private typealias TodoError = GenerationFixtures.TodoError

// The tables in Generated.
@Suite(.stallLimit()) struct OperationTablesTests {
  private let todos = Todos()

  /// Calls an operation of the table of `TodoService`.
  private func call(_ name: String, _ arguments: any Sendable = ()) async throws -> any Sendable {
    try await ServiceOperations.todoService.call(name, of: todos, arguments)
  }

  // Catches a requirement that is missing, or that no line can be found by.
  @Test func eachRequirementIsInTheTableOnce() {
    #expect(
      ServiceOperations.todoService.all.map { "\($0.loggedName) \($0.name)" } == [
        "close close()", "closings closings", "add add(_:)", "addAt add(_:at:)", "addString add(_:)",
        "items items()", "count count()", "cached cached()", "checked checked(_:)", "move move(from:to:)",
        "repeat repeat(in:_:)", "keep keep(_:beside:)", "anyOf any(of:)", "name name", "remaining remaining",
        "latest latest", "strict strict", "subscript subscript(_:)", "subscriptNamed subscript(named:)",
      ])
  }

  // Catches reordered arguments, of one type as well, and a parameter that shadows the base.
  @Test func argumentsReachTheRequirementInOrder() async throws {
    #expect(try await call("addAt", ("milk", 3)) as? Todo == Todo(title: "milk"))
    _ = try await call("keep", (["a"], ["b"]))
    #expect(todos.asked.withLock { $0 } == ["add milk at 3", "keep a beside b"])
    let moved = try await call("move", (3, GenerationFixtures.Operation.second))
    #expect(try #require(moved as? (from: Int, to: GenerationFixtures.Operation)) == (3, .second))
    #expect(try await call("repeat", (4, UUID?.none)) as? Int == 4)
    #expect(try await call("anyOf", ["first", "second"]) as? String? == "first")
  }

  // Catches overloads of which one is called for all.
  @Test func overloadsAreCalledByTheirTypes() async throws {
    #expect(try await call("add", "milk") as? Todo == Todo(title: "milk"))
    #expect(try await call("addString", ["a", "b"]) as? Todo == Todo(title: "ab"))
    #expect(todos.asked.withLock { $0 } == ["add milk"])
  }

  @Test func requirementsWithoutEffectsAreCalled() async throws {
    #expect(try await call("cached") as? [Todo] == [Todo(title: "cached")])
    #expect(try await call("count") as? Int == 7)
    #expect(try await call("items") as? [Todo] == [])
    #expect(try await call("checked", "milk") as? Bool == true)
    await #expect(throws: TodoError.duplicate) { try await call("checked", "") }
  }

  @Test func propertiesAndSubscriptsAreRead() async throws {
    #expect(try await call("name") as? String == "todos")
    #expect(try await call("remaining") as? Int == 3)
    #expect(try await call("latest") as? Todo == Todo(title: "latest"))
    await #expect(throws: TodoError.duplicate) { try await call("strict") }
    #expect(try await call("subscript", 5) as? Todo == Todo(title: "5"))
    #expect(try await call("subscriptNamed", "n") as? Todo == Todo(title: "n"))
  }

  // Catches inherited requirements that are missing where the conformance to their protocol is in another file.
  @Test func inheritedRequirementsAreCalled() async throws {
    _ = try await call("close")
    #expect(try await call("closings") as? Int == 1)
    #expect(todos.asked.withLock { $0 } == ["close"])
    #expect(ServiceOperations.door.all.map(\.name) == ["close()", "closings", "open()"])
  }

  // Catches an operation by which the calls of clauses are not found.
  @Test func eachOperationHasTheNameOfItsCallsInLogs() async throws {
    let noted = Locked<[String]>([])
    let service = ServiceOperations.todoService.observing(
      todos,
      CallObserver(
        call: { call in noted.withLock { $0.append("\(call.operation) \(call.arguments)") } },
        answer: { _ in }
      ))
    for (name, arguments) in [
      ("close", ()), ("addAt", ("milk", 3)), ("addString", ["a"]), ("latest", ()), ("subscriptNamed", "n"),
    ] as [(String, any Sendable)] {
      _ = try await ServiceOperations.todoService.call(name, of: service, arguments)
    }
    #expect(
      noted.withLock { $0 } == [
        "close ()", #"addAt ("milk", 3)"#, #"addString ["a"]"#, "latest ()", "subscriptNamed n",
      ])
  }

  // Catches failures that are compared as answers.
  @Test func aReturnedFailureIsThrown() async throws {
    let kiosk = UnimplementedKiosk(
      onStamp: { $0.isEmpty ? .failure(.duplicate) : .success($0.count) }, onClose: { .success(()) },
      onPrice: { .success($0) })
    let table = ServiceOperations.kiosk
    #expect(try await table.call("stamp", of: kiosk, "letter") as? Int == 6)
    await #expect(throws: TodoError.duplicate) { try await table.call("stamp", of: kiosk, "") }
    #expect(try await table.call("close", of: kiosk) is Void)
    #expect(try await table.call("price", of: kiosk, 3) as? Int == 3)
  }

  // Catches a stream that is compared as an answer.
  @Test func streamsOfEveryTypeAreRead() async throws {
    let asked = Locked<[String]>([])
    @Sendable func stream(_ name: String) -> AsyncThrowingStream<Int, any Error> {
      asked.withLock { $0.append(name) }
      return AsyncThrowingStream { $0.finish() }
    }
    var feed = UnimplementedFeed(
      live: stream("live"),
      onSteady: {
        _ = stream("steady")
        return AsyncStream { $0.finish() }
      })
    feed.onUpdates = { stream("updates \($0)") }
    feed.onPlain = { stream("plain") }
    feed.onEventual = { stream("eventual") }
    feed.onImmediate = { stream("immediate \($0)") }
    let table = ServiceOperations.feed
    #expect(table.all.map(\.isStream) == [true, true, true, true, true, true])
    for (name, arguments) in [
      ("updates", 1), ("plain", ()), ("eventual", ()), ("immediate", 2), ("live", ()), ("steady", ()),
    ] as [(String, any Sendable)] {
      #expect(try await table.call(name, of: feed, arguments) is EventLog)
    }
    #expect(
      asked.withLock { $0 } == ["live", "updates 1", "plain", "eventual", "immediate 2", "steady"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aSequenceOfAnyTypeIsReadAsAStream() async throws {
    var feed = UnimplementedOpaqueFeed()
    feed.onNumbers = { AsyncThrowingStream<Int, any Error> { $0.finish() } }
    #expect(try await ServiceOperations.opaqueFeed.call("numbers", of: feed) is EventLog)
    #expect(ServiceOperations.opaqueFeed.all.map(\.isStream) == [true])
  }

  // Catches calls without `await` of what is isolated to an actor.
  @Test func isolatedRequirementsAreCalledOnTheirActor() async throws {
    let screen = Screen()
    let table = ServiceOperations.noteScreen
    #expect(try await table.call("title", of: screen) as? String == "old")
    #expect(try await table.call("shown", of: screen) as? [String] == ["old"])
    #expect(try await table.call("save", of: screen, "note") as? Int == 4)
    #expect(try await table.call("prefetch", of: screen) as? Int == 1)
    #expect(table.all.map(\.name) == ["title", "save(_:)", "shown()", "prefetch()"])
    #expect(
      ServiceOperations.mixed.all.map(\.name) == [
        "show(_:)", "shown()", "isShown", "compute(_:)", "stay(_:)", "send(_:)",
      ])
  }

  // Catches a table that requires more of a protocol than its conformance does: Loose is not Sendable.
  @Test func protocolsOfEveryKindHaveATable() async throws {
    var loose = UnimplementedLoose()
    loose.onRun = { 5 }
    #expect(try await ServiceOperations.loose.call("run", of: loose) as? Int == 5)
    // Nested in a type, known in the package alone, and in the module alone.
    #expect(ServiceOperations.source.all.map(\.name) == ["take()"])
    #expect(ServiceOperations.ledger.all.map(\.name) == ["entries()"])
    #expect(ServiceOperations.diary.all.map(\.name) == ["pages()"])
  }

  // Catches a requirement that is missing because its double is written by hand.
  @Test func omittedRequirementsAreInTheTable() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/Orders.swift"
    #expect(CommandRun.shop("--protocol", "Orders", "--omit", "cancel", "--output", path).errors == [])
    #expect(
      try folder.read("Orders.swift").contains(
        #"ServiceOperation("cancel(_:)") { base, id in try await base.cancel(id) })"#))
  }

  @Test func aTableIsWrittenWithTheConformanceAlone() throws {
    let folder = try TemporaryFolder()
    for kind in ["intercepted", "unimplemented"] {
      let words = ["--protocol", "Stock", "--write", kind, "--output", "\(folder.path)/\(kind).swift"]
      #expect(CommandRun(["--symbol-graph", Modules.graphs] + words).errors == [])
    }
    #expect(try folder.read("intercepted.swift").contains("ServiceOperations where Subject == any Stock {"))
    #expect(try !folder.read("unimplemented.swift").contains("ServiceOperation"))
  }

  // Catches an ambiguous table: Relabelled declares the property of Labelled with a setter.
  @Test func aRequirementThatIsDeclaredTwiceIsInTheTableOnce() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.depot(
      "--protocol", "Relabelled", "--write", "intercepted", "--omit", "label", "--output",
      "\(folder.path)/Double.swift")
    #expect(run.errors == [])
    let calls = try folder.read("Double.swift").split(separator: "\n").filter {
      $0.contains("ServiceOperation(")
    }
    #expect(calls.count == 1)
    #expect(calls.first?.hasSuffix(#"ServiceOperation("label") { base in base.label })"#) == true)
  }

  // Catches a requirement that is missing without a reason, and a call that does not compile.
  @Test(arguments: [
    ("Many", "add(_:)", "`add(_:)` is omitted: its parameter numbers is variadic."),
    ("Sharing", "put(_:)", "`put(_:)` is omitted: its parameter box is not Sendable."),
    ("Generic", "show(_:)", "`show(_:)` is omitted: it is generic."),
    ("Typed", "standard()", "`standard()` is omitted: it is static."),
    ("Made", "init", "`init(name:)` is omitted: it is an initializer."),
    ("Copying", "copy()", "`copy()` is omitted: it returns Self."),
    ("Changing", "change()", "`change()` is omitted: it mutates the value."),
    ("Settable", "name", "The setter of `name` is omitted: a comparison only reads properties."),
    ("Handing", "each(_:)", "`each(_:)` is omitted: its parameter body is a function."),
    ("Bounded", "open()", "`Bounded` has no ServiceOperations: it has an associated type, Item."),
  ])
  func whatCannotBeCalledIsNamedWithTheReason(_ name: String, _ omitted: String, _ comment: String) throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.shop(
      "--protocol", name, "--write", "intercepted", "--omit", omitted, "--output",
      "\(folder.path)/Double.swift")
    #expect(run.errors == [])
    let text = try folder.read("Double.swift")
    #expect(text.contains("// \(comment)\n"))
    #expect(text.contains("ServiceOperation(") == (name == "Settable"))
  }
}

extension ServiceOperations {
  /// Calls the operation with this name in logs, and returns its answer, or the log of its stream.
  fileprivate func call(
    _ name: String, of subject: Subject, _ arguments: any Sendable = ()
  ) async throws -> any Sendable {
    let operation = try #require(all.first { $0.loggedName == name })
    let given = try #require(operation.arguments(arguments))
    let call = try #require(operation.call(given))
    switch await call(subject).value {
    case .returned(let value): return value
    case .threw(let error): throw error
    case .stream(let events): return events
    case .noCall, .neverEnded, .noted: throw Fault.unimplemented("\(name) was not called")
    }
  }
}
