import Dispatch
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// Methods that return a publisher, in the ways that apps have.
private final class Radio: Sendable {
  private let noted = Locked<[String]>([])
  let subject = StandInSubject<String, TodoError>()
  let volume = StandInSubject<Int, Never>(current: 5)

  /// The methods that were called.
  var called: [String] { noted.withLock(\.self) }

  private func note(_ name: String) { noted.withLock { $0.append(name) } }

  func title() -> StandInPublisher<String, TodoError> {
    note("title")
    return .sending("Blue")
  }

  func numbers() -> StandInPublisher<Int, TodoError> {
    note("numbers")
    return .sending(1, 2, 3)
  }

  func broken() -> StandInPublisher<Int, TodoError> { .sending(failing: .notFound) }

  func remote() -> StandInPublisher<String, TodoError> {
    note("remote")
    return .elsewhere("Red")
  }

  func isOn() -> StandInPublisher<Bool, Never> { .sending(true) }
}

extension Intercepted where Base == Radio {
  fileprivate func title() -> StandInPublisher<String, TodoError> {
    interceptPublisher(Operation("title"), failure: { TodoError($0) }) { base in base.title() }
  }

  fileprivate func numbers() -> StandInPublisher<Int, TodoError> {
    interceptPublisher(Operation("numbers"), failure: { TodoError($0) }) { base in base.numbers() }
  }

  fileprivate func broken() -> StandInPublisher<Int, TodoError> {
    interceptPublisher(Operation("broken"), failure: { TodoError($0) }) { base in base.broken() }
  }

  fileprivate func remote() -> StandInPublisher<String, TodoError> {
    interceptPublisher(Operation("remote"), failure: { TodoError($0) }) { base in base.remote() }
  }

  fileprivate func songs() -> StandInPublisher<String, TodoError> {
    interceptPublisher(Operation("songs"), failure: { TodoError($0) }) { base in base.subject.publisher }
  }

  fileprivate func volume() -> StandInPublisher<Int, Never> {
    interceptPublisher(Operation("volume")) { base in base.volume.publisher }
  }

  fileprivate func isOn() -> StandInPublisher<Bool, Never> {
    interceptPublisher(Operation("isOn")) { base in base.isOn() }
  }
}

/// What a subscriber has received: each value, then `end` or the error.
private final class Received: Sendable {
  let events = Locked<[String]>([])
  let end = Signal<Void>()
  private let subscription = Locked<StandInSubscription?>(nil)

  init<Output, Failure>(_ publisher: StandInPublisher<Output, Failure>) {
    let new = publisher.sink { [events, end] error in
      events.withLock { $0.append(error.map { "\($0)" } ?? "end") }
      end.send(())
    } value: { [events] value in
      events.withLock { $0.append("\(value)") }
    }
    subscription.withLock { $0 = new }
  }

  var all: [String] { events.withLock(\.self) }

  func cancel() { subscription.withLock { $0 = nil } }
}

/// What a publisher sends up to its end.
private func received<Output, Failure>(_ publisher: StandInPublisher<Output, Failure>) async throws
  -> [String]
{
  let received = Received(publisher)
  try await received.end.value()
  return received.all
}

@Suite(.stallLimit()) struct SubscriptionTests {
  private let log = CallLog<Radio>()

  private func outcomes() -> [String] {
    log.records.map { record in
      switch record.outcome {
      case .underWay: "\(record.call.operation) is under way"
      case .returned: "\(record.call.operation) returned"
      case .failed(let error): "\(record.call.operation) failed: \(error)"
      }
    }
  }

  /// Catches values that arrive late although nothing holds them, where a screen relies on a current value.
  @Test func eventsGoStraightToTheSubscriberWhereNoInterceptorConcernsThem() {
    let radio = Intercepted(
      Radio(), by: .faults(.on(Intercepted.Operation("title"), .conflict).optional), .log(log))
    #expect(Received(radio.numbers()).all == ["1", "2", "3", "end"])
    #expect(Received(radio.broken()).all == ["notFound"])
    let volume = Received(radio.volume())
    radio.base.volume.send(6)
    #expect(volume.all == ["5", "6"])
    let songs = Received(radio.songs())
    #expect(radio.base.subject.subscribers == 1)
    songs.cancel()
    #expect(radio.base.subject.subscribers == 0)
    #expect(
      outcomes() == [
        "numbers returned", "broken failed: notFound", "volume returned", "songs failed: CancellationError()",
      ])
  }

  /// Catches a method of the base that is called although the fault is before it, or not although it is after it.
  @Test(arguments: [Fault.conflict, .answerLost]) func aFaultOfACallFailsTheSubscription(_ fault: Fault)
    async throws
  {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, fault)), .log(log))
    let error = "\(TodoError(fault))"
    #expect(try await received(radio.title()) == [error])
    #expect(try await received(radio.remote()) == [error])
    #expect(radio.base.called == (fault.reachesBase ? ["title", "remote"] : []))
    #expect(outcomes() == ["title failed: \(error)", "remote failed: \(error)"])
  }

  @Test(
    arguments: [
      (.dropStream(afterEvents: 2), ["1", "2", "connectionLost"]),
      (.endStream(afterEvents: 1), ["1", "connectionLost"]),
      (.duplicateEvent(2), ["1", "2", "2", "3", "end"]), (.corruptEvent(1), ["unreadable"]),
    ] as [(Fault, [String])])
  func aFaultOfAStreamAppliesToTheValues(_ fault: Fault, _ events: [String]) async throws {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, fault)))
    #expect(try await received(radio.numbers()) == events)
  }

  @Test func aPublisherWithoutFailuresEnds() async throws {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, .dropStream(afterEvents: 1))))
    let volume = Received(radio.volume())
    radio.base.volume.send(6)
    try await volume.end.value()
    #expect(volume.all == ["5", "end"])
  }

  /// Catches a subscription of the base that begins after a gate or a latency, and misses what is sent before.
  @Test func aGateHoldsTheEventsAndALatencyDelaysThem() async throws {
    let gate = Gate<Radio>(Intercepted.Operation("title"))
    let clock = TestClock()
    let radio = Intercepted(
      Radio(), by: .gate(gate), .faults(.on(Intercepted.Operation("numbers"), .latency(.seconds(5)))),
      .log(log),
      time: clock.time)
    let (first, second) = (Received(radio.title()), Received(radio.numbers()))
    let held = try await gate.next()
    try await clock.wait(forSleepers: 1)
    #expect(outcomes() == ["title is under way", "numbers is under way"])
    #expect(radio.base.called == ["title", "numbers"])
    clock.advance(by: .seconds(5))
    try await second.end.value()
    #expect(second.all == ["1", "2", "3", "end"] && first.all == [])
    held.fail(with: .conflict)
    try await first.end.value()
    #expect(first.all == ["conflict"])
  }

  /// Catches a subscription that begins only with the task that passes its events on.
  @Test func whatIsSentAfterTheSubscriptionIsReceived() async throws {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, .dropStream(afterEvents: 2))))
    let songs = Received(radio.songs())
    for song in ["Red", "Green", "Blue"] { radio.base.subject.send(song) }
    try await songs.end.value()
    #expect(songs.all == ["Red", "Green", "connectionLost"])
  }

  @Test func aCancelledSubscriptionIsCancelledAtTheBase() async throws {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, .duplicateEvent(1))))
    let songs = Received(radio.songs())
    radio.base.subject.send("Red")
    while songs.all != ["Red", "Red"] { await Task.yield() }
    songs.cancel()
    while radio.base.subject.subscribers > 0 { await Task.yield() }
    radio.base.subject.send("Green")
    #expect(songs.all == ["Red", "Red"])
  }

  @Test @MainActor func eventsArriveOnTheMainQueueIfTheSubscriptionBeginsThere() async throws {
    let radio = Intercepted(Radio(), by: .faults(.on(.any, .conflict)))
    let isMain = Signal<Bool>()
    let subscription = radio.remote().sink { _ in
      isMain.send(MainQueue.isCurrent)
    } value: { _ in
    }
    #expect(try await isMain.value())
    subscription.cancel()
  }

  @Test @MainActor func aQueueForEventsCanBeChosen() async throws {
    let (queue, key) = (DispatchQueue(label: "background"), DispatchSpecificKey<Bool>())
    queue.setSpecific(key: key, value: true)
    let radio = Intercepted(Radio(), by: .callbacks(on: queue), .faults(.on(.any, call: 2, .conflict)))
    for _ in 1...2 {
      let isThere = Signal<Bool>()
      let subscription = radio.title().sink { _ in
        isThere.send(DispatchQueue.getSpecific(key: key) == true)
      } value: { _ in
      }
      #expect(try await isThere.value())
      subscription.cancel()
    }
  }

  // MARK: - Scenarios

  /// Catches a stream's faults on a publisher of one value, which real ones cannot have, and a call without any.
  @Test(arguments: [false, true]) func aPublisherOfOneValueIsSweptAsACall(isRemote: Bool) async throws {
    let scenario = Scenario("listening", "A user reads a title.") { run in
      let radio = run.intercepted(Radio(), as: "radio")
      let received = Locked<Received?>(nil)
      let failures = await run.act {
        let new = Received(isRemote ? radio.remote() : radio.title())
        received.withLock { $0 = new }
      }
      let events = received.withLock { $0?.all } ?? []
      run.expect("answer.arrives", !events.isEmpty, "none")
      run.expect("errors.shown", failures.match(isShown: events.count == 1), "\(failures): \(events)")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.points.first?.interaction == "call")
    let faults = Fault.all(of: .call).filter { $0 != .cancelled && $0.applies(to: .service) }
    #expect(report.points.first?.faults == faults.count)
    #expect(report.counts.interrupted > 0)
  }

  /// Catches a failure that no subscriber can receive, and that a screen must show nevertheless.
  @Test func aSubscriptionThatTheAppCancelsHasNoFailureToShow() async throws {
    let scenario = Scenario("typing", "A user types twice.") { run in
      let radio = run.intercepted(Radio(), as: "radio")
      let received = Locked<Received?>(nil)
      let failures = await run.act {
        let first = Received(radio.remote())
        first.cancel()
        let second = Received(radio.title())
        received.withLock { $0 = second }
      }
      let events = received.withLock { $0?.all } ?? []
      run.expect("errors.shown", failures.match(isShown: events.count == 1), "\(failures): \(events)")
    }
    #expect(try await scenario.report().violations == [])
  }

  /// Catches what is sent after the subscription, and lost under a delay, a late answer or an interruption.
  @Test func whatIsSentAfterTheSubscriptionIsReceivedUnderEverySchedule() async throws {
    let scenario = Scenario("refreshing", "A user opens a list, which is refreshed.") { run in
      let radio = run.intercepted(Radio(), as: "radio")
      let received = Locked<Received?>(nil)
      let failures = await run.act {
        let new = Received(radio.songs())
        received.withLock { $0 = new }
        radio.base.subject.send("Red")
      }
      let events = received.withLock { $0?.all } ?? []
      if !run.altersEvents {
        run.expect("song.shown", events.contains("Red") || !failures.isEmpty, "\(events)")
      }
    }
    #expect(try await scenario.report().violations == [])
  }

  /// Catches an end without a value where no failure can be, which no screen expects.
  @Test func aPublisherOfOneValueWithoutFailuresIsOnlyDelayed() async throws {
    let scenario = Scenario("looking", "A user looks.") { run in
      let radio = run.intercepted(Radio(), as: "radio")
      let received = Locked<Received?>(nil)
      await run.act {
        let new = Received(radio.isOn())
        received.withLock { $0 = new }
      }
      run.expect("answer.arrives", received.withLock { $0?.all } == ["true", "end"], "none")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.unfailing == ["radio.isOn"])
    let delays = Fault.all(of: .call).filter { $0.symptom == .delayed && $0.applies(to: .service) }
    #expect(report.points.first?.faults == delays.count)
  }

  /// Catches a run that waits for ever for a subject that sends only at the scenario's request, and one that finds out
  /// in every run how long to wait.
  @Test func aSubjectIsSweptAsAStream() async throws {
    let start = ContinuousClock.now
    let scenario = Scenario("listening", "A user listens.") { run in
      let radio = run.intercepted(Radio(), as: "radio")
      let received = Locked<Received?>(nil)
      await run.act {
        let new = Received(radio.songs())
        received.withLock { $0 = new }
      }
      for song in ["Red", "Green"] {
        radio.base.subject.send(song)
        await run.waitForReader {
          received.withLock { $0?.all.contains { $0 != "Red" && $0 != "Green" } } == true
        }
      }
      let events = received.withLock { $0?.all } ?? []
      let isShown = events.contains { $0 != "Red" && $0 != "Green" }
      if !run.altersEvents {
        run.expect("errors.shown", run.failures.match(isShown: isShown), "\(events)")
      }
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.points.first?.interaction == "stream")
    #expect(report.points.first?.events == 2)
    #expect(report.counts.single > 20)
    // Each of its runs would take a second.
    #expect(ContinuousClock.now - start < .seconds(report.counts.total))
  }
}

@Suite struct DemandedEventsTests {
  private func received(
    _ values: ClosedRange<Int>, demands: [Int], more: @escaping @Sendable (Int) -> Int = { _ in 0 }
  ) -> [String] {
    let received = Locked<[String]>([])
    let events = DemandedEvents<Int, TodoError> { receive in
      for value in values { receive(.value(value)) }
      receive(.end(nil))
      return {}
    } receive: { event in
      guard case .value(let value) = event else {
        received.withLock { $0.append("end") }
        return 0
      }
      received.withLock { $0.append("\(value)") }
      return more(value)
    }
    for demand in demands { events.request(demand) }
    return received.withLock(\.self)
  }

  /// Catches values that were not requested, and an end before them.
  @Test func onlyWhatIsRequestedIsReceived() {
    #expect(received(1...3, demands: []) == [])
    #expect(received(1...3, demands: [2]) == ["1", "2"])
    #expect(received(1...3, demands: [1, 2]) == ["1", "2", "3", "end"])
    #expect(received(1...3, demands: [.max, .max]) == ["1", "2", "3", "end"])
    #expect(received(1...3, demands: [1]) { $0 == 1 ? 1 : 0 } == ["1", "2"])
  }

  /// Catches a value that is received within the receipt of another.
  @Test func aRequestDuringAnEventWaits() {
    let received = Locked<[String]>([])
    let events = Locked<DemandedEvents<Int, TodoError>?>(nil)
    let new = DemandedEvents<Int, TodoError> { receive in
      for value in 1...2 { receive(.value(value)) }
      return {}
    } receive: { event in
      guard case .value(let value) = event else { return 0 }
      received.withLock { $0.append("begin \(value)") }
      if value == 1 { events.withLock(\.self)?.request(1) }
      received.withLock { $0.append("end \(value)") }
      return 0
    }
    events.withLock { $0 = new }
    new.request(1)
    #expect(received.withLock(\.self) == ["begin 1", "end 1", "begin 2", "end 2"])
    events.withLock { $0 = nil }
  }

  @Test func nothingIsReceivedAfterACancellation() {
    let (received, isCancelled) = (Locked<[Int]>([]), Locked(false))
    let send = Locked<(@Sendable (PublishedEvent<Int, TodoError>) -> Void)?>(nil)
    let events = DemandedEvents<Int, TodoError> { receive in
      send.withLock { $0 = receive }
      return { isCancelled.withLock { $0 = true } }
    } receive: { event in
      if case .value(let value) = event { received.withLock { $0.append(value) } }
      return 0
    }
    events.request(1)
    send.withLock { $0 }?(.value(1))
    send.withLock { $0 }?(.value(2))
    events.cancel()
    events.request(1)
    #expect(received.withLock { $0 } == [1])
    #expect(isCancelled.withLock { $0 })
  }
}
