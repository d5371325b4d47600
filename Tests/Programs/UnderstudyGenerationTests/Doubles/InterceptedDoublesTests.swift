import Foundation
import GenerationFixtures
import GenerationFixturesBase
import Testing
import Understudy
import UnderstudyTesting

// The conformances in Generated.
@Suite(.stallLimit()) struct InterceptedDoublesTests {
  private let log = CallLog<Todos>()

  // Catches a method that does not pass the interceptors, a fault that becomes another error, and overloads that share
  // a name.
  @Test func aFaultBecomesTheTypedErrorOfItsOperation() async throws {
    let todos = Todos()
    let service = Intercepted(todos, by: .faults(.on(.addAt, .conflict), .on(.latest, .timeout)))
    #expect(try await service.add("milk") == Todo(title: "milk"))
    await #expect(throws: TodoError.duplicate) { try await service.add("milk", at: 1) }
    await #expect(throws: TodoError.unavailable("\(Fault.timeout)")) { _ = try await service.latest }
    #expect(try await service.add(["a", "b"]) == Todo(title: "ab"))
    #expect(todos.asked.withLock { $0 } == ["add milk"])
  }

  // Catches a double that throws the fault itself, which no code of an app expects.
  @Test func plainThrowsThrowsAnErrorOfTheApp() async throws {
    let service = Intercepted(Todos(), by: .faults(.on(.items, .timeout), .on(.closings, .conflict)))
    await #expect(throws: TodoError.unavailable("\(Fault.timeout)")) { try await service.items() }
    // The requirement of a protocol that another one refines, in another module.
    await #expect(throws: TodoError.duplicate) { _ = try await service.closings }
    await service.close()
  }

  // Catches reordered and missing arguments, and a parameter that shadows the called function.
  @Test func argumentsReachTheBaseAndTheLog() async throws {
    let service = Intercepted(Todos(), by: .log(log))
    let moved = try await service.move(from: 3, to: .second)
    #expect(moved == (3, .second))
    #expect(try await service.repeat(in: 4, nil) == 4)
    var total = 1
    try await service.count(into: &total)
    #expect(total == 8)
    let draft = Draft()
    try await service.submit(draft)
    #expect(draft.title == "!")
    let each = CallLog<Todos>()
    try await Intercepted(Todos(), by: .log(each)).each { todo in #expect(todo.title == "each") }
    #expect(try await service[named: "n"] == Todo(title: "n"))
    #expect(
      log.records.map(\.call.description) == [
        "move(3, GenerationFixtures.Operation.second)", "repeat(4, nil)", "countInto(1)", "submit()",
        "subscriptNamed(n)",
      ])
    #expect(each.records.map(\.call.description) == ["each()"])
  }

  @Test func synchronousRequirementsAreLoggedAndForwarded() throws {
    let service = Intercepted(Todos(), by: .log(log), .faults(.on(.any, .offline).optional))
    #expect(service.name == "todos")
    #expect(service[5] == Todo(title: "5"))
    #expect(service.sorted { $0.title < $1.title }.map(\.title) == ["a", "b"])
    #expect(service.lazily("late") == "late")
    #expect(log.records.map(\.call.operation) == [.name, .subscript, .sorted, .lazily])
  }

  @Test func synchronousRequirementsThatThrowReceiveFaults() throws {
    let service = Intercepted(
      Todos(), by: .log(log), .faults(.on(.checked, call: 2, .offline), .on(.strict, call: 2, .offline)))
    let offline = TodoError.unavailable("\(Fault.offline)")
    #expect(throws: TodoError.duplicate) { try service.checked("") }
    #expect(throws: offline) { try service.checked("milk") }
    #expect(throws: TodoError.duplicate) { _ = try service.strict }
    #expect(throws: offline) { _ = try service.strict }
    #expect(log.records.map(\.call.operation) == [.checked, .checked, .strict, .strict])
  }

  @Test func faultsDoNotAffectRequirementsThatCannotThrow() async {
    let service = Intercepted(Todos(), by: .log(log), .faults(.on(.any, .offline).optional))
    #expect(await service.count() == 7)
    #expect(await service.remaining == 3)
    #expect(log.records.map(\.call.operation) == [.count, .remaining])
  }

  // Catches associated types other than those of the base.
  @Test func associatedTypesAreThoseOfTheBase() async throws {
    func all<Item>(_ repository: some Repository<Item>) async throws -> [Item] { try await repository.all() }
    let base = Words(words: ["a", "b"])
    let service = Intercepted(base, by: .faults(.on(.all, call: 2, .conflict)))
    #expect(try await all(service) == ["a", "b"])
    await #expect(throws: TodoError.duplicate) { try await all(service) }
    #expect(try await service.cached() == "b")
    #expect(await service.first { $0 > "a" } == "b")
  }

  @Test func genericMethodsPassTheInterceptors() async throws {
    let log = CallLog<Coder>()
    let service = Intercepted(Coder(), by: .log(log), .faults(.on(.decode, call: 2, .timeout)))
    #expect(try await service.encode(1) == "[1]")
    #expect(try await service.decode([Int].self, from: "[1]") == [1])
    await #expect(throws: TodoError.unavailable("\(Fault.timeout)")) {
      try await service.decode(Int.self, from: "")
    }
    #expect(try await service.describe([1, 2]) == "[1, 2]")
    #expect(try await service.join(1, "a", true) == 3)
    #expect(log.records.last?.call.arguments(as: (Int, String, Bool).self)?.1 == "a")
  }

  // Catches a member that is not isolated to the actor, and a setter that does not reach the base.
  @MainActor @Test func aScreenIsSetAndFailsOnTheMainActor() async throws {
    let screen = Screen()
    let log = CallLog<Screen>()
    let service = Intercepted(screen, by: .log(log), .faults(.on(.save, .conflict)))
    service.title = "new"
    #expect(screen.title == "new")
    #expect(service.shown() == ["new"])
    await #expect(throws: TodoError.duplicate) { try await service.save("note") }
    #expect(try await service.prefetch() == 1)
    #expect(log.records.map(\.call.description) == ["setTitle(new)", "shown()", "save(note)", "prefetch()"])
  }

  private actor Strongbox: Safe {
    private(set) var total = 0

    func add(_ coins: Int) throws(TodoError) {
      if coins < 0 { throw .duplicate }
      total += coins
    }

    func open(_ code: String) async throws(TodoError) -> Bool { code == "1234" }

    nonisolated func name() -> String { "strongbox" }
  }

  // Catches an actor that does not reach its base, or not on its executor, and calls without faults or a log.
  @Test func anActorHasTheCallsOfADouble() async throws {
    let log = CallLog<Strongbox>()
    let faults = Interceptor<Strongbox>.faults(.on(.add, call: 2, .conflict), .on(.open, call: 2, .offline))
    let safe: any Safe = InterceptedSafe(Intercepted(Strongbox(), by: .log(log), faults))
    try await safe.add(3)
    await #expect(throws: TodoError.duplicate) { try await safe.add(4) }
    await #expect(throws: TodoError.duplicate) { try await safe.add(-1) }
    #expect(try await safe.open("1234"))
    await #expect(throws: TodoError(.offline)) { try await safe.open("1234") }
    #expect(await safe.total == 3)
    #expect(safe.name() == "strongbox")
    #expect(
      log.records.map(\.call.description) == [
        "add(3)", "add(4)", "add(-1)", "open(1234)", "open(1234)", "total()", "name()",
      ])
  }

  // Catches a parameter that is copied, logged or lost, because its type is not Sendable.
  @Test func aParameterThatIsNotSendableIsHandedOver() async throws {
    var office = UnimplementedPostOffice()
    office.onSend = { parcel, address in
      parcel.weight += 1
      return parcel.weight
    }
    office.onEvents = { ["sent"] }
    let log = CallLog<UnimplementedPostOffice>()
    let service = Intercepted(office, by: .log(log), .faults(.on(.send, call: 2, .conflict)))
    #expect(try await service.send(Parcel(weight: 1), to: "Emma") == 2)
    await #expect(throws: TodoError.duplicate) { try await service.send(Parcel(weight: 1), to: "Emma") }
    #expect(try await service.events() == ["sent"])
    #expect(log.records.map(\.call.description) == ["send(Emma)", "send(Emma)", "events()"])
  }

  // Catches a fault without an effect on a method that returns its failures, and a failure that is not logged as one.
  @Test func aFaultIsReturnedAsAFailure() async throws {
    let log = CallLog<UnimplementedKiosk>()
    let kiosk = UnimplementedKiosk(
      onStamp: { .success($0.count) }, onClose: { .failure(TodoError.duplicate) }, onPrice: { .success($0) })
    let service = Intercepted(
      kiosk, by: .log(log), .faults(.on(.stamp, call: 2, .conflict), .on(.close, call: 2, .offline)))
    #expect(await service.stamp("letter") == .success(6))
    #expect(await service.stamp("letter") == .failure(.duplicate))
    await #expect(throws: TodoError.duplicate) { try await service.close().get() }
    await #expect(throws: TodoError(.offline)) { try await service.close().get() }
    #expect(service.price(3) == .success(3))
    let isFailed = log.records.map { record in if case .failed = record.outcome { true } else { false } }
    #expect(isFailed == [false, true, true, true, false])
  }

  // Catches a stream that is only forwarded, because its type is not `AsyncThrowingStream`.
  @Test func streamsOfEveryTypeBreak() async throws {
    let numbers = [1, 2, 3]
    @Sendable func throwing() -> AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        for number in numbers { continuation.yield(number) }
        continuation.finish()
      }
    }
    let feed = UnimplementedFeed(
      live: throwing(),
      onSteady: {
        AsyncStream { continuation in
          for number in numbers { continuation.yield(number) }
          continuation.finish()
        }
      })
    let service = Intercepted(feed, by: .faults(.on(.any, .dropStream(afterEvents: 2))))
    #expect(await service.steady().reduce(into: []) { $0.append($1) } == [1, 2])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aFaultReachesTheElementsOfAnySequence() async {
    var feed = UnimplementedOpaqueFeed()
    feed.onNumbers = {
      AsyncThrowingStream<Int, any Error> { continuation in
        for number in [1, 2, 3] { continuation.yield(number) }
        continuation.finish()
      }
    }
    let service = Intercepted(feed, by: .faults(.on(.numbers, .dropStream(afterEvents: 2))))
    let read = Locked<[Int]>([])
    await #expect(throws: TodoError.self) {
      for try await number in try await service.numbers() { read.withLock { $0.append(number) } }
    }
    #expect(read.withLock { $0 } == [1, 2])
  }
}
