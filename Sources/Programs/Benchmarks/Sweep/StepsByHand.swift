import Foundation
import Observation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesForum
import SharedServicesViewModels
import Understudy
import UnderstudyConsole

/// The steps of each scenario without a fault, on the same doubles, and with the expectation of its end.
@MainActor enum StepsByHand {
  private static let user = InMemorySharedServices.sampleUserID

  static func onboarding(seed: UInt64) async throws {
    let time = TestClock(.immediate).time
    let backend = InMemorySharedServices.signedIn(seed: seed, time: time)
    let model = OnboardingViewModel(
      auth: AuthViewModel(service: backend.auth), children: backend.children,
      today: { CalendarDate(time.now, in: .gmt) })
    for name in ["Robin", "Alex", "Kim"] {
      model.currentState = .childInfo
      model.childName = name
      await model.saveChildAndProceed()
    }
    let stored = backend.sampleChildren
    try expect(stored.map(\.name) == ["Kim"] && stored == [model.currentChild], "onboarding")
  }

  static func profile(seed: UInt64) async throws {
    let time = TestClock(.immediate).time
    let backend = InMemorySharedServices.signedIn(seed: seed, time: time)
    for name in ["Kim", "Robin", "Sam"] { _ = try await store(name, in: backend, time) }
    let model = ProfileViewModel(auth: AuthViewModel(service: backend.auth), children: backend.children)
    await model.loadChildren()
    if var child = model.children.first, let removed = model.children.last {
      child.name = "Alex"
      await model.updateChild(child)
      await model.deleteChild(id: removed.id)
    }
    await model.loadChildren()
    model.dismissMessage()
    await model.loadChildren()
    try expect(model.children.count == 2 && model.children == backend.sampleChildren, "profile")
  }

  static func following(seed: UInt64) async throws {
    let time = TestClock(.immediate).time
    let backend = InMemorySharedServices.signedIn(seed: seed, time: time)
    var robin = try await store("Robin", in: backend, time)
    let sam = try await store("Sam", in: backend, time)
    let model = ProfileViewModel(
      auth: AuthViewModel(service: backend.auth), children: backend.children, realtime: backend.realtime)
    let visit = Task { await model.followChanges() }
    await wait { model.children.count == 2 }
    robin.name = "Alex"
    _ = try await backend.children.updateChild(robin)
    await wait { model.children.contains { $0.name == "Alex" } }
    _ = try await store("Kim", in: backend, time)
    await wait { model.children.count == 3 }
    try await backend.children.deleteChild(id: sam.id)
    await wait { model.children.count == 2 }
    robin.name = "Bo"
    await model.updateChild(robin)
    visit.cancel()
    await visit.value
    model.dismissMessage()
    let next = Task { await model.followChanges() }
    await model.loadChildren()
    try expect(model.children.count == 2 && model.children == backend.sampleChildren, "following")
    next.cancel()
    await next.value
  }

  static func lyra(seed: UInt64) async throws {
    let time = TestClock(.immediate).time
    let answer = [
      MessageChunk(text: ""), MessageChunk(text: "", sources: [Citation(title: "Sleep")]),
      MessageChunk(text: "Naps "), MessageChunk(text: "help."), MessageChunk(text: "", isDone: true),
    ]
    let backend = InMemorySharedServices.signedIn(
      seed: seed, time: time, replyWriter: ReplyWriter { _, _, _ in Reply(answer) })
    let child = try await store("Robin", in: backend, time)
    let model = LyraViewModel(
      child: child, auth: AuthViewModel(service: backend.auth), service: backend.conversations,
      now: { time.now })
    model.messageText = "Why?"
    await model.sendMessage()
    for _ in 1...3 { await model.loadHistory() }
    guard let conversation = model.conversationID else { throw CommandError("lyra: no conversation.") }
    let stored = try await backend.conversations.history(conversationID: conversation)
    try expect(model.messages == stored && stored.last?.content == "Naps help.", "lyra")
  }

  static func signIn(seed: UInt64) async throws {
    let time = TestClock(.immediate).time
    let backend = InMemorySharedServices(seed: seed, time: time)
    let user = try backend.addUser(email: "pat@example.com", password: "secret1")
    let auth = AuthViewModel(service: backend.auth)
    let profile = ProfileViewModel(auth: auth, children: backend.children)
    await auth.restore()
    for password in ["wrong", "secret1"] {
      (auth.email, auth.password) = ("pat@example.com", password)
      await auth.signIn()
    }
    _ = try await store("Robin", of: user, in: backend, time)
    await profile.loadChildren()
    await auth.refresh()
    await auth.restore()
    await auth.signOut()
    (auth.email, auth.password) = ("pat@example.com", "secret1")
    await auth.signIn()
    try expect(auth.state == .signedIn(user) && backend.auth.userID == user, "signIn")
  }

  static func chat(seed: UInt64) async throws {
    let session = "s1"
    let server = MessageFeedServer(seed: seed, time: TestClock(.immediate).time)
    server.open(session)
    server.say(.user("Hello"), in: session)
    server.say(.assistant("Hi."), in: session)
    let model = ChatViewModel(sessionID: session, history: server.history, stream: server.stream)
    let visit = Task { await model.open() }
    await wait { model.state == .live }
    server.say(.user("Why?"), in: session)
    let answer = server.begin(in: session)
    server.write("Because ", to: answer, in: session)
    server.write("so.", to: answer, in: session)
    server.finish(answer, in: session)
    server.say(.user("Bye."), in: session)
    await wait { model.messages.last?.content == "Bye." }
    let next = server.begin(in: session)
    server.write("I am", to: next, in: session)
    server.announce(.sample("1", .subagentStart(id: "a", description: "Reads")), in: session)
    server.announce(
      .sample("2", .permission(PermissionRequest(id: "p", tool: "Shell", input: "{}"))), in: session)
    await wait { !model.activity.permissions.isEmpty }
    visit.cancel()
    await visit.value
    server.finish(next, in: session)
    let other = Task { await model.open() }
    await wait { model.state == .live }
    try expect(model.messages.map(\.id) == server.messages(of: session).map(\.id), "chat")
    other.cancel()
    await other.value
  }

  static func threads(seed: UInt64) async throws {
    let (board, now) = (26, TestClock(.immediate).time.now)
    let forum = InMemoryForum(boards: [ForumBoard(id: board, name: "Games")])
    for id in 1...5 {
      forum.store(
        ForumThread(
          id: id, forumID: board, title: "Thread \(id)", isSticky: id == 1,
          author: ForumUser(id: 7, name: "Robin"), replyCount: 2,
          lastPostDate: now.addingTimeInterval(Double(id) * 60), lastPostAuthor: "Kim"))
    }
    let notifications = NotificationCenter()
    let service = ForumThreadsService(
      client: InMemoryForumsClient(forum, threadsPerPage: 2), repository: InMemoryThreadsRepository(),
      notifications: notifications)
    let account = ForumAccount()
    account.signIn(7, service: service)
    let model = ThreadsViewModel(forumID: board, account: account, notifications: notifications)
    func loadMore() async {
      if let end = model.sections.joined().last { await model.loadMore(at: end) }
    }
    func edit(_ id: Int, _ action: (ForumThread) async -> Void) async {
      if let thread = model.sections.joined().first(where: { $0.id == id }) { await action(thread) }
    }
    await model.loadThreadsIfNeeded()
    await loadMore()
    await edit(5, model.markAsRead)
    await edit(5) { await model.setBookmark(.red, of: $0) }
    await model.refresh()
    await model.refresh()
    await loadMore()
    await model.refresh()
    for _ in 1...2 { await loadMore() }
    await edit(5, model.markAsRead)
    await edit(5) { await model.setBookmark(.red, of: $0) }
    await edit(5, model.markAsUnread)
    await edit(1, model.markAsRead)
    let all = try await InMemoryForumsClient(forum).threads(inForum: board, page: 1).threads
    await wait { Array(model.sections.joined()) == all }
    try expect(model.state == .loaded && !model.hasMore, "threads")
  }

  private static func store(
    _ name: String, of user: UUID = user, in backend: InMemorySharedServices, _ time: Time
  ) async throws -> Child {
    try await backend.children.createChild(
      NewChild(userID: user, name: name, age: 8, birthday: CalendarDate(time.now, in: .gmt)))
  }

  private static func expect(_ isTrue: Bool, _ steps: String) throws {
    if !isTrue { throw CommandError("The steps of \(steps) by hand have not ended as expected.") }
  }

  /// Waits until a screen shows something.
  private static func wait(until isShown: () -> Bool) async {
    while !isShown() {
      await withCheckedContinuation { continuation in
        _ = withObservationTracking(isShown) { continuation.resume() }
      }
    }
  }
}
