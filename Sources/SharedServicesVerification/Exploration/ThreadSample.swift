import SharedServices
import Understudy
import SharedServicesContracts

/// The few things of a thread on which lists depend.
public struct ThreadSample: Sendable, Hashable, CustomDebugStringConvertible {
  var id: Int
  var forumID: Int?
  var minute: Int
  var isSticky: Bool

  /// A thread.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - forumID: The forum; `nil` where it is not known.
  ///   - minute: When its last post was written.
  ///   - isSticky: Whether it stays above the others.
  public init(_ id: Int, inForum forumID: Int?, at minute: Int = 0, isSticky: Bool = false) {
    self.id = id
    self.forumID = forumID
    self.minute = minute
    self.isSticky = isSticky
  }

  static func random(using generator: inout some RandomNumberGenerator) -> ThreadSample {
    ThreadSample(
      .random(in: 1...4, using: &generator),
      inForum: [1, 1, 2, nil][Int.random(in: 0..<4, using: &generator)],
      at: .random(in: 0...3, using: &generator), isSticky: .random(in: 0...3, using: &generator) == 0)
  }

  /// The whole thread.
  var thread: ForumThread { .sample(id, inForum: forumID, at: minute, isSticky: isSticky) }

  /// The same, with one thing nearer to a plain thread.
  var simpler: [ThreadSample] {
    var all: [ThreadSample] = []
    if isSticky { all.append(ThreadSample(id, inForum: forumID, at: minute)) }
    if forumID != 1 { all.append(ThreadSample(id, inForum: 1, at: minute, isSticky: isSticky)) }
    all += minute.simpler().map { ThreadSample(id, inForum: forumID, at: $0, isSticky: isSticky) }
    return all
      + id.simpler(toward: 1).map { ThreadSample($0, inForum: forumID, at: minute, isSticky: isSticky) }
  }

  /// As Swift writes it.
  public var debugDescription: String {
    ".init(\(id), inForum: \(forumID.map(String.init) ?? "nil")"
      + (minute == 0 ? "" : ", at: \(minute)") + (isSticky ? ", isSticky: true)" : ")")
  }
}
