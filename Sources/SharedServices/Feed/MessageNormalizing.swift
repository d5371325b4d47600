/// Makes validated messages of what the history and the stream say (seed 000).
///
/// What every implementation must do is `Contract.messageNormalizer` in `SharedServicesContracts`.
public protocol MessageNormalizing: Sendable {
  /// The message of a page.
  ///
  /// - Returns: A failure for a role that nobody has and a moment that is none; a success with warnings where something
  ///   was repaired. Nothing is replaced silently.
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError>

  /// The message of an event, or the piece of one; `nil` for an event that carries none, such as a heartbeat.
  ///
  /// - Returns: As for a page; a failure also for what cannot be read, and for a type that nobody has heard of.
  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>?
}
