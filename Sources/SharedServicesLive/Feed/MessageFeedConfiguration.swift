public import Foundation
import Understudy

/// Where a message feed is, and how long to try.
public struct MessageFeedConfiguration: Sendable, Hashable {
  /// The server, below which `sessions/<id>/messages` and `sessions/<id>/stream` are.
  public var serverURL: URL
  /// The longest silence that is borne before an answer.
  public var timeout: Duration
  /// What is done about a lost connection.
  public var reconnection: Reconnection

  /// A feed at a server.
  public init(
    serverURL: URL, timeout: Duration = .seconds(30), reconnection: Reconnection = Reconnection()
  ) {
    self.serverURL = serverURL
    self.timeout = timeout
    self.reconnection = reconnection
  }
}

/// How often a lost connection is made again, and how long is waited before each time.
///
/// Each wait is twice the one before, up to the longest. Up to half of it is left out at random, so that a server that
/// starts anew is not asked by everybody at once.
public struct Reconnection: Sendable, Hashable {
  /// The first wait.
  public var first: Duration
  /// The longest wait.
  public var longest: Duration
  /// How many tries follow each other; one that leads to news begins a new count.
  public var attempts: Int
  /// What the random parts come from.
  public var seed: UInt64

  /// Ten tries, from half a second to half a minute apart, unless told otherwise.
  public init(
    first: Duration = .milliseconds(500), longest: Duration = .seconds(30), attempts: Int = 10,
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
    self.seed = seed
  }

  /// How long to wait before a try; the first is 0.
  func delay(before attempt: Int) -> Duration {
    var wait = min(max(.zero, first), longest)
    // No more often than a wait of an attosecond needs to become a year.
    for _ in 0..<min(max(0, attempt), 100) where wait < longest { wait = min(longest, wait * 2) }
    var random = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: attempt))
    return wait * Double.random(in: 0.5...1, using: &random)
  }
}
