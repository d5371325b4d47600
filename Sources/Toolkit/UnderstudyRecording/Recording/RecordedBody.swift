import Understudy
import UnderstudyHTTP

/// A wrapper that records a body while its first reader reads it.
enum RecordedBody {
  /// An object that is released with the reader, or with an unread body, so that the exchange ends.
  private final class Reading: Sendable {
    let number: Int
    let recorder: Recorder

    init(_ number: Int, _ recorder: Recorder) {
      self.number = number
      self.recorder = recorder
    }

    deinit {
      recorder.end(number) { if $0.hasWholeBody { $0.ending = .complete } }
    }
  }

  static func recording(
    _ body: HTTP.Body, as number: Int, by recorder: Recorder, _ sinceHead: @escaping @Sendable () -> Duration
  ) -> HTTP.Body {
    let untaken = Locked<Reading?>(Reading(number, recorder))
    return HTTP.Body(perReader: {
      let next = body.makeReader()
      let reading = untaken.withLock { reading in
        defer { reading = nil }
        return reading
      }
      guard let reading else { return next }
      return {
        do {
          let chunk = try await next()
          let now = sinceHead()
          let turn =
            if let chunk {
              reading.recorder.take(chunk, of: reading.number, at: now)
            } else {
              reading.recorder.end(reading.number) { exchange in
                exchange.endTime = now
                exchange.ending = .complete
              }
            }
          // The reader of a large body waits, so that no more than one is in memory for each client.
          await reading.recorder.finishWriting(turn)
          return chunk
        } catch {
          let now = sinceHead()
          let failure = TransportError(wrapping: error)
          let turn = reading.recorder.end(reading.number) { exchange in
            // A cancelled reader has stopped; how the body would have ended is unknown.
            guard failure.code != .cancelled else { return }
            exchange.endTime = now
            exchange.ending = .failed(failure)
          }
          await reading.recorder.finishWriting(turn)
          throw error
        }
      }
    })
  }
}
