/// How the bytes of a streamed body are divided into events.
///
/// A response whose `Content-Type` names a framing needs no declaration; any other one declares it with
/// ``HTTP/Response/eventFraming``, or once for the route of a stub.
public enum EventFraming: Sendable, Hashable {
  /// Server-sent events (WHATWG HTML §9.2): `text/event-stream`.
  case serverSentEvents
  /// One value a line, such as NDJSON: `application/x-ndjson`, `application/jsonl` and their variants.
  case lines
  /// Four bytes with the length of the event, most significant first, and then its bytes.
  case lengthPrefixed
  /// Each chunk of the body is an event.
  case chunks
}
