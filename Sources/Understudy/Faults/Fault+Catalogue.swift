extension Fault {
  // MARK: - A server refuses; before the base

  /// The session has expired.
  public static let unauthorized = Fault(.refusal(.unauthorized))
  /// The user may not do this.
  public static let forbidden = Fault(.refusal(.forbidden))
  /// What the call is about does not exist.
  public static let notFound = Fault(.refusal(.notFound))
  /// The call conflicts with what is stored.
  public static let conflict = Fault(.refusal(.conflict))
  /// The server refuses the values.
  public static let unprocessable = Fault(.refusal(.unprocessable))
  /// The server failed.
  public static let serverError = Fault(.refusal(.serverError))
  /// The server takes no calls now.
  public static let unavailable = Fault(.refusal(.unavailable))

  /// Too many requests.
  ///
  /// - Parameter delay: How long the server asks to be left alone, rounded up to whole seconds; `nil` if it does not say.
  public static func rateLimited(retryAfter delay: Duration?) -> Fault {
    guard let delay, delay >= .zero else { return Fault(.refusal(.rateLimited(retryAfter: nil))) }
    let (whole, rest) = delay.components
    return Fault(.refusal(.rateLimited(retryAfter: .seconds(rest > 0 && whole < .max ? whole + 1 : whole))))
  }

  // MARK: - No exchange; before the base

  /// The request is lost: nothing arrives until its time-out.
  ///
  /// A request without a time-out waits until it is cancelled. A service call has no time-out of its own and fails at
  /// once.
  public static let timeout = Fault(.silence(workIsDone: false))
  /// The device has no network.
  public static let offline = Fault(.failure(.offline))
  /// The name of the host has no address.
  public static let hostNotFound = Fault(.failure(.hostNotFound))
  /// Nothing listens at the address.
  public static let connectionRefused = Fault(.failure(.connectionRefused))
  /// The connection is reset before the server has read the request.
  public static let connectionLost = Fault(.failure(.connectionLost))
  /// The call ends as if its task had been cancelled; no failure to show.
  public static let cancelled = Fault(.failure(.cancelled))

  // MARK: - The answer is lost or spoiled; after the base

  /// The work is done, and then nothing arrives until the request's time-out.
  public static let answerLost = Fault(.silence(workIsDone: true))
  /// The work is done, and then the connection closes before the answer.
  public static let emptyReply = Fault(.lostAnswer)
  /// The work is done, and the answer has an invalid body.
  ///
  /// Over HTTP it is the base's head and a body that is marked as JSON and is not. A status that has no body becomes 200,
  /// so that there is one.
  public static let unreadableAnswer = Fault(.unreadable)

  // MARK: - The call succeeds, later

  /// The call goes on after a delay.
  public static func latency(_ duration: Duration) -> Fault { Fault(.latency(duration)) }

  /// The call goes on after a delay that a plan draws for each call, from its seed.
  ///
  /// A gate has no seed: a call that it fails with this waits for the median.
  public static func latency(_ distribution: LatencyDistribution) -> Fault {
    Fault(.drawnLatency(distribution))
  }

  // MARK: - A stream fails; after the base

  // At a service an event is an element. Over HTTP it is what the media type says: a server-sent event, or a line of
  // NDJSON; a block without data, such as a comment, is not an event. On an answer of HTTP that is not a stream of events, a fault
  // that loses events cuts the body, a stall is a time-out in the body, a corrupt event is an invalid body, and the rest
  // does nothing. A method of a service that returns no stream fails in the same way, after the base did its work.

  /// Some events arrive, and the connection breaks where the next one would begin.
  ///
  /// The app has what came before, and then a lost connection. A stream without more events is unchanged.
  public static func dropStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.drop(after: max(0, count))))
  }

  /// Some events arrive, and the stream ends without an error where the next one would begin.
  ///
  /// It looks complete, but the event that closes it is missing: an app that knows of one sees a lost connection, which is
  /// also what a service's double makes of it. A stream without more events is unchanged.
  public static func endStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.end(after: max(0, count))))
  }

  /// Some events arrive, and nothing more until the time-out.
  ///
  /// The app has what came before, and then a time-out: that of the request, or that of `interceptStream` at a service. A
  /// request without a time-out waits until it is cancelled. A stream without more events is unchanged.
  public static func stallStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.stall(after: max(0, count))))
  }

  /// One event, counted from one, cannot be decoded.
  ///
  /// The app has the events before it, and then an unreadable answer. A stream without such an event is unchanged.
  public static func corruptEvent(_ number: Int = 1) -> Fault { Fault(.stream(.corrupt(number))) }

  // MARK: - A stream succeeds, changed

  /// One event, counted from one, arrives twice.
  public static func duplicateEvent(_ number: Int = 1) -> Fault { Fault(.stream(.duplicate(number))) }

  /// One event, counted from one, arrives after the one that follows it.
  ///
  /// A last event stays in its place.
  public static func reorderEvent(_ number: Int = 1) -> Fault { Fault(.stream(.reorder(number))) }

  // MARK: -

  /// A call of what a double does not implement; not part of the catalogue.
  ///
  /// A generated double throws the error that it becomes where a test has not provided an implementation.
  ///
  /// - Parameters:
  ///   - requirement: What is called, such as `TodoService.add(_:)`.
  ///   - closure: The closure of the double that would implement it; `nil` if there is none.
  public static func unimplemented(_ requirement: String, closure: String? = nil) -> Fault {
    let remedy = closure.map { "Set \($0)" } ?? "Write this method by hand"
    return Fault(.unimplemented("\(requirement) is not implemented by this double. \(remedy)."))
  }
}

// MARK: - The catalogue

extension Fault {
  /// What a fault happens to.
  public struct Interaction: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline enum Kind: Sendable {
      case call, stream, webSocket
    }

    @usableFromInline let kind: Kind

    @inlinable init(kind: Kind) {
      self.kind = kind
    }

    /// One request and one answer.
    @inlinable public static var call: Interaction { Interaction(kind: .call) }
    /// One request, and an answer that arrives event by event.
    @inlinable public static var stream: Interaction { Interaction(kind: .stream) }
    /// A handshake, and a WebSocket over which messages go both ways.
    @inlinable public static var webSocket: Interaction { Interaction(kind: .webSocket) }

    /// The name.
    public var description: String {
      switch kind {
      case .call: "call"
      case .stream: "stream"
      case .webSocket: "WebSocket"
      }
    }
  }

  /// The catalogue for an interaction: each fault once, those with parameters with usual ones.
  public static func all(of interaction: Interaction) -> [Fault] {
    let passing: [Fault] = [
      .cancelled, .latency(.seconds(1)), .latency(.mobileNetwork),
      Fault(.dribble(bytes: 1, pause: .milliseconds(10))),
    ]
    let altering: [Fault] =
      switch interaction.kind {
      case .stream: [.duplicateEvent(), .reorderEvent(), Fault(.stream(.splitCharacters))]
      case .webSocket: [.duplicateEvent(), .reorderEvent()]
      case .call: []
      }
    return failures(of: interaction) + passing + altering
  }

  /// The faults after which an interaction must fail; made to be the arguments of a test.
  ///
  /// Those of a call are also those of a stream, an error before its first event, and of a WebSocket, a handshake that
  /// fails. The others need a stream of at least two events, or a WebSocket that brings two messages.
  public static func failures(of interaction: Interaction) -> [Fault] {
    let ofCall: [Fault] = [
      .unauthorized, .forbidden, .notFound, Fault(.refusal(.notAcceptable)), .conflict, .unprocessable,
      .rateLimited(retryAfter: .seconds(30)), .rateLimited(retryAfter: nil),
      .serverError, .unavailable, Fault(.refusal(.gatewayTimeout)),
      .timeout, .offline, .hostNotFound, .connectionRefused, .connectionLost,
      .answerLost, .emptyReply, Fault(.cut(afterBytes: 1, .silence)), Fault(.cut(afterBytes: 1, .close)),
      Fault(.cut(afterBytes: 1, .withinChunk)), Fault(.cut(afterBytes: 1, .reset)),
      .unreadableAnswer, Fault(.spoiled(.garbage)), Fault(.spoiled(.chunk(afterBytes: 1))),
      Fault(.spoiled(.gzip)),
      Fault(.redirectLoop),
    ]
    let ofStream: [Fault] = [
      .dropStream(), .endStream(), .stallStream(), .corruptEvent(), Fault(.stream(.unterminated)),
    ]
    let ofWebSocket: [Fault] = [
      Fault(.stream(.close(1001, after: 1))), Fault(.stream(.abort(after: 1))),
      Fault(.stream(.badFrame(after: 1))),
      .dropStream(), .endStream(), .stallStream(), .corruptEvent(),
    ]
    return switch interaction.kind {
    case .stream: ofCall + ofStream
    case .webSocket: ofCall + ofWebSocket
    case .call: ofCall
    }
  }
}
