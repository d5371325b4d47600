import Foundation
public import Understudy
public import UnderstudyHTTP

/// How what comes with a condition is kept in a recording, and is there again in a replay.
public struct FixtureCodec: Sendable {
  /// The same provision, whose fixtures are noted in the journal.
  let record: @Sendable (Provision, FixtureJournal) -> Provision
  /// A provision that gives what was recorded.
  let replay: @Sendable (ReplayedTrial) -> Provision

  /// A codec for a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - payload: What is kept; asked for when the clause is over, so that it can say how things ended.
  ///   - fixture: The fixture again.
  public init<Fixture: Sendable, Payload: Codable & Sendable>(
    _ condition: Condition<Fixture>, keeping payload: @escaping @Sendable (Fixture) async throws -> Payload,
    as fixture: @escaping @Sendable (Payload, ReplayedTrial) -> Fixture
  ) {
    record = { provision, journal in
      provision.handingOn(condition) { fixture in
        journal.note(condition.name) { try JSONValue(encoding: try await payload(fixture)) }
      }
    }
    replay = { trial in
      .bringing(about: condition) { fixture(try trial.nextPayload(of: condition.name), trial) }
    }
  }

  /// The conditions of every service that asks a server.
  public static let common: [FixtureCodec] = [
    FixtureCodec(.serverFails), FixtureCodec(.doesNotAnswer), FixtureCodec(.offline),
    FixtureCodec(.connectionBreaks), FixtureCodec(.answerIsLost), FixtureCodec(.answerIsUnreadable),
    FixtureCodec(
      .tooManyRequests, keeping: { $0 / .seconds(1) }, as: { seconds, _ in .seconds(seconds) }),
  ]

  /// A codec for a fixture that is itself a value.
  public init<Fixture: Codable & Sendable>(_ condition: Condition<Fixture>) {
    self.init(condition, keeping: { $0 }, as: { payload, _ in payload })
  }

  /// A codec for a condition that nothing comes with: the recorded answers are what it brings about.
  public init(_ condition: Condition<Void>) {
    self.init(condition, keeping: { NoPayload() }, as: { _, _ in })
  }

  private struct NoPayload: Codable {}
}

/// What came with the conditions of one trial, in order.
public final class FixtureJournal: Sendable {
  private typealias Note = (condition: String, payload: @Sendable () async throws -> JSONValue)

  private let notes = Locked<[Note]>([])

  /// Notes what came with a condition, or anything else that a replay has to find again.
  ///
  /// - Parameters:
  ///   - condition: The name of the condition.
  ///   - payload: Asked for when the clause is over.
  public func note(_ condition: String, _ payload: @escaping @Sendable () async throws -> JSONValue) {
    notes.withLock { $0.append((condition, payload)) }
  }

  /// An object with an array for each condition.
  func json() async throws -> JSONValue {
    var members: [JSONValue.Member] = []
    for note in notes.withLock({ $0 }) {
      let payload = try await note.payload()
      if let place = members.firstIndex(where: { $0.name == note.condition }),
        case .array(let payloads) = members[place].value
      {
        members[place] = .init(note.condition, .array(payloads + [payload]))
      } else {
        members.append(.init(note.condition, .array([payload])))
      }
    }
    return .object(members)
  }
}

/// A recorded trial that is being replayed.
public final class ReplayedTrial: Sendable {
  /// Begins at the moment of the recording, and jumps.
  public let time: ManualTime
  /// What everything random came from in the recorded trial.
  public let seed: UInt64
  /// What was asked.
  public let log = CallLog<ReplayingTransport>()
  private let fixtures: JSONValue?
  private let positions = Locked<[String: Int]>([:])

  init(_ archive: HTTPArchive) {
    time = ManualTime(.jumping, startingAt: archive.log.startedDateTime ?? Date(timeIntervalSince1970: 0))
    seed = archive.log.seed ?? 0
    fixtures = archive.log.fixtures
  }

  /// The next thing that came with a condition.
  ///
  /// - Throws: An error that says to record the clause again, if nothing was noted.
  public func nextPayload<Payload: Decodable>(of condition: String) throws -> Payload {
    let position = positions.withLock { positions in
      defer { positions[condition, default: 0] += 1 }
      return positions[condition, default: 0]
    }
    guard case .array(let payloads) = fixtures?[condition], position < payloads.count else {
      throw FixtureMissing(condition: condition)
    }
    return try JSONDecoder().decode(Payload.self, from: Data(payloads[position].compactText.utf8))
  }
}

/// A recording that was made before its clause asked for a condition.
private struct FixtureMissing: Error, CustomStringConvertible {
  let condition: String

  var description: String {
    "The recording does not know the condition \"\(condition)\". Its clause has changed since: record it again."
  }
}

extension JSONValue {
  fileprivate init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try self.init(parsing: try encoder.encode(value))
  }
}
