public import UnderstudyRecording
public import UnderstudyTransport
import Foundation
import SharedServicesInMemory
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyPrimitives

/// A Supabase project in memory, about which every condition of the exchange documents can be brought about.
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
  private let time: Time
  private let project: Locked<DocumentedProject>

  /// A project without accounts.
  ///
  /// - Parameters:
  ///   - seed: What identifiers and tokens come from.
  ///   - time: What dates, the expiry of tokens and the silence of streams go by.
  public init(seed: UInt64 = 0, time: Time = .system) {
    self.seed = seed
    self.time = time
    project = Locked(DocumentedProject(seed: seed, time: time))
  }

  /// The conditions of the documents.
  public var conditions: [String] { DocumentedCondition.allCases.map(\.rawValue) }

  /// Makes a condition hold.
  ///
  /// - Returns: The `key`, and what the conditions so far gave: `user`, `email`, `password`, `token`,
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
    project.withLock { $0 = DocumentedProject(seed: seed, time: time) }
  }

  /// What the project answers, with what its conditions do to its streams.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    try await project.withLock(\.handler).respond(to: request)
  }

  /// What a condition was to spoil and did not; `nil` if there is nothing to complain of.
  package var complaint: String? { project.withLock(\.faults).complaint }
}
