import Understudy

extension HTTP {
  /// The trailers of a response (RFC 9110 §6.5), which are known when its body has ended.
  package final class Trailers: Sendable {
    private let state: Locked<Fields>

    package init(_ fields: Fields = [:]) {
      state = Locked(fields)
    }

    package var fields: Fields {
      get { state.withLock(\.self) }
      set { state.withLock { $0 = newValue } }
    }
  }
}
