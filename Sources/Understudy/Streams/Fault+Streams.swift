extension Fault {
  // The faults of a stream: of server-sent events where the seam carries HTTP, of elements where it is a service's.
  // A block without data, such as a comment, is no event. On an answer of HTTP that is no event stream, what loses
  // events is a `truncatedBody`, a stall a `timeoutInBody`, a corrupt event `malformedJSON`, and the rest nothing;
  // a method of a service that returns no stream fails in the same way, after the base did its work.

  // MARK: - A stream fails; after the base

  /// Some events come, and the connection breaks where the next one would begin.
  ///
  /// The app has what came before, and then a lost connection. A stream that has no more events is left as it is.
  public static func dropStream(afterEvents count: Int = 1) -> Fault {
    Fault("stream dropped after \(max(0, count)) event(s)", .stream(.drop(after: max(0, count))))
  }

  /// Some events come, and the stream ends without an error where the next one would begin.
  ///
  /// It looks complete, but the event that closes it is missing: an app that knows there is one sees a lost
  /// connection, which is also what a service's double makes of it. A stream that has no more is left as it is.
  public static func endStream(afterEvents count: Int = 1) -> Fault {
    Fault("stream ended after \(max(0, count)) event(s)", .stream(.end(after: max(0, count))))
  }

  /// Some events come, and where the next one would begin nothing does, until the request's time-out.
  ///
  /// The app has what came before, and then a time-out: that of the request, on which a request without one waits
  /// until it is cancelled, or that of `interceptStream` at a service. A stream that has no more events is left as
  /// it is.
  public static func stallStream(afterEvents count: Int = 1) -> Fault {
    Fault("stream stalled after \(max(0, count)) event(s)", .stream(.stall(after: max(0, count))))
  }

  /// The data of one event, counted from one, is no JSON.
  ///
  /// The app has the events before it, and then an answer that cannot be read. A stream that has no such event is
  /// left as it is.
  public static func corruptEvent(_ number: Int = 1) -> Fault {
    Fault("event \(number) corrupt", .stream(.corrupt(number)))
  }

  /// The stream ends before the blank line that ends its last event, which a reader must then discard.
  ///
  /// The app has all events but the last, and as that is the one that closes the stream, a lost connection. Each
  /// event is delivered once the next one has come.
  public static let unterminatedEvent: Fault = Fault("last event unterminated", .stream(.unterminated))

  // MARK: - A stream succeeds, otherwise

  /// One event, counted from one, comes twice.
  ///
  /// The stream succeeds; an app that does not expect it shows a part of the answer twice.
  public static func duplicateEvent(_ number: Int = 1) -> Fault {
    Fault("event \(number) duplicated", .stream(.duplicate(number)))
  }

  /// One event, counted from one, comes after the one that follows it.
  ///
  /// The stream succeeds with its parts in another order. A last event stays where it is.
  public static func reorderEvent(_ number: Int = 1) -> Fault {
    Fault("event \(number) after the next", .stream(.reorder(number)))
  }

  /// The bytes of each character that has several come in different chunks.
  ///
  /// An app that decodes the bytes as they come, chunk by chunk, shows other characters; to a right one nothing
  /// happens. A service's stream has no bytes, and stays as it is.
  public static let splitCharacters: Fault = Fault("characters split", .stream(.splitCharacters))
}
