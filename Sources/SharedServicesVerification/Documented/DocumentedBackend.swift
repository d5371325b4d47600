public import UnderstudyRecording
import SharedServicesDoubles
public import Understudy
public import UnderstudyHTTP
import UnderstudySupabase
import Foundation

/// A Supabase project in memory, and a forum beside it, about which every condition of the exchange documents can be brought about.
///
/// What is stored has the ids, the names and the passwords of the documents; what only a run can know, such as a
/// token, is among the values that ``bringAbout(_:)`` returns. A condition that holds already is left as it is, but
/// `signed in` signs in anew.
///
/// ```swift
/// let handler = ConditionsEndpoint(DocumentedBackend())
/// ```
public final class DocumentedBackend: ConditionedHandler {
  private let seed: UInt64
  private let hasAccount: Bool
  private let time: Time
  private let project: Locked<DocumentedProject>

  /// A project without accounts, or with one that clients can sign in to at once.
  ///
  /// - Parameters:
  ///   - hasAccount: Whether `there is an account` holds in the beginning. It makes no exchange of the documents another.
  ///   - seed: What identifiers and tokens come from.
  ///   - time: What dates, the expiry of tokens and the silence of streams go by.
  public init(hasAccount: Bool = false, seed: UInt64 = 0, time: Time = .system) {
    self.hasAccount = hasAccount
    self.seed = seed
    self.time = time
    project = Locked(DocumentedProject(hasAccount: hasAccount, seed: seed, time: time))
  }

  /// What the conditions that hold gave, and the `key` and the `service key` of the project.
  public var values: [String: String] { project.withLock(\.values) }

  /// The conditions of the documents.
  public var conditions: [String] { DocumentedCondition.allCases.map(\.rawValue) }

  /// Makes a condition hold.
  ///
  /// - Returns: The `key` and the `service key`, and what the conditions so far gave: `user`, `email`, `password`, `token`,
  ///   `refresh token`, `child`, `conversation`, and the same of the other user behind `other `.
  /// - Throws: `UnknownCondition`; what the database or the auth server refuses, such as storing a child
  ///   where nobody has an account.
  public func bringAbout(_ condition: String) throws -> [String: String] {
    guard let condition = DocumentedCondition(rawValue: condition) else {
      throw UnknownCondition(condition, known: conditions)
    }
    return try project.withLock { project in
      try project.bringAbout(condition)
      return project.values
    }
  }

  /// Makes a new project of the same seed.
  public func reset() {
    project.withLock { $0 = DocumentedProject(hasAccount: hasAccount, seed: seed, time: time) }
  }

  /// What the forum answers, or the project, with what its conditions do to its streams.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let project = project.withLock { $0 }
    if ForumEmulator.serves(request) { return try await ForumEmulator(project.forum).respond(to: request) }
    if request.url.path().hasPrefix("/sessions/") {
      return try await project.feed.emulator.respond(to: request)
    }
    return try await project.handler.respond(to: request)
  }

  /// What a condition was to spoil and did not; `nil` if there is nothing to complain of.
  package var complaint: String? { project.withLock(\.faults).complaint }
}
