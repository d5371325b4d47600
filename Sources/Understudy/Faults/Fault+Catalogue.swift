public import Foundation
public import UnderstudyTransport

extension Fault {
  // MARK: - A server refuses; before the base

  /// An answer with any status, in place of the base's.
  public static func status(_ status: Int, fields: HTTPFields = [:], body: Data = Data()) -> Fault {
    Fault("status \(status)", .answer(Answer(status: status, fields: fields, body: body)))
  }

  /// A refusal as PostgREST answers it to a user who is signed in, in place of the base's answer.
  public static func refusal(_ error: PostgRESTError) -> Fault {
    named("refusal", error)
  }

  /// A refusal as Auth answers it to a client that asks for the newer form, in place of the base's answer.
  public static func refusal(_ error: AuthAPIError) -> Fault {
    let response = error.response(version: AuthAPIError.newerVersion)
    return status(response.status, fields: response.fields, body: bytes(of: response))
  }

  /// 401: the token's time is over (PGRST303).
  public static let unauthorized: Fault = named("unauthorized", .tokenExpired)
  /// 403: the policies refuse a row (42501).
  public static let forbidden: Fault = named("forbidden", .refusedByPolicy(table: "injected"))
  /// 404: there is no such table (PGRST205).
  public static let notFound: Fault = named("not found", .unknownTable("injected"))
  /// 406: the one row that was asked for is not there (PGRST116).
  public static let notAcceptable: Fault = named("not acceptable", .notSingular(rows: 0))
  /// 409: a value that must be unique is there already (23505).
  public static let conflict: Fault = named(
    "conflict", .duplicateKey(constraint: "injected_name_key", columns: ["name"], values: ["injected"]))
  /// 422: a function of the database refuses the values (PT422).
  public static let unprocessable: Fault = named(
    "unprocessable", .raised(status: 422, message: "Unprocessable Content"))
  /// 500: a statement ran too long (57014).
  public static let serverError: Fault = named("server error", .statementTimeout)
  /// 503: the database cannot be reached (PGRST001).
  public static let unavailable: Fault = named("unavailable", .databaseUnavailable)
  /// 504: no connection to the database became free (PGRST003).
  public static let gatewayTimeout: Fault = named("gateway timeout", .poolTimeout)

  /// 429: too many requests (PT429), with `Retry-After`.
  ///
  /// - Parameter delay: What the field says, rounded up to whole seconds (RFC 9110 §10.2.3); `nil` leaves it out.
  public static func rateLimited(retryAfter delay: Duration?) -> Fault {
    let error = PostgRESTError.raised(status: 429, message: "Too Many Requests")
    guard let delay, delay >= .zero else { return named("rate limited", error) }
    let (whole, rest) = delay.components
    let seconds = rest > 0 && whole < .max ? whole + 1 : whole
    return named("rate limited, retry after \(seconds) s", error, ["Retry-After": "\(seconds)"])
  }

  private static func named(
    _ name: String, _ error: PostgRESTError, _ extra: HTTPFields = [:]
  ) -> Fault {
    let response = error.response(isAuthenticated: true)
    var fields = response.fields
    for field in extra { fields.append(name: field.name, value: field.value) }
    return Fault(
      "\(name) (\(response.status), \(error.code))",
      .answer(Answer(status: response.status, fields: fields, body: bytes(of: response))))
  }

  /// The body of an answer that is made of values, and so is in memory.
  private static func bytes(of response: HTTPResponse) -> Data {
    (response.body.chunksInMemory ?? []).reduce(Data(), +)
  }

  // MARK: - No exchange; before the base

  /// The request is lost: nothing comes until its time-out.
  ///
  /// A request without one waits until it is cancelled. A service call has none of its own and fails at once.
  public static let timeout: Fault = Fault("time-out", .silence(workIsDone: false))
  /// The device has no network.
  public static let offline: Fault = failure("offline", .offline, "The device is offline.")
  /// The name of the host has no address.
  public static let hostNotFound: Fault = failure(
    "host not found", .hostNotFound, "The host's name has no address.")
  /// Nothing listens at the address.
  public static let connectionRefused: Fault = failure(
    "connection refused", .connectionRefused, "Nothing listens at the address.")
  /// The connection is reset while the request is on its way.
  public static let connectionReset: Fault = failure(
    "connection reset", .connectionLost, "The connection was reset by the peer.")
  /// The call ends as if its task had been cancelled; no failure to show.
  public static let cancelled: Fault = failure(
    "cancelled", .cancelled, "The call was cancelled while it was held.")

  private static func failure(
    _ name: String, _ code: TransportError.Code, _ message: String
  ) -> Fault {
    Fault(name, .failure(code, message))
  }

  // MARK: - The answer is lost or spoiled; after the base

  /// The work is done, and then nothing comes until the request's time-out.
  public static let answerLost: Fault = Fault("answer lost", .silence(workIsDone: true))
  /// The work is done, and then the connection closes without a byte.
  public static let emptyReply: Fault = Fault("empty reply", .lostAnswer)

  /// The head comes, some bytes of the body, and then nothing until the request's time-out.
  ///
  /// An answer without a body stays silent before its head.
  public static func timeoutInBody(afterBytes count: Int = 1) -> Fault {
    Fault("time-out in the body after \(max(0, count)) B", .cut(afterBytes: max(0, count), .silence))
  }

  /// The head comes, some bytes of the body, and then the connection breaks.
  ///
  /// Where the body is shorter, it breaks at the end. An answer without a body is cut before its head. On the wire,
  /// `Content-Length` announces more than comes; of a body that is made while it is sent, the last chunk is missing.
  public static func truncatedBody(afterBytes count: Int = 1) -> Fault {
    Fault("body truncated after \(max(0, count)) B", .cut(afterBytes: max(0, count), .close))
  }

  /// The head comes, some bytes of the body, and then the connection breaks within a chunk (RFC 9112 §8).
  ///
  /// As ``truncatedBody(afterBytes:)``; the difference is on the wire alone.
  public static func truncatedChunk(afterBytes count: Int = 1) -> Fault {
    Fault("chunk truncated after \(max(0, count)) B", .cut(afterBytes: max(0, count), .withinChunk))
  }

  /// The head comes, some bytes of the body, and then the connection is reset.
  ///
  /// As ``truncatedBody(afterBytes:)``; the difference is on the wire alone.
  public static func resetInBody(afterBytes count: Int = 1) -> Fault {
    Fault("reset in the body after \(max(0, count)) B", .cut(afterBytes: max(0, count), .reset))
  }

  /// The work is done, and what comes in place of the answer is no HTTP.
  public static let garbage: Fault = Fault("garbage", .spoiled(.garbage))

  /// The head comes, some bytes of the body, and then a chunk whose size is no number (RFC 9112 §7.1).
  ///
  /// An answer without a body is garbage.
  public static func malformedChunk(afterBytes count: Int = 1) -> Fault {
    Fault("malformed chunk after \(max(0, count)) B", .spoiled(.chunk(afterBytes: max(0, count))))
  }

  /// The base's head, and a body that says it is compressed but cannot be decompressed.
  ///
  /// A status that has no body becomes 200, so that there is one.
  public static let brokenGzip: Fault = Fault("broken gzip", .spoiled(.gzip))

  /// The base's head, and a body that is no JSON, although it says so.
  ///
  /// It fails a client that reads the body. A status that has no body becomes 200, so that there is one.
  public static let malformedJSON: Fault = Fault("malformed JSON", .garbled)

  /// Every answer is a redirect to the next one (307), until the client gives up; the work is not done.
  public static let redirectLoop: Fault = Fault("redirect loop", .redirectLoop)

  // MARK: - The call succeeds, later

  /// The call goes on after a while.
  public static func latency(_ duration: Duration) -> Fault {
    Fault("latency of \(duration)", .latency(duration))
  }

  /// The call goes on after a while that a plan draws anew for each call, from its seed.
  ///
  /// A gate has no seed: what it is told to fail with this waits for the median.
  public static func latency(_ distribution: LatencyDistribution) -> Fault {
    Fault("latency, \(distribution)", .drawnLatency(distribution))
  }

  /// The body comes in small pieces, with a pause before each; its content is unchanged.
  ///
  /// - Parameters:
  ///   - bytes: The most bytes in a piece, at least one.
  ///   - pause: The silence before each piece.
  public static func dribble(bytes: Int = 1, pause: Duration = .milliseconds(10)) -> Fault {
    Fault("dribble of \(max(1, bytes)) B each \(pause)", .dribble(bytes: max(1, bytes), pause: pause))
  }
}

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
    /// One request, and an answer that comes event by event.
    @inlinable public static var stream: Interaction { Interaction(kind: .stream) }
    /// A handshake, and a WebSocket over which messages go both ways.
    @inlinable public static var webSocket: Interaction { Interaction(kind: .webSocket) }

    /// What it is, in a word.
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
      .cancelled, .latency(.seconds(1)),
      .latency(.mobileNetwork), .dribble(),
    ]
    let altering: [Fault] =
      switch interaction.kind {
      case .stream: [.duplicateEvent(), .reorderEvent(), .splitCharacters]
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
      .unauthorized, .forbidden, .notFound, .notAcceptable, .conflict, .unprocessable,
      .rateLimited(retryAfter: .seconds(30)), .rateLimited(retryAfter: nil),
      .serverError, .unavailable, .gatewayTimeout,
      .timeout, .offline, .hostNotFound, .connectionRefused, .connectionReset,
      .answerLost, .emptyReply, .timeoutInBody(), .truncatedBody(), .truncatedChunk(), .resetInBody(),
      .malformedJSON, .garbage, .malformedChunk(), .brokenGzip, .redirectLoop,
    ]
    let ofStream: [Fault] = [
      .dropStream(), .endStream(), .stallStream(), .corruptEvent(), .unterminatedEvent,
    ]
    let ofWebSocket: [Fault] = [
      .closeWebSocket(), .abortWebSocket(), .badFrame(),
      .dropStream(), .endStream(), .stallStream(), .corruptEvent(),
    ]
    return switch interaction.kind {
    case .stream: ofCall + ofStream
    case .webSocket: ofCall + ofWebSocket
    case .call: ofCall
    }
  }
}
