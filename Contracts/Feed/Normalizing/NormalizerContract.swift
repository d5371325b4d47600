import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any MessageNormalizing {
  /// The contract of every ``/SharedServices/MessageNormalizing`` implementation.
  public static var messageNormalizer: Self {
    Contract("normalizer") {
      Clause.normalizingRoles
      Clause.normalizingTimestamps
      Clause.normalizingContent
      Clause.normalizingTools
      Clause.normalizingStreams
      Clause.normalizingSources
      Clause.normalizingAnything
    }
  }
}

extension Implementation where Subject == any MessageNormalizing {
  /// `MessageNormalizer`.
  public static var standard: Self {
    Implementation("standard") { _ in MessageNormalizer() }
  }
}

extension Trial where Subject == any MessageNormalizing {
  /// Payloads generated from the trial's seed.
  func payloads() -> FeedPayloads { FeedPayloads(seed: UInt64(integer(in: 0...Int.max))) }

  /// Expects every field of a result to be the expected one.
  func expect(
    _ result: Result<ValidatedMessage, MessageValidationError>?, equals expected: ValidatedMessage,
    _ what: String, fileID: String = #fileID, line: Int = #line
  ) {
    expect(result, equals: .success(expected), what, fileID: fileID, line: line)
  }

  /// Expects the result of a message to be the expected one.
  func expect(
    _ message: PaginatedMessage, becomes fate: FeedPayloads.Fate, fileID: String = #fileID, line: Int = #line
  ) {
    expect(
      FeedPayloads.Fate(subject.normalize(message)), equals: fate, "what becomes of \(message)",
      fileID: fileID,
      line: line)
  }

  /// Expects the result of an event to be the expected one; `nil` for an event without a message.
  func expect(
    _ event: StreamEvent, becomes fate: FeedPayloads.Fate?, fileID: String = #fileID, line: Int = #line
  ) {
    expect(
      subject.normalize(event).map { FeedPayloads.Fate($0) }, equals: fate, "what becomes of \(event)",
      fileID: fileID, line: line)
  }

  /// Expects a failure because of the content.
  func expectCorruption(
    _ result: Result<ValidatedMessage, MessageValidationError>?, of what: String, fileID: String = #fileID,
    line: Int = #line
  ) {
    guard case .failure(.corruptedContent)? = result else {
      return expect(
        false, "Expected a failure of \(what), found \(result as Any).", fileID: fileID, line: line)
    }
    expect(true, "", fileID: fileID, line: line)
  }

  /// Returns the validated message; ends the clause if validation failed.
  package func message(
    of result: Result<ValidatedMessage, MessageValidationError>?, fileID: String = #fileID, line: Int = #line
  ) throws -> ValidatedMessage {
    let message = try? result?.get()
    return try require(
      message, "Expected a message, found \(result as Any).", fileID: fileID, line: line)
  }
}

extension FeedPayloads.Fate {
  /// A message at noon whose content is missing.
  static func emptied(_ role: ChatMessage.Role) -> Self {
    .message(
      role: role, content: "", timestamp: Date(timeIntervalSince1970: 1_767_441_600),
      warnings: [.contentIsMissing])
  }
}

extension PaginatedMessage {
  /// A message of the user at noon.
  package static func sample(_ id: String, role: String = "user", content: String = "Hello")
    -> PaginatedMessage
  {
    PaginatedMessage(id: id, role: role, content: content, timestamp: "2026-01-03T12:00:00Z")
  }
}

extension StreamEvent {
  /// A message, or a part of one, at noon.
  package static func sample(
    _ id: String, _ content: StreamContent, warnings: [MessageWarning] = []
  ) -> StreamEvent {
    .message(
      StreamedMessage(id: id, timestamp: "2026-01-03T12:00:00Z", content: content, warnings: warnings))
  }
}
