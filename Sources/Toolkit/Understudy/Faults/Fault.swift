package import Foundation

/// A failure of a call as a value, the same at a service, at a transport and on a socket.
///
/// A fault describes what happens, independent of a protocol. A service's double throws the corresponding error of its
/// domain. Over HTTP a fault becomes a status with a body in the backend's error style, or breaks the exchange.
///
/// Each fault defines whether the base does its work. A fault that a server or the network answers in place of the base
/// is injected *before* it. A fault that loses or corrupts a real answer is injected *after* it, so that a write has
/// happened although the caller sees a failure.
///
/// The faults that are specific to HTTP, such as a truncated body, are declared in `UnderstudyHTTP`.
public struct Fault: Error, Hashable, Sendable {
  package let effect: Effect
  private let trace: FaultTrace

  /// Where to note what becomes of the fault; `nil` unless a rule or a schedule injected it.
  package var token: FaultToken? { trace.token }

  package init(_ effect: Effect, token: FaultToken? = nil) {
    self.effect = effect
    trace = FaultTrace(token: token)
  }

  package enum Effect: Hashable, Sendable {
    /// A server rejects the call in place of the base.
    case refusal(Refusal)
    /// A server answers with exactly these bytes in place of the base.
    case answer(Answer)
    /// A test answers in place of the base.
    case handed(HandedAnswer)
    /// No exchange takes place.
    case failure(Failure)
    /// A double does not implement the called method; with the message.
    case unimplemented(String)
    /// Nothing arrives until the request's timeout.
    case silence(workIsDone: Bool)
    /// The base does its work, and the connection closes before the answer.
    case lostAnswer
    /// The base's answer is truncated.
    case cut(afterBytes: Int, Cut)
    /// The base's answer arrives in a form that no client can parse.
    case spoiled(Spoiling)
    /// Every answer redirects the client to the next one.
    case redirectLoop
    /// The base does its work, and its answer has an invalid body.
    case unreadable
    /// The base's answer arrives after a delay.
    case latency(Duration)
    /// The base's answer arrives after a delay that a plan draws.
    case drawnLatency(LatencyDistribution)
    /// The base's answer arrives with its body in small pieces.
    case dribble(bytes: Int, pause: Duration)
    /// The base's answer arrives with a fault among its events.
    case stream(StreamEffect)
  }

  /// The reason why a server rejects a call.
  package enum Refusal: Hashable, Sendable {
    /// The session has expired, or is missing.
    case unauthorized
    /// The user is not permitted to make the call.
    case forbidden
    /// The resource of the call does not exist.
    case notFound
    /// The server has no representation that the client accepts.
    case notAcceptable
    /// The call conflicts with stored data.
    case conflict
    /// The server understands the values and rejects them.
    case unprocessable
    /// The client sends too many requests; with the delay that the server announces, if any.
    case rateLimited(retryAfter: Duration?)
    /// The server failed.
    case serverError
    /// The server does not accept calls at the moment.
    case unavailable
    /// An upstream server did not answer in time.
    case gatewayTimeout
    /// The server rejects the call with a status of HTTP, from 400 to 599.
    case other(status: Int)
  }

  /// A complete answer, as bytes.
  package struct Answer: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
      package let name: String
      package let value: String

      package init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    package let status: Int
    package let fields: [Field]
    package let body: Data

    package init(status: Int, fields: [Field], body: Data) {
      self.status = status
      self.fields = fields
      self.body = body
    }
  }

  /// An answer made by a test; equal only to itself.
  package final class HandedAnswer: Hashable, Sendable {
    package let value: any Sendable

    package init(_ value: any Sendable) {
      self.value = value
    }

    package static func == (one: HandedAnswer, other: HandedAnswer) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The reason why no exchange takes place.
  package enum Failure: Hashable, Sendable {
    case offline, hostNotFound, connectionRefused, connectionLost, cancelled
  }

  /// How an answer is truncated.
  package enum Cut: Hashable, Sendable {
    /// The connection is closed: fewer bytes than announced, or a chunked body without its last chunk.
    case close
    /// The connection is closed within a chunk, which is shorter than its announced size.
    case withinChunk
    /// The connection is reset.
    case reset
    /// No more bytes arrive.
    case silence
  }

  /// The reason why no client can parse an answer.
  package enum Spoiling: Hashable, Sendable {
    /// The bytes are not HTTP.
    case garbage
    /// A chunk has an invalid size, after some bytes.
    case chunk(afterBytes: Int)
    /// The answer is marked as compressed and cannot be decompressed.
    case gzip
  }

  /// Whether, and when, the base is called.
  package enum Reach: Sendable {
    case before, after, passes
  }

  package var reach: Reach {
    switch effect {
    case .refusal, .answer, .handed, .failure, .unimplemented, .silence(workIsDone: false), .redirectLoop:
      .before
    case .silence(workIsDone: true), .lostAnswer, .cut, .unreadable, .spoiled: .after
    case .latency, .drawnLatency, .dribble: .passes
    case .stream(let effect): effect.reach
    }
  }

  /// The delay before the base is called, if the fault has no other effect.
  var delay: Duration? {
    switch effect {
    case .latency(let duration): duration
    case .drawnLatency(let distribution): distribution.median
    default: nil
    }
  }

  /// Whether the base does the work of a call into which this fault is injected.
  package var reachesBase: Bool { reach != .before }

  /// Whether the fault has its own effect at an injection point.
  ///
  /// All faults do at a transport and a handler. A service has no body to send in pieces, so `dribble` and
  /// `splitCharacters` have no effect there. A fault before the server is reached (``offline``, ``hostNotFound``) cannot
  /// happen on the wire, where it has the effect of ``connectionRefused``; neither can one within the client
  /// (``cancelled``), which is a reset there.
  package func applies(to injectionPoint: InjectionPoint) -> Bool {
    switch effect {
    case .dribble, .stream(.splitCharacters): injectionPoint != .service
    case .failure(.offline), .failure(.hostNotFound), .failure(.cancelled): injectionPoint != .wire
    default: true
    }
  }
}

/// A place where faults can be injected.
package enum InjectionPoint: Hashable, Sendable, CaseIterable {
  /// The protocol of a service.
  case service
  /// An `HTTPTransport`.
  case transport
  /// An `HTTPHandler`.
  case handler
  /// The socket of a server.
  case wire
}

// MARK: - Symptoms

extension Fault {
  /// What a client observes of a fault, for a domain to map to its own errors.
  ///
  /// The catalogue of faults may grow; the symptoms rarely change. One `switch` is a complete mapping:
  ///
  /// ```swift
  /// switch fault.symptom {
  /// case .conflict: .duplicate
  /// case .offline, .unreachable: .offline
  /// case .timedOut: .timedOut
  /// default: .unavailable
  /// }
  /// ```
  public enum Symptom: Hashable, Sendable {
    /// The session has expired.
    case unauthorized
    /// The user is not permitted to make the call.
    case forbidden
    /// The resource of the call does not exist.
    case notFound
    /// The call conflicts with stored data.
    case conflict
    /// The server rejects the values.
    case unprocessable
    /// Too many requests; with the delay that the server announces, if any.
    case rateLimited(retryAfter: Duration?)
    /// The server rejects the call for another reason.
    case refused
    /// The server failed.
    case serverError
    /// The server, or an upstream server, does not accept the call at the moment.
    case unavailable
    /// No answer arrived in time.
    case timedOut
    /// The device has no network.
    case offline
    /// No connection to the server can be made.
    case unreachable
    /// The connection was lost before the complete answer arrived.
    case connectionLost
    /// The call was cancelled.
    case cancelled
    /// The client cannot parse the answer.
    case unreadable
    /// The double does not implement the call.
    case unimplemented
    /// The call succeeds, after a delay or in smaller pieces.
    case delayed
    /// The call succeeds with altered content: an event is duplicated or reordered.
    case altered
  }

  /// What a client observes of the fault.
  public var symptom: Symptom {
    switch effect {
    case .refusal(let refusal): Symptom(refusal)
    case .answer(let answer): Symptom(status: answer.status, retryAfter: answer.retryAfter)
    case .handed: .altered
    case .failure(.offline): .offline
    case .failure(.hostNotFound), .failure(.connectionRefused): .unreachable
    case .failure(.connectionLost): .connectionLost
    case .failure(.cancelled): .cancelled
    case .unimplemented: .unimplemented
    case .silence, .cut(_, .silence): .timedOut
    case .lostAnswer, .cut: .connectionLost
    case .redirectLoop, .spoiled, .unreadable: .unreadable
    case .latency, .drawnLatency, .dribble: .delayed
    case .stream(let effect): effect.symptom
    }
  }
}

extension Fault.Symptom {
  fileprivate init(_ refusal: Fault.Refusal) {
    self =
      switch refusal {
      case .unauthorized: .unauthorized
      case .forbidden: .forbidden
      case .notFound: .notFound
      case .notAcceptable: .refused
      case .conflict: .conflict
      case .unprocessable: .unprocessable
      case .rateLimited(let delay): .rateLimited(retryAfter: delay)
      case .serverError: .serverError
      case .unavailable, .gatewayTimeout: .unavailable
      case .other(let status): Self(status: status, retryAfter: nil)
      }
  }

  /// What a client observes of an answer with a status (RFC 9110 §15) in place of the base's.
  fileprivate init(status: Int, retryAfter: Duration?) {
    self =
      switch status {
      // A success with a body that the base did not send.
      case ..<300: .unreadable
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 408: .timedOut
      case 409: .conflict
      case 422: .unprocessable
      case 429: .rateLimited(retryAfter: retryAfter)
      case 502...504: .unavailable
      case 500...: .serverError
      default: .refused
      }
  }
}

extension Fault.Answer {
  /// The delay that the server announces: `Retry-After` in seconds (RFC 9110 §10.2.3).
  package var retryAfter: Duration? {
    fields.first { $0.name.lowercased() == "retry-after" }.flatMap { Int64($0.value) }
      .flatMap { $0 >= 0 ? .seconds($0) : nil }
  }
}
