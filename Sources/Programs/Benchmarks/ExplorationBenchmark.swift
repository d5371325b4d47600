import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesVerification
import UnderstudyConsole

extension Benchmark {
  static let exploration = Benchmark(
    "exploration", "Exploring the children's service in memory, beside a loop of the same calls."
  ) { extent in
    let size = ExplorationSize(sequences: extent.size(20, short: 4), length: 500, programs: 0)
    let calls = try await recordedCalls(size)
    return try await extent.rounds(7) {
      let loop = ("loop of the calls", try await rate { try await repeatCalls(calls) })
      let explored = try await rate { try await explore(.alone, size) }
      return [
        Row("commands", explored, .perSecond, beside: loop, aim: 0.5, reached: 0.08),
        // A slower double hides behind the ratio, not here.
        Row("commands, in a second", explored, .perSecond, aim: 150_000),
        Row(
          "fresh services, a sign-in, a child and a list", try await rate { try await fresh(extent) },
          .perSecond,
          aim: 25_000),
        Row(
          "commands, of a double whose calls can fail", try await rate { try await explore(.inMemory, size) },
          .perSecond, beside: loop),
      ]
    }
  }

  /// Makes the services that a test begins with.
  private static func fresh(_ extent: Extent) async throws -> Int {
    let count = extent.size(10_000, short: 2_000)
    guard let birthday = CalendarDate(year: 2017, month: 5, day: 4) else { return 0 }
    for seed in 0..<count {
      let services = InMemorySharedServices(seed: UInt64(seed), time: TestClock().time)
      let user = try services.addUser(email: "pat@example.com", password: "password")
      _ = try await services.auth.signIn(email: "pat@example.com", password: "password")
      _ = try await services.children.createChild(
        NewChild(userID: user, name: "Robin", age: 8, birthday: birthday))
      let children = try await services.children.fetchChildren(userID: user)
      guard children.count == 1 else { throw CommandError("Expected a child, found \(children.count).") }
    }
    return count
  }

  private static func explore(
    _ implementation: Implementation<any ChildrenService>, _ size: ExplorationSize
  ) async throws -> Int {
    let report = try await Exploration.childrenService.explore(implementation, size: size)
    if let failure = report.failure { throw CommandError(failure.description) }
    return report.commands
  }

  /// The calls of each sequence.
  private static func recordedCalls(_ size: ExplorationSize) async throws -> [[ChildrenCall]] {
    let recorded = Locked<[[ChildrenCall]]>([])
    let recording = Implementation<any ChildrenService>.alone.wrapping(as: "recording") { base in
      recorded.withLock { $0.append([]) }
      return RecordingChildrenService(base: base, recorded: recorded)
    }
    _ = try await explore(recording, size)
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

extension Implementation where Subject == any ChildrenService {
  /// The service in memory, with the same ids each time.
  fileprivate static var alone: Self {
    Implementation("alone") { trial in
      let (time, user) = (TestClock(), InMemorySharedServices.sampleUserID)
      let backend = InMemorySharedServices.signedIn(time: time.time)
      let other = try backend.addUser(email: "other@example.com", password: "password")
      trial.on(.usersTakeTurns) {
        DeviceUsers(ids: [user, other]) { id in
          let email = id == user ? "pat@example.com" : "other@example.com"
          _ = try await backend.auth.signIn(email: email, password: "password")
        }
      }
      trial.on(.timePasses) { Passage { time.advance(by: $0) } }
      return backend.children
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
