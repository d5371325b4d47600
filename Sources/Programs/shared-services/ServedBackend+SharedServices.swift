import Foundation
import SharedServices
import SharedServicesBackends
import UnderstudyCommand
import UnderstudyHTTP
import UnderstudySupabase

extension ServedBackend {
  /// The Supabase project of the shared services, with an account, and the forum.
  static let sharedServices = ServedBackend(
    "a Supabase project in memory, with an account and no children, and a forum"
  ) {
    let project = SupabaseBackend()
    let (email, password) = ("pat@example.com", "correct horse")
    let user = try project.addUser(email: email, password: password)
    let notes = [
      "key: \(project.emulator.apiKey)", "service key: \(project.emulator.serviceKey)", "email: \(email)",
      "password: \(password)", "user: \(user.uuidString.lowercased())",
    ]
    return Running(ProjectAndForum(project: project.emulator, forum: .served), notes: notes)
  }
}

private struct ProjectAndForum: HTTPHandler {
  let project: SupabaseEmulator
  let forum: ForumEmulator

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    ForumEmulator.serves(request)
      ? try await forum.respond(to: request) : try await project.respond(to: request)
  }
}

extension ForumEmulator {
  /// A forum of one board, with an unread thread and a partly read one.
  fileprivate static var served: ForumEmulator {
    ForumEmulator(
      boards: [
        ForumBoard(
          id: 26, name: "Games", announcements: [ForumAnnouncement(title: "Be kind", author: "Moderator")])
      ],
      threads: [
        ForumThread(
          id: 123, forumID: 26, title: "Rules & advice", isSticky: true, isClosed: true,
          icons: ["icon-52-rules"],
          author: ForumUser(id: 1, name: "Moderator"), replyCount: 4,
          rating: .init(voteCount: 12, average: 4.5),
          lastPostDate: Date(timeIntervalSince1970: 1_767_427_500), lastPostAuthor: "Robin"),
        ForumThread(
          id: 124, forumID: 26, title: "Which game <today>?", bookmark: .red,
          author: ForumUser(id: 42, name: "Kim"),
          replyCount: 9, reading: .seen(unreadCount: 3),
          lastPostDate: Date(timeIntervalSince1970: 1_767_398_400), lastPostAuthor: "Alex"),
      ])
  }
}
