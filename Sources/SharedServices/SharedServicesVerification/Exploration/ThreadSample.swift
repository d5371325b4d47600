public import SharedServices
import SharedServicesContracts
import Understudy

/// The values of a thread on which lists depend.
public struct ThreadSample: Sendable, Hashable, CustomDebugStringConvertible {
  var id: Int
  var forumID: Int?
  var minute: Int
  var isSticky: Bool
  var bookmark: ForumThread.Bookmark?

  /// Creates a thread.
  ///
  /// - Parameters:
  ///   - id: The thread's id.
  ///   - forumID: The forum's id; `nil` if it is unknown.
  ///   - minute: The minute at which its last post was written.
  ///   - isSticky: Whether the thread is listed above the others.
  ///   - bookmark: Its bookmark.
  public init(
    _ id: Int, inForum forumID: Int?, at minute: Int = 0, isSticky: Bool = false,
    bookmark: ForumThread.Bookmark? = nil
  ) {
    self.id = id
    self.forumID = forumID
    self.minute = minute
    self.isSticky = isSticky
    self.bookmark = bookmark
  }

  static func random(using generator: inout some RandomNumberGenerator) -> ThreadSample {
    ThreadSample(
      .random(in: 1...4, using: &generator),
      inForum: [1, 1, 2, nil][Int.random(in: 0..<4, using: &generator)],
      at: .random(in: 0...3, using: &generator), isSticky: .random(in: 0...3, using: &generator) == 0,
      bookmark: ForumThread.Bookmark(rawValue: .random(in: -3...2, using: &generator)))
  }

  /// The whole thread.
  var thread: ForumThread {
    var thread = ForumThread.sample(id, inForum: forumID, at: minute, isSticky: isSticky)
    thread.bookmark = bookmark
    return thread
  }

  /// The same thread with one value replaced by a simpler one.
  var simpler: [ThreadSample] {
    func with(_ change: (inout ThreadSample) -> Void) -> ThreadSample {
      var simpler = self
      change(&simpler)
      return simpler
    }
    var all: [ThreadSample] = []
    if isSticky { all.append(with { $0.isSticky = false }) }
    if bookmark != nil { all.append(with { $0.bookmark = nil }) }
    if forumID != 1 { all.append(with { $0.forumID = 1 }) }
    return all + minute.simpler().map { minute in with { $0.minute = minute } }
      + id.simpler(toward: 1).map { id in with { $0.id = id } }
  }

  /// The value in Swift syntax.
  public var debugDescription: String {
    ".init(\(id), inForum: \(forumID.map(String.init) ?? "nil")"
      + (minute == 0 ? "" : ", at: \(minute)") + (isSticky ? ", isSticky: true" : "")
      + (bookmark.map { ", bookmark: .\($0))" } ?? ")")
  }
}
