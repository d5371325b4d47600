import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Methods that return a stream in every spelling, which faults, logs, gates and sweeps treat alike.
@Suite(.stallLimit()) struct StreamSpellingTests {
  /// How a method returns the numbers from one to three.
  enum Spelling: CaseIterable, Sendable {
    /// `async throws -> AsyncThrowingStream`
    case throwingCall
    /// `async -> AsyncThrowingStream`
    case eventual
    /// `-> AsyncThrowingStream`
    case immediate
    /// `-> AsyncThrowingStream(pulling:)`, from a custom sequence.
    case sequence
    /// `async throws -> AsyncStream`
    case throwingCallOfInfallible
    /// `async -> AsyncStream`
    case eventualInfallible
    /// `-> AsyncStream`
    case infallible

    /// Whether a reader gets an error of the stream.
    var canStreamFail: Bool {
      switch self {
      case .throwingCall, .eventual, .immediate, .sequence: true
      case .throwingCallOfInfallible, .eventualInfallible, .infallible: false
      }
    }

    /// Whether a caller, or a reader, gets an error of the call.
    var canCallFail: Bool { canStreamFail || self == .throwingCallOfInfallible }
  }

  /// A custom sequence.
  struct Counting: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      var number = 0
      mutating func next() async throws -> Int? {
        number += 1
        return number <= 3 ? number : nil
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  final class Numbers: Sendable {
    let calls = Locked(0)

    func counting() -> Counting {
      calls.withLock { $0 += 1 }
      return Counting()
    }

    func throwing() -> AsyncThrowingStream<Int, any Error> {
      calls.withLock { $0 += 1 }
      return AsyncThrowingStream { continuation in
        for number in 1...3 { continuation.yield(number) }
        continuation.finish()
      }
    }

    func infallible() -> AsyncStream<Int> {
      calls.withLock { $0 += 1 }
      return AsyncStream { continuation in
        for number in 1...3 { continuation.yield(number) }
        continuation.finish()
      }
    }
  }

  /// What a reader has received.
  struct Read: Equatable, Sendable {
    var numbers: [Int] = []
    var error: TodoError?

    init(_ numbers: [Int], _ error: TodoError? = nil) {
      self.numbers = numbers
      self.error = error
    }

    init(_ spelling: Spelling, of service: Intercepted<Numbers>) async {
      do {
        switch spelling {
        case .throwingCall:
          for try await number in try await service.throwingCall() { numbers.append(number) }
        case .eventual: for try await number in await service.eventual() { numbers.append(number) }
        case .immediate: for try await number in service.immediate() { numbers.append(number) }
        case .sequence: for try await number in service.sequence() { numbers.append(number) }
        case .throwingCallOfInfallible:
          for await number in try await service.throwingCallOfInfallible() { numbers.append(number) }
        case .eventualInfallible:
          for await number in await service.eventualInfallible() { numbers.append(number) }
        case .infallible: for await number in service.infallible() { numbers.append(number) }
        }
      } catch {
        self.error = error as? TodoError
      }
    }
  }

  static let all = [1, 2, 3]

  @Test(arguments: Spelling.allCases) func withoutInterceptorsItIsTheBasesStream(_ spelling: Spelling) async {
    #expect(await Read(spelling, of: Intercepted(Numbers())) == Read(Self.all))
  }

  @Test(arguments: Spelling.allCases) func aFaultOfTheCallPrecedesTheBase(_ spelling: Spelling) async {
    let log = CallLog<Numbers>()
    let service = Intercepted(Numbers(), by: .faults(.on(.numbers, .conflict)), .log(log))
    #expect(await Read(spelling, of: service) == Read([], spelling.canCallFail ? .conflict : nil))
    #expect(service.base.calls.withLock { $0 } == 0)
    #expect(log.description.hasPrefix("1. numbers() threw "))
  }

  static let streamFaults: [(fault: Fault, numbers: [Int], error: TodoError?)] = [
    (.dropStream(afterEvents: 2), [1, 2], .connectionLost),
    (.endStream(afterEvents: 1), [1], .connectionLost),
    (.stallStream(afterEvents: 1), [1], .timedOut), (.corruptEvent(3), [1, 2], .unreadable),
    (.duplicateEvent(2), [1, 2, 2, 3], nil), (.reorderEvent(1), [2, 1, 3], nil),
    (.dropStream(afterEvents: 3), all, nil),
  ]

  @Test(arguments: Spelling.allCases, streamFaults)
  func aFaultOfTheStreamIsAmongItsElements(
    _ spelling: Spelling, _ row: (fault: Fault, numbers: [Int], error: TodoError?)
  ) async {
    let manual = TestClock(.immediate)
    let log = CallLog<Numbers>()
    let service = Intercepted(
      Numbers(), by: .faults(.on(.numbers, row.fault).optional(if: row.numbers == Self.all)), .log(log),
      time: manual.time)
    #expect(await Read(spelling, of: service) == Read(row.numbers, spelling.canStreamFail ? row.error : nil))
    #expect(manual.elapsed == (row.error == .timedOut ? .seconds(30) : .zero))
    #expect(log.description == "1. numbers() returned")
    #expect(service.base.calls.withLock { $0 } == 1)
  }

  @Test(arguments: Spelling.allCases, [true, false])
  func aGateHoldsTheCallOrItsFirstElement(_ spelling: Spelling, _ isFailing: Bool) async throws {
    let gate = Gate<Numbers>()
    let service = Intercepted(Numbers(), by: .gate(gate))
    async let read = Read(spelling, of: service)
    let held = try await gate.next(.numbers)
    if isFailing { held.fail(with: .offline) } else { held.proceed() }
    let expected = isFailing ? Read([], spelling.canCallFail ? .offline : nil) : Read(Self.all)
    #expect(await read == expected)
  }

  @Test(arguments: Spelling.allCases) func aCustomInterceptorThrowsAFault(_ spelling: Spelling) async {
    let refused = Intercepted(Numbers(), by: Interceptor(Throwing(Fault.conflict)))
    #expect(await Read(spelling, of: refused) == Read([], spelling.canCallFail ? .conflict : nil))
    let cut = Intercepted(Numbers(), by: Interceptor(Throwing(Fault.dropStream(afterEvents: 2))))
    #expect(await Read(spelling, of: cut) == Read([1, 2], spelling.canStreamFail ? .connectionLost : nil))
    #expect(cut.base.calls.withLock { $0 } == 1)
    let repeated = Intercepted(
      Numbers(), by: Interceptor(RetryOnce()), .faults(.on(.numbers, call: 1, .offline)))
    #expect(await Read(spelling, of: repeated) == Read(Self.all))
  }

  /// Catches a base that is called twice for a fault after it.
  @Test(arguments: Spelling.allCases)
  func aFaultAfterTheBaseIsRealisedOnceBehindAnInterceptor(_ spelling: Spelling) async {
    let service = Intercepted(
      Numbers(), by: Interceptor(CustomInterceptorTests.Unchanged()), .faults(.on(.numbers, .emptyReply)))
    #expect(await Read(spelling, of: service) == Read([], spelling.canCallFail ? .connectionLost : nil))
    #expect(service.base.calls.withLock { $0 } == 1)
  }

  // MARK: - Scenarios

  /// Reads the numbers, and expects a failure in the run wherever some are missing.
  static func reading(_ spelling: Spelling) -> Scenario {
    Scenario("reading", "Numbers are read from a stream.") { run in
      let service = run.intercepted(Numbers(), as: "base")
      let read = await Read(spelling, of: service)
      run.expect(
        "failure.seen", Set(read.numbers) == Set(all) || run.failures.count == 1,
        "\(read.numbers) with \(run.failures)")
      run.expect("failure.true", Set(read.numbers) != Set(all) || run.failures.isEmpty, "\(run.failures)")
    }
  }

  /// Catches a spelling whose streams the sweep treats as calls, or whose failures the run does not record.
  @Test(arguments: Effort.some(of: Spelling.allCases, every: 3)) func aSweepTriesTheFaultsOfStreams(
    _ spelling: Spelling
  ) async throws {
    let report = try await Self.reading(spelling).report(SweepOptions(pairLimit: 0))
    #expect(report.violations == [])
    #expect(report.points.map(\.point) == [FaultPoint("base.numbers", call: 1)])
    #expect(report.points.map(\.interaction) == ["stream"])
    let catalogue = Fault.all(of: .stream).count { $0.applies(to: .service) }
    // At each of three events: lost before it, ended, stalled, corrupt, twice, and after the next one.
    #expect(report.points.map(\.faults) == [catalogue + 2 * 6])
  }

  @Test(arguments: Spelling.allCases) func aStreamsFailureIsAmongThoseOfTheRun(_ spelling: Spelling)
    async throws
  {
    let found = Locked<[String]>([])
    let scenario = Scenario("reading", "Numbers are read from a stream.") { run in
      _ = await Read(spelling, of: run.intercepted(Numbers(), as: "base"))
      found.withLock { $0 = run.failures.map { "\($0.point) \($0.fault.map { "\($0)" } ?? "-")" } }
    }
    _ = try await scenario.outcome(under: [.at("base.numbers", call: 1, .corruptEvent(2))])
    #expect(found.withLock { $0 } == ["\(FaultPoint("base.numbers", call: 1)) corrupt-event:2"])
  }
}

extension CustomInterceptorTests {
  /// Does nothing.
  struct Unchanged<Base: Sendable>: CustomInterceptor {
    func intercept<Result>(
      _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result { try await next() }
  }
}

extension Intercepted.Operation where Base == StreamSpellingTests.Numbers {
  fileprivate static var numbers: Self { Self("numbers") }
}

extension Intercepted where Base == StreamSpellingTests.Numbers {
  fileprivate func throwingCall() async throws(TodoError) -> AsyncThrowingStream<Int, any Error> {
    try await interceptStream(.numbers, failure: { TodoError($0) }) { base throws(TodoError) in
      base.throwing()
    }
  }

  fileprivate func eventual() async -> AsyncThrowingStream<Int, any Error> {
    await interceptStream(.numbers, streamFailure: { TodoError($0) }) { (base) async in base.throwing() }
  }

  fileprivate func immediate() -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.numbers, streamFailure: { TodoError($0) }) { base in base.throwing() }
  }

  fileprivate func sequence() -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.numbers, streamFailure: { TodoError($0) }) { base in
      AsyncThrowingStream(pulling: base.counting())
    }
  }

  fileprivate func throwingCallOfInfallible() async throws(TodoError) -> AsyncStream<Int> {
    try await interceptStream(.numbers, failure: { TodoError($0) }) { base throws(TodoError) in
      base.infallible()
    }
  }

  fileprivate func eventualInfallible() async -> AsyncStream<Int> {
    await interceptStream(.numbers) { (base) async in base.infallible() }
  }

  fileprivate func infallible() -> AsyncStream<Int> {
    interceptStream(.numbers) { base in base.infallible() }
  }
}
