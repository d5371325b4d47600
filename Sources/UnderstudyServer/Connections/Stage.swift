import Understudy
import UnderstudyHTTP

/// The stage of a connection.
enum Stage: Sendable, Hashable {
  /// Waiting for a request.
  case idle
  /// Reading the head of a request.
  case head
  /// Reading the body of a request.
  case body
  /// Waiting for the handler's response.
  case answer
  /// Waiting for a client that reads the response slowly.
  case sending
  /// Kept silent by a fault until the client disconnects.
  case silence
  /// Waiting until the client has read the last response.
  case farewell
  /// Using another protocol.
  case upgraded

  /// The time limit of the stage; `nil` if it has none.
  func limit(_ limits: ServerLimits) -> Duration? {
    switch self {
    case .idle: limits.idleTime
    case .head: limits.headTime
    case .body: limits.bodyTime
    case .sending: limits.writeTime
    case .farewell: .seconds(2)
    case .answer, .silence, .upgraded: nil
    }
  }
}

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
