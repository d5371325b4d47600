import Understudy
import UnderstudyHTTP

extension HTTP.Body {
  /// Returns the same body with a pause before each chunk and before its end; chunks beyond the list have no pause.
  ///
  /// - Parameter timeout: The maximum duration of a pause.
  func paced(by pauses: [Duration], on time: Time, within timeout: Duration? = nil) -> HTTP.Body {
    HTTP.Body(perReader: {
      let next = makeReader()
      let rest = Locked(pauses[...])
      return {
        try await time.pass(rest.withLock { $0.popFirst() } ?? .zero, within: timeout)
        return try await next()
      }
    })
  }
}

extension Duration {
  /// Returns recorded milliseconds as a duration; zero if they are missing, negative or longer than a year.
  static func milliseconds(recorded milliseconds: Double?) -> Duration {
    guard let milliseconds, milliseconds > 0, milliseconds < 32_000_000_000 else { return .zero }
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }
}

extension Time {
  /// Waits for a pause, or throws `.timedOut` if it exceeds the timeout.
  func pass(_ pause: Duration, within timeout: Duration?) async throws {
    guard pause > .zero else { return }
    do {
      try await withTimeout(timeout) { try await sleep(for: pause) }
    } catch let error as TimeoutError {
      throw TransportError(wrapping: error)
    }
  }
}
