import Foundation
import SharedServices
import SharedServicesDoubles
import SharedServicesForum
import Understudy
import SharedServicesViewModels

/// The final content of the screens.
@MainActor
enum Screen {
  /// Returns the content of onboarding after a save: its message, or the current step.
  static func onboarding(_ project: FaultyProject) async -> String {
    let model = OnboardingViewModel(
      auth: AuthViewModel(service: project.auth), children: project.children,
      today: { NewChild.robin.birthday.adding(years: 8) })
    model.currentState = .childInfo
    model.childName = "Robin"
    await model.saveChildAndProceed()
    return model.errorMessage ?? (model.currentState == .childInfo ? "" : model.currentState.rawValue)
  }

  /// Returns the content of the profile after an action: its message, or the names of the children.
  static func profile(
    _ project: FaultyProject, _ act: @MainActor (ProfileViewModel) async -> Void
  ) async -> String {
    let model = ProfileViewModel(
      auth: AuthViewModel(service: project.auth), children: project.children)
    await act(model)
    return model.errorMessage ?? model.children.map(\.name).joined(separator: ", ")
  }

  /// Returns the content of the conversation after the user has sent a message: the messages and the error message.
  static func conversation(_ project: FaultyProject, about child: Child, thenReloads: Bool = false) async
    -> String
  {
    let model = LyraViewModel(
      child: child, auth: AuthViewModel(service: project.auth), service: project.conversations)
    model.messageText = "Why?"
    await model.sendMessage()
    if thenReloads {
      project.breakWire()
      await model.loadHistory()
    }
    let bubbles = model.messages.map { message in
      (message.role == .user ? "> " : "< ") + message.content
        + (model.incompleteAnswers.contains(message.id) ? "…" : "")
    }
    return (bubbles + (model.errorMessage.map { ["! \($0)"] } ?? [])).joined(separator: " | ")
  }

  /// Returns the content of a forum's list, on a device whose file has an older list, after a load and optionally a
  /// mark: the titles, with a tick for read threads, and the message.
  ///
  /// - Throws: `.storeError` if the file, opened again, has other threads than the screen shows.
  static func forum(_ project: FaultyForum, marking thread: ForumThread? = nil) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "threads.sqlite")
    let repository = try await SQLiteThreadsRepository(at: file)
    var old = FaultyForum.thread
    old.title = "Old news"
    try await repository.save([old])
    let center = NotificationCenter()
    let model = ThreadsViewModel(
      forumID: FaultyForum.board.id,
      service: ForumThreadsService(client: project.client, repository: repository, notifications: center),
      notifications: center)
    await model.refresh()
    if let thread {
      project.breakWire()
      await model.markAsRead(thread)
    }
    let reopened = try await SQLiteThreadsRepository(at: file)
    let stored = try await reopened.threads(inForum: FaultyForum.board.id, offset: 0, limit: nil)
    guard stored == Array(model.sections.joined()) else {
      throw DataError.storeError("The screen shows \(model.sections), and the file has \(stored).")
    }
    let titles = model.sections.joined().map { $0.title + ($0.hasUnreadPosts ? "" : " ✓") }
    return (titles + (model.errorMessage.map { ["! \($0)"] } ?? [])).joined(separator: " | ")
  }

  /// Returns the content of a chat once it is live or has ended: the messages and the error message.
  static func chat(_ project: FaultyFeed) async -> String {
    let model = ChatViewModel(
      sessionID: FaultyFeed.sessionID, history: project.history, stream: project.stream)
    let timeline = StateTimeline(of: model) { $0.state }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await model.open() }
      group.addTask { _ = try? await timeline.wait { $0 == .live } }
      await group.next()
      group.cancelAll()
    }
    let bubbles = model.messages.map(\.content)
    let message: [String] =
      if case .failed(let message)? = timeline.states.last(where: { $0 != .idle }) { ["! \(message)"] } else {
        []
      }
    return (bubbles + message).joined(separator: " | ")
  }
}
