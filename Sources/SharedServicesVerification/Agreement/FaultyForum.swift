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

  static let board = InMemoryForum.Board(id: 26, name: "Games")
  static let thread = ForumThread(
    id: 123, forumID: 26, title: "New rules", author: ForumUser(id: 7, name: "Robin"), replyCount: 3,
    lastPostDate: Date(timeIntervalSince1970: 1_767_427_500), lastPostAuthor: "Kim")

  private let forum: InMemoryForum
  let client: any ForumsClient
  private let connection: FaultyConnection<ForumEmulator>?

  init(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws {
    let time = TestClock(.immediate).time
    forum = InMemoryForum(boards: [Self.board], threads: [Self.thread])
    let base = InMemoryForumsClient(forum)
    switch (injectionPoint, operation) {
    case (.service, .threads):
      client = Intercepted(base, by: .faults(.on(.threads, fault)), time: time)
      connection = nil
    case (.service, .markSeen):
      client = Intercepted(base, by: .faults(.on(.markSeen, fault)), time: time)
      connection = nil
    case (_, .threads):
      let connection = try await FaultyConnection(
        to: ForumEmulator(forum), meeting: fault, at: injectionPoint, in: .get, "/forumdisplay.php",
        time: time)
      client = HTMLForumsClient(
        at: connection.url, over: connection.transport, timeout: connection.timeout, time: time)
      self.connection = connection
    case (_, .markSeen):
      let connection = try await FaultyConnection(
        to: ForumEmulator(forum), meeting: fault, at: injectionPoint, in: .post, "/showthread.php", time: time
      )
      client = HTMLForumsClient(
        at: connection.url, over: connection.transport, timeout: connection.timeout, time: time)
      self.connection = connection
    }
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
