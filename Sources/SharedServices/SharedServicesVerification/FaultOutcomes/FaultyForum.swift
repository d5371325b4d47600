import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import SharedServicesForum

/// A new forum with one thread, and its client, with a fault injected into one operation.
struct FaultyForum: Sendable {
  enum Operation: Sendable {
    case threads, markSeen
  }

  static let board = ForumBoard(id: 26, name: "Games")
  static let thread = ForumThread(
    id: 123, forumID: 26, title: "New rules", author: ForumUser(id: 7, name: "Robin"), replyCount: 3,
    lastPostDate: Date(timeIntervalSince1970: 1_767_427_500), lastPostAuthor: "Kim")

  private let forum: any ForumServer
  let client: any ForumsClient
  private let connection: FaultyConnection<ForumEmulator>?

  init(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws {
    let time = TestClock(.immediate).time
    guard injectionPoint != .service else {
      let forum = InMemoryForum(boards: [Self.board], threads: [Self.thread])
      let call: Intercepted<InMemoryForumsClient>.Operation = operation == .threads ? .threads : .markSeen
      client = Intercepted(InMemoryForumsClient(forum), by: .faults(.on(call, fault)), time: time)
      self.forum = forum
      connection = nil
      return
    }
    let forum = ForumEmulator(boards: [Self.board], threads: [Self.thread])
    let connection = try await FaultyConnection(
      to: forum, meeting: fault, at: injectionPoint, in: operation == .threads ? .get : .post,
      operation == .threads ? "/forumdisplay.php" : "/showthread.php", time: time)
    client = HTMLForumsClient(
      at: connection.url, over: connection.transport, timeout: connection.timeout, now: time.date)
    self.forum = forum
    self.connection = connection
  }

  /// Creates two equal environments: one for the call itself, and one for the screen that makes it.
  static func two(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws
    -> (Self, Self)
  {
    let (called, shown) = (
      try await Self(fault, at: injectionPoint, in: operation),
      try await Self(fault, at: injectionPoint, in: operation)
    )
    called.breakWire()
    if operation == .threads { shown.breakWire() }
    return (called, shown)
  }

  func breakWire() { connection?.breakWire() }

  /// Whether the forum has stored that the thread was read to its end.
  var isSeen: Bool { forum.thread(id: Self.thread.id)?.reading == .seen(unreadCount: 0) }
}
