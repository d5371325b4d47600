import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesVerification

/// A benchmark of exploring the children's service in memory, compared with a loop of the same calls that ignores the
/// results.
enum ExplorationBenchmark {
  static let rounds = 7
  static let sequences = 20
  static let length = 500

  static func run() async throws -> [String] {
    let calls = try await recordedCalls()
    var plain = Measurement(name: "plain loop of the same calls", places: 0)
    var explored = Measurement(name: "explored", atLeast: 100_000, places: 0)
    var contract = Measurement(
      name: "explored, as a double whose calls can fail", places: 0)
    for _ in 0..<rounds {
      plain.figures.append(try await rate { try await repeatCalls(calls) })
      explored.figures.append(try await rate { try await explore(.alone) })
      contract.figures.append(try await rate { try await explore(.inMemory) })
    }
    return [plain, explored, contract].map(\.line)
  }

  /// The number of commands per second of processor time, which is independent of other processes.
  private static func rate(_ body: () async throws -> Int) async throws -> Double {
    let begin = clock()
    let count = try await body()
    // POSIX defines one million clock ticks per second, whatever the clock's resolution.
    return Double(count) / (Double(clock() - begin) / 1_000_000)
  }

  private static func explore(_ implementation: Implementation<any ChildrenService>) async throws -> Int {
    let size = ExplorationSize(sequences: sequences, length: length, programs: 0)
    let report = try await Exploration.childrenService.explore(implementation, size: size)
    if let failure = report.failure { throw UnexpectedFailure(description: failure.description) }
    return report.commands
  }

  /// The calls of each sequence.
  private static func recordedCalls() async throws -> [[ChildrenCall]] {
    let recorded = Locked<[[ChildrenCall]]>([])
    let recording = Implementation<any ChildrenService>.alone.wrapping(as: "recording") { base in
      recorded.withLock { $0.append([]) }
      return RecordingChildrenService(base: base, recorded: recorded)
    }
    _ = try await explore(recording)
    return recorded.withLock { $0 }
  }

  private static func repeatCalls(_ sequences: [[ChildrenCall]]) async throws -> Int {
    for calls in sequences {
      let service: any ChildrenService = InMemorySharedServices.signedIn(time: TestClock().time).children
      for call in calls { try? await call.perform(on: service) }
    }
    return sequences.reduce(0) { $0 + $1.count }
  }
}

/// The error for a reported failure in a correct service.
private struct UnexpectedFailure: Error, CustomStringConvertible {
  let description: String
}

extension Implementation where Subject == any ChildrenService {
  /// The service in memory, with the same ids each time.
  fileprivate static var alone: Self {
    Implementation("alone") { trial in
      let time = TestClock()
      trial.on(.signedIn) { InMemoryChildrenService.sampleUserID }
      trial.on(.timePasses) { Passage { time.advance(by: $0) } }
      return InMemorySharedServices.signedIn(time: time.time).children
    }
  }
}

/// A call with its arguments.
private enum ChildrenCall: Sendable {
  case create(NewChild)
  case fetch(UUID)
  case update(Child)
  case delete(UUID)

  func perform(on service: any ChildrenService) async throws {
    switch self {
    case .create(let child): _ = try await service.createChild(child)
    case .fetch(let userID): _ = try await service.fetchChildren(userID: userID)
    case .update(let child): _ = try await service.updateChild(child)
    case .delete(let id): try await service.deleteChild(id: id)
    }
  }
}

private struct RecordingChildrenService: ChildrenService {
  let base: any ChildrenService
  let recorded: Locked<[[ChildrenCall]]>

  private func record(_ call: ChildrenCall) {
    recorded.withLock { $0[$0.count - 1].append(call) }
  }

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    record(.create(child))
    return try await base.createChild(child)
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    record(.fetch(userID))
    return try await base.fetchChildren(userID: userID)
  }

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    record(.update(child))
    return try await base.updateChild(child)
  }

  func deleteChild(id: UUID) async throws(AppError) {
    record(.delete(id))
    try await base.deleteChild(id: id)
  }
}
