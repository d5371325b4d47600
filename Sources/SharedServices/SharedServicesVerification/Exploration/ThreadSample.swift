import SharedServices
import SharedServicesContracts
import Understudy

/// The values of a thread on which lists depend.
public struct ThreadSample: Sendable, Hashable, CustomDebugStringConvertible {
  var id: Int
  var forumID: Int?
  var minute: Int
  var isSticky: Bool

  /// Creates a thread.
  ///
  /// - Parameters:
  ///   - id: The thread's id.
  ///   - forumID: The forum's id; `nil` if it is unknown.
  ///   - minute: The minute at which its last post was written.
  ///   - isSticky: Whether the thread is listed above the others.
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

  /// The same thread with one value replaced by a simpler one.
  var simpler: [ThreadSample] {
    var all: [ThreadSample] = []
    if isSticky { all.append(ThreadSample(id, inForum: forumID, at: minute)) }
    if forumID != 1 { all.append(ThreadSample(id, inForum: 1, at: minute, isSticky: isSticky)) }
    all += minute.simpler().map { ThreadSample(id, inForum: forumID, at: $0, isSticky: isSticky) }
    return all
      + id.simpler(toward: 1).map { ThreadSample($0, inForum: forumID, at: minute, isSticky: isSticky) }
  }

  /// The value in Swift syntax.
  public var debugDescription: String {
    ".init(\(id), inForum: \(forumID.map(String.init) ?? "nil")"
      + (minute == 0 ? "" : ", at: \(minute)") + (isSticky ? ", isSticky: true)" : ")")
  }
}
