public import UnderstudyTransport
import Foundation

extension Fault {
  /// What a client sees of a fault: the coarse view that a domain maps to its own errors.
  ///
  /// The catalogue may grow; this hardly does. One `switch` over it is a whole mapping.
  public enum Symptom: Hashable, Sendable {
    /// An answer came, and this is its status; the rest of it is in ``Fault/answer``.
    case status(Int)
    /// No whole answer came.
    case transport(TransportError.Code)
    /// A whole answer came that is not what its fields say.
    case unreadable
    /// The call succeeds, later or in other pieces.
    case delay
    /// The call succeeds, with other content than was sent: an event twice, or in another place.
    case altered
  }

  /// What a client sees.
  public var symptom: Symptom {
    switch effect {
    case .answer(let answer): .status(answer.status)
    case .handed(let handed): .status(handed.response.status)
    case .failure(let code, _): .transport(code)
    case .silence, .cut(_, .silence): .transport(.timedOut)
    case .lostAnswer, .cut: .transport(.connectionLost)
    case .redirectLoop: .transport(.tooManyRedirects)
    case .spoiled: .transport(.unreadableResponse)
    case .garbled: .unreadable
    case .latency, .drawnLatency, .dribble: .delay
    case .stream(let effect): effect.symptom
    }
  }

  /// The whole answer, where the symptom is a status.
  public var answer: Answer? {
    if case .answer(let answer) = effect { answer } else { nil }
  }
}

extension Fault.Answer {
  /// The `code` of a JSON body: a SQLSTATE, or a code of the backend's own.
  public var code: String? { refusal?.code }

  /// The `message` of a JSON body.
  public var message: String? { refusal?.message }

  /// How long the server asks to be left alone: `Retry-After` in seconds (RFC 9110 §10.2.3).
  public var retryAfter: Duration? {
    fields["Retry-After"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? .seconds($0) : nil }
  }

  private var refusal: PostgRESTError? {
    try? JSONDecoder().decode(PostgRESTError.self, from: body)
  }
}
