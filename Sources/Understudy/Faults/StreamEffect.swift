/// The effect of a ``Fault`` on the events of a stream, or on the messages that a WebSocket receives.
package enum StreamEffect: Hashable, Sendable {
  /// The connection breaks where the next event would begin.
  case drop(after: Int)
  /// The stream ends there as if it were complete.
  case end(after: Int)
  /// Nothing arrives from there on.
  case stall(after: Int)
  /// The event with this number, from one, cannot be decoded.
  case corrupt(Int)
  /// The last event lacks its terminator, so that a reader must discard it (WHATWG HTML §9.2.6).
  case unterminated
  /// The event with this number arrives twice.
  case duplicate(Int)
  /// The event with this number arrives after the next one.
  case reorder(Int)
  /// The bytes of each character arrive in several chunks.
  case splitCharacters
  /// A WebSocket's close frame with this code arrives where the next message would begin.
  case close(UInt16, after: Int)
  /// A WebSocket breaks there without a close frame.
  case abort(after: Int)
  /// The bytes that arrive there are not a WebSocket frame.
  case badFrame(after: Int)

  package var symptom: Fault.Symptom {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .connectionLost
    case .stall: .timedOut
    case .corrupt, .badFrame: .unreadable
    case .duplicate, .reorder: .altered
    case .splitCharacters: .delayed
    }
  }

  package var reach: Fault.Reach {
    switch self {
    case .drop, .end, .stall, .corrupt, .unterminated, .close, .abort, .badFrame: .after
    case .duplicate, .reorder, .splitCharacters: .passes
    }
  }

  /// The nearest effect on an answer that is not a stream of events; `nil` if the answer is unchanged.
  package var effectOnWholeAnswer: Fault.Effect? {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .cut(afterBytes: 1, .close)
    case .stall: .cut(afterBytes: 1, .silence)
    case .corrupt, .badFrame: .unreadable
    case .duplicate, .reorder, .splitCharacters: nil
    }
  }
}
