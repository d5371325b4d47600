public import Foundation
public import UnderstudyTransport

/// Something that goes wrong with a call, as a value: the same one at every ``Seam``.
///
/// Whether the base did its work is part of each fault's meaning. Those that a server or the network answers in its
/// place say *before*; those that spoil or lose a real answer say *after*, and a write has then happened although
/// the caller sees a failure.
///
/// It is an `Error` for services with plain `throws`: there a double may throw the fault itself.
public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A whole HTTP answer that refuses a call.
  public struct Answer: Hashable, Sendable {
    /// The status code (RFC 9110 §15).
    public let status: Int
    /// The header fields, `Content-Type` among them.
    public let fields: HTTPFields
    /// The bytes of the body.
    public let body: Data

    /// An answer with exactly these parts.
    public init(status: Int, fields: HTTPFields, body: Data) {
      self.status = status
      self.fields = fields
      self.body = body
    }
  }

  enum Effect: Hashable, Sendable {
    /// A server answers in place of the base.
    case answer(Answer)
    /// A test answers in place of the base.
    case handed(HandedResponse)
    /// No exchange takes place.
    case failure(TransportError.Code, String)
    /// Nothing comes until the request's time-out.
    case silence(workIsDone: Bool)
    /// The base does its work, and the connection closes before the head.
    case lostAnswer
    /// The base's answer breaks off.
    case cut(afterBytes: Int, Cut)
    /// The base's answer comes, in a form that cannot be read.
    case spoiled(Spoiling)
    /// A server sends the client in a circle.
    case redirectLoop
    /// The base's head, with a body that is no JSON.
    case garbled
    /// The base's answer, later.
    case latency(Duration)
    /// The base's answer, later by what a plan draws.
    case drawnLatency(LatencyDistribution)
    /// The base's answer, its body in small pieces.
    case dribble(bytes: Int, pause: Duration)
    /// The base's answer, and something goes wrong among its events.
    case stream(StreamEffect)
  }

  /// A response that a test hands in, which is equal to itself only.
  final class HandedResponse: Hashable, Sendable {
    let response: HTTPResponse

    init(_ response: HTTPResponse) {
      self.response = response
    }

    static func == (one: HandedResponse, other: HandedResponse) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// How an answer breaks off.
  enum Cut: Hashable, Sendable {
    /// The connection is closed: fewer bytes than announced, or a chunked body without its last chunk.
    case close
    /// The connection is closed within a chunk, which is shorter than its size says.
    case withinChunk
    /// The connection is reset.
    case reset
    /// Nothing more comes.
    case silence
  }

  /// How an answer comes that cannot be read.
  enum Spoiling: Hashable, Sendable {
    /// What comes in its place is no HTTP.
    case garbage
    /// A chunk has a size that is none, after some bytes.
    case chunk(afterBytes: Int)
    /// It says that it is compressed, and cannot be decompressed.
    case gzip
  }

  /// Whether, and when, the base is asked.
  enum Reach: Sendable {
    case before, after, passes
  }

  /// The fault's name in the catalogue, with its parameters.
  public let description: String
  let effect: Effect

  init(_ description: String, _ effect: Effect) {
    self.description = description
    self.effect = effect
  }

  var reach: Reach {
    switch effect {
    case .answer, .handed, .failure, .silence(workIsDone: false), .redirectLoop: .before
    case .silence(workIsDone: true), .lostAnswer, .cut, .garbled, .spoiled: .after
    case .latency, .drawnLatency, .dribble: .passes
    case .stream(let effect): effect.reach
    }
  }

  /// Whether the base does the work of a call that meets this fault.
  public var reachesBase: Bool { reach != .before }

  /// Whether the fault makes a difference at a seam.
  ///
  /// All do at a transport and a handler. A service has no body to send in pieces, so ``dribble(bytes:pause:)`` and
  /// ``splitCharacters`` let a call there pass. What happens before a server is reached (``offline``,
  /// ``hostNotFound``) and within the client (``cancelled``) cannot happen on the wire; a request passes there.
  public func applies(to seam: Seam) -> Bool {
    switch effect {
    case .dribble, .stream(.splitCharacters): seam != .service
    case .failure(.offline, _), .failure(.hostNotFound, _), .failure(.cancelled, _): seam != .wire
    default: true
    }
  }
}

/// Where behaviour can be put in.
public enum Seam: Hashable, Sendable, CaseIterable {
  /// The protocol of a service.
  case service
  /// An `HTTPTransport`.
  case transport
  /// An `HTTPHandler`.
  case handler
  /// The socket of a server.
  case wire
}
