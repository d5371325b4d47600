import SharedServices
import SharedServicesBackends
import SharedServicesDoubles

/// What a trial does to a forum, besides using it: the double, or the emulator.
protocol ForumServer: Sendable {
  /// Replaces threads by those that another reader sees, and returns the replaced ones.
  func exchange(_ threads: [ForumThread]) -> [ForumThread]
  func thread(id: Int) -> ForumThread?
  func refuseRequests(with refusal: ForumRefusal?)
}

extension InMemoryForum: ForumServer {}

extension ForumEmulator: ForumServer {}
