/// A type that validates the messages of the history and the stream (seed 000).
///
/// `Contract.messageNormalizer` in `SharedServicesContracts` specifies the required behavior.
public protocol MessageNormalizing: Sendable {
  /// Validates a message of a page.
  ///
  /// - Returns: A failure for an unknown role and for an invalid timestamp; a success with warnings where something was
  ///   repaired. No value is replaced silently.
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError>

  /// Validates the message of an event, or a part of one; `nil` for an event without a message, such as a heartbeat.
  ///
  /// - Returns: The same as for a page; a failure also for an unreadable event and for an unknown type.
  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>?
}
