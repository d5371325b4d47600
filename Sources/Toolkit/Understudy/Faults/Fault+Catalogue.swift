import Foundation

extension Fault {
  // MARK: - A server rejects the call; before the base

  /// The session has expired.
  public static let unauthorized = Fault(.refusal(.unauthorized))
  /// The user is not permitted to make the call.
  public static let forbidden = Fault(.refusal(.forbidden))
  /// The resource of the call does not exist.
  public static let notFound = Fault(.refusal(.notFound))
  /// The call conflicts with stored data.
  public static let conflict = Fault(.refusal(.conflict))
  /// The server rejects the values.
  public static let unprocessable = Fault(.refusal(.unprocessable))
  /// The server failed.
  public static let serverError = Fault(.refusal(.serverError))
  /// The server does not accept calls at the moment.
  public static let unavailable = Fault(.refusal(.unavailable))

  /// Too many requests.
  ///
  /// - Parameter delay: The delay that the server announces, rounded up to whole seconds; `nil` if it announces none.
  public static func rateLimited(retryAfter delay: Duration?) -> Fault {
    guard let delay, delay >= .zero else { return Fault(.refusal(.rateLimited(retryAfter: nil))) }
    let (whole, rest) = delay.components
    return Fault(.refusal(.rateLimited(retryAfter: .seconds(rest > 0 && whole < .max ? whole + 1 : whole))))
  }

  /// Creates an answer with a status of HTTP: an error in the style of the backend, otherwise without a body.
  package init(status: Int) {
    self.init(
      400...599 ~= status
        ? .refusal(.other(status: status)) : .answer(Answer(status: status, fields: [], body: Data())))
  }

  // MARK: - No answer; before the base

  /// The request is lost: nothing arrives until its timeout.
  ///
  /// A request without a timeout waits until it is cancelled. A service call has no timeout of its own and fails at
  /// once.
  public static let timeout = Fault(.silence(workIsDone: false))
  /// The device has no network.
  public static let offline = Fault(.failure(.offline))
  /// The host name cannot be resolved.
  public static let hostNotFound = Fault(.failure(.hostNotFound))
  /// No server listens at the address.
  public static let connectionRefused = Fault(.failure(.connectionRefused))
  /// The connection is reset before the server has read the request.
  public static let connectionLost = Fault(.failure(.connectionLost))
  /// The call ends as if its task had been cancelled.
  ///
  /// An app shows no error.
  public static let cancelled = Fault(.failure(.cancelled))

  // MARK: - The answer is lost or invalid; after the base

  /// The work is done, and then nothing arrives until the request's timeout.
  public static let answerLost = Fault(.silence(workIsDone: true))
  /// The work is done, and then the connection closes before the answer.
  public static let emptyReply = Fault(.lostAnswer)
  /// The work is done, and the answer has an invalid body.
  ///
  /// Over HTTP it is the base's head with a body that is marked as JSON but is not valid JSON. A status without a body
  /// is replaced by 200, so that a body is allowed.
  public static let unreadableAnswer = Fault(.unreadable)

  // MARK: - The call succeeds after a delay

  /// The call continues after a delay.
  public static func latency(_ duration: Duration) -> Fault { Fault(.latency(duration)) }

  /// The call continues after a delay that a plan draws for each call from its seed.
  ///
  /// A gate has no seed: a call that it fails with this fault waits for the median.
  public static func latency(_ distribution: LatencyDistribution) -> Fault {
    Fault(.drawnLatency(distribution))
  }

  // MARK: - A stream fails; after the base

  // At a service an event is an element. Over HTTP it is an event of the stream's framing, such as a server-sent event;
  // a block without data, such as a comment, is not an event. On an HTTP answer that is not a stream of events, a fault
  // that loses events truncates the body, a stall is a timeout in the body, a corrupt event is an invalid body, and
  // the other faults have no effect. A service method that does not return a stream fails in the same way, after the
  // base did its work. A rule whose fault had no effect is an issue of a test; see FaultPlan.

  /// Some events arrive, and the connection breaks where the next one would begin.
  ///
  /// The app receives the events before it, and then a lost connection. A stream without further events is unchanged.
  public static func dropStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.drop(after: max(0, count))))
  }

  /// Some events arrive, and the stream ends without an error where the next one would begin.
  ///
  /// The stream looks complete, but its closing event is missing. An app that expects a closing event reports a lost
  /// connection, and so does a service's double. A stream without further events is unchanged.
  public static func endStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.end(after: max(0, count))))
  }

  /// Some events arrive, and nothing more until the timeout.
  ///
  /// The app receives the events before it, and then a timeout: that of the request, or that of `interceptStream` at a
  /// service. A request without a timeout waits until it is cancelled. A stream without further events is unchanged.
  public static func stallStream(afterEvents count: Int = 1) -> Fault {
    Fault(.stream(.stall(after: max(0, count))))
  }

  /// The event with this number, starting at one, cannot be decoded.
  ///
  /// The app receives the events before it, and then an unreadable answer. A stream without such an event is unchanged.
  public static func corruptEvent(_ number: Int = 1) -> Fault { Fault(.stream(.corrupt(number))) }

  // MARK: - A stream succeeds with changed events

  /// The event with this number, starting at one, arrives twice.
  public static func duplicateEvent(_ number: Int = 1) -> Fault { Fault(.stream(.duplicate(number))) }

  /// The event with this number, starting at one, arrives after the next one.
  ///
  /// The last event of a stream that ends stays in place. That of a stream which stays open arrives with the next one.
  public static func reorderEvent(_ number: Int = 1) -> Fault { Fault(.stream(.reorder(number))) }

  // MARK: -

  /// A call of a method that a double does not implement; not part of the catalogue.
  ///
  /// A generated double throws the corresponding error when a test has not provided an implementation. An error of the
  /// app may not have the name of the method, so the call is also a failure of the clause, the run of a scenario or the
  /// test that makes it.
  ///
  /// - Parameters:
  ///   - requirement: The called method, such as `TodoService.add(_:)`.
  ///   - closure: The closure of the double that would implement it; `nil` if it has none.
  ///   - fileID: The file of the method.
  ///   - line: The line in the method.
  public static func unimplemented(
    _ requirement: String, closure: String? = nil, fileID: String = #fileID, line: Int = #line
  ) -> Fault {
    let remedy = closure.map { "Set \($0)" } ?? "Write this method by hand (\(fileID):\(line))"
    let sentence = "\(requirement) is not implemented by this double. \(remedy)."
    let fault = Fault(.unimplemented(sentence))
    if let witness = FaultWitness.current {
      witness.saw(fault)
    } else {
      TestIssue.reporter?.record(sentence, at: nil)
    }
    return fault
  }
}

// MARK: - The catalogue

extension Fault {
  /// The kind of exchange that a fault affects.
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
    /// One request, and an answer that arrives as a stream of events.
    @inlinable public static var stream: Interaction { Interaction(kind: .stream) }
    /// A handshake, and a WebSocket with messages in both directions.
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

  /// The catalogue for an interaction: each fault once, those with parameters with typical values.
  ///
  /// The faults that divide bytes differently (`dribble`, `splitCharacters`) have no effect at a service, which has no
  /// bytes. A test of the whole catalogue at a service makes its rule ``FaultPlan/Rule/optional``.
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

  /// The faults after which an interaction must fail, for the arguments of a test.
  ///
  /// Those of a call also apply to a stream, as an error before its first event, and to a WebSocket, as a failed
  /// handshake. The others need a stream of at least two events, or a WebSocket that receives two messages.
  package static func failures(of interaction: Interaction) -> [Fault] {
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
