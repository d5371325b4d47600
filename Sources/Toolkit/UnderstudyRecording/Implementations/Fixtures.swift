import Foundation
public import Understudy
import UnderstudyHTTP

/// A fixture of a condition with a separate representation in recordings.
///
/// A fixture that is `Codable`, or `Void`, does not need to conform.
///
/// ```swift
/// extension BrokenStream: RecordableFixture {
///   func recorded() -> Int { chunks }
///   static func replayed(_ chunks: Int, in trial: TrialEnvironment) -> Self { BrokenStream(afterChunks: chunks) }
/// }
/// ```
public protocol RecordableFixture: Sendable {
  /// The recorded representation.
  associatedtype Recorded: Codable & Sendable

  /// Returns the recorded representation; called after the clause, so that it can include results.
  func recorded() async throws -> Recorded

  /// Creates the fixture in a replay.
  static func replayed(_ recorded: Recorded, in trial: TrialEnvironment) -> Self
}

extension Duration: RecordableFixture {
  /// Returns the duration in seconds.
  public func recorded() -> Double { self / .seconds(1) }

  /// Creates a duration from seconds.
  public static func replayed(_ seconds: Double, in trial: TrialEnvironment) -> Duration { .seconds(seconds) }
}

/// The fixtures of a trial that is being recorded, in order.
final class RecordedFixtures: FixtureStore {
  private typealias Note = (condition: String, payload: @Sendable () async throws -> JSONValue)

  private let notes = Locked<[Note]>([])

  func note<Fixture: Sendable>(_ condition: Condition<Fixture>, _ fixture: Fixture) {
    let payload: (@Sendable () async throws -> JSONValue)? =
      if Fixture.self == Void.self {
        { .object([]) }
      } else if let fixture = fixture as? any RecordableFixture {
        { try await fixture.recordedJSON() }
      } else if let fixture = fixture as? any Encodable {
        Self.json(of: fixture)
      } else {
        nil
      }
    if let payload { notes.withLock { $0.append((condition.name, payload)) } }
  }

  private static func json(of fixture: any Encodable) -> @Sendable () async throws -> JSONValue {
    let json = Result { try JSONValue(encoding: fixture) }
    return { try json.get() }
  }

  func noteUnavailable<Fixture: Sendable>(_ condition: Condition<Fixture>) {
    notes.withLock { $0.append((condition.name, { .null })) }
  }

  func fixture<Fixture: Sendable>(
    of condition: Condition<Fixture>, in environment: TrialEnvironment
  ) throws -> Fixture? { nil }

  /// Returns an object with an array for each condition.
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

/// The fixtures of a trial that is being replayed.
final class ReplayedFixtures: FixtureStore {
  /// The requests of the client.
  let log = CallLog<ReplayingTransport>()
  let archive: HTTPArchive
  private let command: String
  private let positions = Locked<[String: Int]>([:])

  init(_ archive: HTTPArchive, madeBy command: String) {
    self.archive = archive
    self.command = command
  }

  func note<Fixture: Sendable>(_ condition: Condition<Fixture>, _ fixture: Fixture) {}
  func noteUnavailable<Fixture: Sendable>(_ condition: Condition<Fixture>) {}

  func fixture<Fixture: Sendable>(
    of condition: Condition<Fixture>, in environment: TrialEnvironment
  ) throws -> Fixture? {
    let position = positions.withLock { positions in
      defer { positions[condition.name, default: 0] += 1 }
      return positions[condition.name, default: 0]
    }
    guard case .array(let payloads) = archive.log.fixtures?[condition.name], position < payloads.count else {
      throw FixtureMissing(condition: condition.name, command: command)
    }
    let payload = payloads[position]
    if payload == .null { return nil }
    if let nothing = () as? Fixture { return nothing }
    if let type = Fixture.self as? any RecordableFixture.Type {
      return try type.fixture(from: payload, in: environment) as? Fixture
    }
    guard let type = Fixture.self as? any Decodable.Type else { return nil }
    return try payload.decoded(as: type) as? Fixture
  }
}

extension TrialEnvironment {
  /// The requests of a trial that is being replayed; `nil` for other trials.
  package var replayedRequests: CallLog<ReplayingTransport>? { (fixtures as? ReplayedFixtures)?.log }
}

/// The error for a recording that is older than a condition of its clause.
private struct FixtureMissing: Error, CustomStringConvertible {
  let condition: String
  let command: String

  var description: String {
    """
    The recording has no fixture of the condition "\(condition)": the clause has changed since it was recorded. \
    To re-record it: \(command)
    """
  }
}

extension RecordableFixture {
  fileprivate func recordedJSON() async throws -> JSONValue { try JSONValue(encoding: try await recorded()) }

  fileprivate static func fixture(from payload: JSONValue, in trial: TrialEnvironment) throws -> Self {
    replayed(try payload.decoded(as: Recorded.self), in: trial)
  }
}

extension JSONValue {
  fileprivate init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try self.init(parsing: try encoder.encode(value))
  }

  fileprivate func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(compactText.utf8))
  }
}
