import Understudy
import UnderstudyHTTP

/// A stopwatch that measures the time since it was created.
struct StopWatch: Sendable {
  private let read: @Sendable () -> Duration

  init(_ time: Time) {
    self.init(time.clock)
  }

  private init(_ clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  var elapsed: Duration { read() }
}
