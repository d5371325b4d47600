/// A condition of any fixture.
struct ComparedCondition: Sendable {
  let name: String
  /// The condition as Swift code.
  let swift: String
  let begin: @Sendable (TrialEnvironment, String) async throws -> (Answer, @Sendable () async -> Void)

  init<Fixture: Sendable>(_ condition: Condition<Fixture>) {
    name = condition.name
    swift = condition.swift
    begin = { environment, implementation in
      let (fixture, end) = try await environment.begin(condition, for: implementation)
      return (Answer(returned: fixture), end)
    }
  }
}

/// One of two implementations in a program.
final class ProgramSide<Subject: Sendable> {
  let implementation: Implementation<Subject>
  let workplace: Workplace
  private let queue: ProgramQueue
  private let subject: Subject
  private let environment: TrialEnvironment
  private var endings: [@Sendable () async -> Void] = []
  /// The answers by step; fixtures have negative numbers.
  private(set) var answers: [Int: Answer] = [:]
  /// The streams that are being read, in the order in which they were opened.
  private(set) var logs: [(step: Int, log: EventLog)] = []

  /// Creates a fresh instance.
  ///
  /// - Throws: `ComparisonError` if the implementation cannot be set up.
  init(
    of implementation: Implementation<Subject>, in workplace: Workplace, contract: String, seed: UInt64,
    given conditions: [ComparedCondition]
  ) async throws {
    (self.implementation, self.workplace) = (implementation, workplace)
    queue = ProgramQueue(workplace)
    let made = try await queue.run { () async -> Result<(Subject, TrialEnvironment), ComparisonError> in
      do {
        let given = TrialEnvironment(contract: contract, clause: "\(contract).comparison", seed: seed)
        return .success(try await implementation.prepare(given) { _ in })
      } catch {
        return .failure(ComparisonError("\(implementation.name) could not be set up: \(error)"))
      }
    }
    do { (subject, environment) = try made.get() } catch {
      queue.end()
      throw error
    }
    do {
      for (number, condition) in conditions.enumerated() {
        answers[-1 - number] = try await begin(condition)
      }
    } catch {
      await end()
      throw error
    }
  }

  /// Begins a condition that holds until the program ends.
  ///
  /// - Returns: Its fixture.
  func begin(_ condition: ComparedCondition) async throws -> Answer {
    let (fixture, end) = try await setUp(condition)
    endings.append(end)
    return fixture
  }

  private func setUp(
    _ condition: ComparedCondition
  ) async throws -> (Answer, @Sendable () async -> Void) {
    typealias SetUp = Result<(Answer, @Sendable () async -> Void), ComparisonError>
    return try await queue.run { [environment, name = implementation.name] () async -> SetUp in
      do {
        return .success(try await condition.begin(environment, name))
      } catch let end as TrialEnd {
        return .failure(ComparisonError(end.reason, lacksCondition: condition.name))
      } catch {
        return .failure(ComparisonError("The condition \"\(condition.name)\" could not be set up: \(error)"))
      }
    }.get()
  }

  /// Makes the call of a step.
  func perform(
    _ step: ProgramStep, of operation: ServiceOperation<Subject>, under condition: ComparedCondition?
  ) async throws {
    guard let call = operation.call(arguments(of: step)) else {
      answers[step.id] = Answer(tree: .text("no call"), value: .noCall)
      return
    }
    let end = if let condition { try await setUp(condition).1 } else { nil as (@Sendable () async -> Void)? }
    let answer = try await queue.run(orWhenIdle: Answer.neverEnded) { [subject] in await call(subject) }
    if let events = answer.events {
      events.begin(in: queue)
      queue.drain()
      logs.append((step.id, events))
      // What begins after the condition would be of another one.
      if end != nil { try await wait(for: .max, in: events) }
    }
    if let end { try await queue.run { await end() } }
    answers[step.id] = answer
  }

  func arguments(of step: ProgramStep) -> [GivenArgument] {
    step.arguments.map { $0.given { answers[$0]?.tree } }
  }

  /// Waits until a stream has delivered a number of events or has ended, or nothing runs in the process any more.
  ///
  /// That nothing comes to a stream of an implementation in this process is found out once.
  func wait(for count: Int, in log: EventLog) async throws {
    if workplace.place == .queue || log.contents.hasReached(count) { return }
    let before = workplace.place
    let signal = Signal<Void>()
    log.whenReached(count, signal)
    let watch = StallMonitor.current.watch(for: Self.stallLimit, isCharged: false) { _ in signal.send(()) }
    defer { watch.end() }
    try await queue.run(asCall: false) { try? await signal.value() }
    if before == .unknown { workplace.note(log.contents.hasReached(count) ? .elsewhere : .queue) }
  }

  /// How long the process must have been idle before an event of an implementation that works elsewhere is missing.
  private static var stallLimit: Duration { .milliseconds(500) }

  /// Tears the instance down.
  func end() async {
    for (_, log) in logs { log.cancel() }
    _ = try? await queue.run { [environment, endings] in
      for end in endings.reversed() { await end() }
      // The program has its result; a failure of the teardown is one of the contract's checks.
      try? await environment.end(.passed)
    }
    queue.end()
  }
}

/// Why implementations cannot be compared.
package struct ComparisonError: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// The condition that an implementation lacks.
  let lackedCondition: String?

  init(_ description: String, lacksCondition condition: String? = nil) {
    (self.description, lackedCondition) = (description, condition)
  }
}
