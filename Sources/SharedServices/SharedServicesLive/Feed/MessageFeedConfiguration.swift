public import Foundation

/// The location and the time limits of a message feed.
public struct MessageFeedConfiguration: Sendable, Hashable {
  /// The URL of the server, below which `sessions/<id>/messages` and `sessions/<id>/stream` are.
  public var serverURL: URL
  /// The maximum time without any data before a response.
  public var timeout: Duration
  /// The policy for lost connections.
  public var reconnection: Reconnection

  /// Creates the configuration of a feed at a server.
  public init(
    serverURL: URL, timeout: Duration = .seconds(30), reconnection: Reconnection = Reconnection()
  ) {
    self.serverURL = serverURL
    self.timeout = timeout
    self.reconnection = reconnection
  }
}

/// The number of reconnection attempts and the delays between them.
///
/// Each delay is twice the previous one, up to the longest. Up to half of it is subtracted at random, so that clients
/// do not reconnect to a restarted server at the same time.
public struct Reconnection: Sendable, Hashable {
  /// The first delay.
  public var first: Duration
  /// The longest delay.
  public var longest: Duration
  /// The maximum number of consecutive attempts; one that delivers a new message resets the count.
  public var attempts: Int
  /// The seed of the random parts.
  public var seed: UInt64

  /// Creates a policy (default: ten attempts, from half a second to half a minute apart).
  public init(
    first: Duration = .milliseconds(500), longest: Duration = .seconds(30), attempts: Int = 10,
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
    self.seed = seed
  }

  /// Returns the delay before an attempt; the first attempt is 0.
  func delay(before attempt: Int) -> Duration {
    var wait = min(max(.zero, first), longest)
    // A hundred doublings turn an attosecond into more than a year.
    for _ in 0..<min(max(0, attempt), 100) where wait < longest { wait = min(longest, wait * 2) }
    var random = SplitMix64(state: seed &+ UInt64(truncatingIfNeeded: attempt))
    return wait * Double.random(in: 0.5...1, using: &random)
  }
}

/// The generator of the random parts (Steele, Lea and Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
