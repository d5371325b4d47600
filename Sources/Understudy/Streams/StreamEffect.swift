import UnderstudyTransport

/// What a ``Fault`` does to the events of a stream, or to the messages that a WebSocket brings.
enum StreamEffect: Hashable, Sendable {
  /// The connection breaks where the next event would begin.
  case drop(after: Int)
  /// The stream ends there as if that were all.
  case end(after: Int)
  /// Nothing comes from there on.
  case stall(after: Int)
  /// The event with this number, from one, cannot be read.
  case corrupt(Int)
  /// The last event lacks what ends it, so that it is none (WHATWG HTML §9.2.6).
  case unterminated
  /// The event with this number comes twice.
  case duplicate(Int)
  /// The event with this number comes after the next one.
  case reorder(Int)
  /// The bytes of each character come in several chunks.
  case splitCharacters
  /// A close frame comes where the next message would begin.
  case close(WebSocketClosure.Code, after: Int)
  /// The connection breaks there without one.
  case abort(after: Int)
  /// What comes there is no frame.
  case badFrame(after: Int)

  var symptom: Fault.Symptom {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .transport(.connectionLost)
    case .stall: .transport(.timedOut)
    case .corrupt, .badFrame: .unreadable
    case .duplicate, .reorder: .altered
    case .splitCharacters: .delay
    }
  }

  var reach: Fault.Reach {
    switch self {
    case .drop, .end, .stall, .corrupt, .unterminated, .close, .abort, .badFrame: .after
    case .duplicate, .reorder, .splitCharacters: .passes
    }
  }

  /// What comes nearest for an answer that is no stream of events; `nil` if it stays as it is.
  var effectOnWholeAnswer: Fault.Effect? {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .cut(afterBytes: 1, .close)
    case .stall: .cut(afterBytes: 1, .silence)
    case .corrupt, .badFrame: .garbled
    case .duplicate, .reorder, .splitCharacters: nil
    }
  }
}
