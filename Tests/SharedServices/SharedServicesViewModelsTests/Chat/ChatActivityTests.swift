import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyTesting

/// What a chat shows beside its messages, and how unfinished answers end.
@MainActor @Suite(.stallLimit()) struct ChatActivityTests {
  typealias Place = OpenedChat.Place

  private static let session = OpenedChat.sessionID
  private static let permission = PermissionRequest(id: "p", tool: "Shell", input: #"{"command":"ls"}"#)
  private static let question = QuestionRequest(
    id: "q",
    questions: [
      .init(question: "Which?", header: "Choice", options: [.init(label: "A", description: "The first")])
    ])

  private func live(_ place: Place = .service) async throws -> OpenedChat {
    let chat = try OpenedChat(at: place) { $0.say(.user("Why?"), in: Self.session) }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    return chat
  }

  /// Sends events, and waits until the chat has received them.
  private func receive(_ events: [StreamEvent], in chat: OpenedChat) async throws {
    for event in events { chat.server.announce(event, in: Self.session) }
    let mark = "Mark \(chat.model.messages.count)"
    chat.say(.system(mark))
    try await chat.timeline.wait { $0.bubbles.contains("< \(mark)") }
  }

  // MARK: - What the user must answer

  @Test(arguments: Place.allCases) func whatTheUserMustAnswerIsShownWithItsFields(_ place: Place) async throws
  {
    let chat = try await live(place)
    try await receive(
      [
        .sample("1", .permission(Self.permission)), .sample("2", .question(Self.question)),
        .sample("3", .state("waiting_permission")), .sample("4", .state("executing", tool: "Read")),
        // The same question, repeated.
        .sample("5", .permission(Self.permission)),
      ], in: chat)
    #expect(chat.model.activity.permissions == [Self.permission])
    #expect(chat.model.activity.questions == [Self.question])
    #expect(chat.model.invalidMessageCount == 0)
    await chat.leave()
    #expect(chat.model.activity.permissions == [] && chat.model.activity.questions == [])
  }

  nonisolated static let progress: [(event: StreamEvent, isAnswered: Bool)] = [
    (.sample("1", .state("thinking")), true), (.sample("1", .state("idle")), true),
    (.sample("1", .user("Never mind.")), true), (.sample("1", .assistant("So.")), true),
    (.sample("1", .assistant("So", isDelta: true)), true), (.sample("1", .thinking("Hm.")), true),
    (.control(.stopped(reason: "user")), true), (.control(.interrupted), true),
    (.sample("1", .state("waiting_input")), false), (.sample("1", .state("executing")), false),
    (.sample("1", .toolUse(id: "t", name: "Shell", input: "{}")), false),
    (.control(.queued(position: 1)), false),
    (.control(.modelChanged(to: "large")), false),
    (.sample("1", .toolResult(id: "t", tool: "Read", output: "", isSuccess: true)), false),
  ]

  @Test(arguments: progress) func theUserMustAnswerUntilTheSessionMovesOn(
    _ row: (event: StreamEvent, isAnswered: Bool)
  ) async throws {
    let chat = try await live()
    try await receive(
      [.sample("0", .permission(Self.permission)), .sample("0", .question(Self.question)), row.event],
      in: chat)
    #expect(chat.model.activity.permissions.isEmpty == row.isAnswered)
    #expect(chat.model.activity.questions.isEmpty == row.isAnswered)
    await chat.leave()
  }

  /// Another device has answered one of two questions.
  @Test func theResultOfAToolAnswersOnePermission() async throws {
    let chat = try await live()
    let other = PermissionRequest(id: "p2", tool: "Shell", input: "{}")
    try await receive(
      [
        .sample("0", .permission(Self.permission)), .sample("0", .permission(other)),
        .sample("1", .toolResult(id: "t", tool: "Shell", output: "a.txt", isSuccess: true)),
      ], in: chat)
    #expect(chat.model.activity.permissions == [other])
    await chat.leave()
  }

  /// The question is not repeated, so the chat must keep it; unless the session has gone on meanwhile.
  @Test(arguments: [false, true]) func aLostConnectionLosesNoQuestion(_ goesOn: Bool) async throws {
    let chat = try await live()
    try await receive([.sample("0", .permission(Self.permission))], in: chat)
    chat.server.silence(Self.session)
    chat.say(goesOn ? .assistant("So.") : .system("Note"))
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.bubbles.last == (goesOn ? "< So." : "< Note") && $0.state == .live }
    #expect(chat.model.activity.permissions.isEmpty == goesOn)
    await chat.leave()
  }

  @Test(arguments: [false, true]) func aFailureLosesNoQuestion(_ goesOn: Bool) async throws {
    let chat = try await live()
    try await receive([.sample("0", .permission(Self.permission))], in: chat)
    chat.server.refuseConnections()
    chat.server.breakConnections(of: Self.session)
    await chat.opening?.value
    #expect(chat.model.activity.permissions == [Self.permission])
    if goesOn { chat.say(.assistant("So.")) }
    chat.server.refuseConnections(0)
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    #expect(chat.model.activity.permissions.isEmpty == goesOn)
    await chat.leave()
  }

  // MARK: - What is in progress

  @Test(arguments: Place.allCases) func theRestOfTheActivityIsShown(_ place: Place) async throws {
    let chat = try await live(place)
    try await receive(
      [
        .control(.queued(position: 2)), .control(.modelChanged(to: "large", from: "small")),
        .control(.permissionModeChanged(to: "acceptEdits")),
        .sample("1", .subagentStart(id: "a", description: "Reads")),
        .sample("2", .subagentStart(id: "b", description: "Writes")),
        .sample("3", .subagentComplete(id: "a")),
      ], in: chat)
    let activity = chat.model.activity
    #expect(activity.queuePosition == 2)
    #expect([activity.model, activity.permissionMode] == ["large", "acceptEdits"])
    #expect(activity.subagents.map(\.description) == ["Writes"])
    try await receive([.control(.queueCleared), .sample("4", .subagentComplete(id: "b"))], in: chat)
    #expect(chat.model.activity.queuePosition == nil)
    #expect(chat.model.activity.subagents == [])
    await chat.leave()
  }

  nonisolated static let ends: [StreamEvent] = [
    .control(.stopped(reason: "complete")), .control(.interrupted), .sample("9", .state("idle")),
  ]

  @Test(arguments: ends) func noSubagentOutlivesTheWork(_ end: StreamEvent) async throws {
    let chat = try await live()
    try await receive([.sample("1", .subagentStart(id: "a", description: "Reads")), end], in: chat)
    #expect(chat.model.activity.subagents == [])
    await chat.leave()
  }

  /// Its end would not be repeated.
  @Test func noSubagentOutlivesTheConnection() async throws {
    let chat = try await live()
    try await receive(
      [.sample("1", .subagentStart(id: "a", description: "Reads")), .control(.queued(position: 1))], in: chat)
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.state == .reconnecting || $0.state == .live }
    chat.say(.user("Well?"))
    try await chat.timeline.wait { $0.bubbles.last == "> Well?" }
    #expect(chat.model.activity.subagents == [])
    #expect(chat.model.activity.queuePosition == nil)
    await chat.leave()
  }

  // MARK: - Answers that are not continued

  /// How an answer is left unfinished.
  enum End: CaseIterable, Sendable { case stopped, interrupted, gaveUp, left, deleted }

  @Test(arguments: End.allCases, Place.allCases) func anAnswerThatIsNotContinuedEndsAsIncomplete(
    _ end: End, _ place: Place
  ) async throws {
    let chat = try await live(place)
    let id = chat.server.begin(in: Self.session)
    chat.server.write("Sleep ", to: id, in: Self.session)
    try await chat.shows(["> Why?", "< Sleep …"])
    switch end {
    case .stopped: chat.server.announce(.control(.stopped(reason: "user")), in: Self.session)
    case .interrupted: chat.server.announce(.control(.interrupted), in: Self.session)
    case .gaveUp:
      chat.server.refuseConnections()
      chat.server.breakConnections(of: Self.session)
      await chat.opening?.value
    case .left: await chat.leave()
    case .deleted:
      chat.server.announce(
        .control(.sessionEvent(SessionEvent(action: "deleted", sessionID: Self.session, projectPath: "/p"))),
        in: Self.session)
      await chat.opening?.value
      #expect(chat.model.state == .failed("We couldn't find that. It may have been removed."))
    }
    try await chat.timeline.wait { $0.bubbles == ["> Why?", "< Sleep "] }
    #expect(chat.model.messages.map(\.isIncomplete) == [false, true])
    // The whole answer, or its next part, replaces the end.
    if end == .stopped {
      chat.server.write("helps", to: id, in: Self.session)
      try await chat.shows(["> Why?", "< Sleep helps…"])
      chat.server.finish(id, in: Self.session)
      try await chat.shows(["> Why?", "< Sleep helps"])
      #expect(chat.model.messages.map(\.isIncomplete) == [false, false])
    }
    await chat.leave()
  }

  @Test func otherSessionsEndNothing() async throws {
    let chat = try await live()
    try await receive(
      [.control(.sessionEvent(SessionEvent(action: "deleted", sessionID: "s2", projectPath: "/p")))], in: chat
    )
    #expect(chat.model.state == .live)
    await chat.leave()
  }

  // MARK: - Messages

  nonisolated static let failures: [(failure: StreamFailure, message: String)] = [
    (
      StreamFailure(code: "RATE_LIMITED", message: "m", isRecoverable: true, retryAfter: .seconds(60)),
      "Too many requests. Please try again in 60 seconds."
    ),
    (
      StreamFailure(code: "TIMEOUT", message: "m", isRecoverable: true),
      "Request timed out. Please try again."
    ),
    (
      StreamFailure(code: "INVALID_PERMISSION_ID", message: "m", isRecoverable: true),
      "We couldn't find that. It may have been removed."
    ),
    (StreamFailure(code: "BUSY", message: "m", isRecoverable: true), "Server error. Please try again later."),
  ]

  @Test(arguments: failures, Place.allCases) func aReportedFailureIsShownUntilItIsDismissed(
    _ row: (failure: StreamFailure, message: String), _ place: Place
  ) async throws {
    let chat = try await live(place)
    try await receive([.control(.error(row.failure))], in: chat)
    #expect(chat.model.errorMessage == row.message)
    #expect(chat.model.state == .live)
    chat.model.dismissMessage()
    #expect(chat.model.errorMessage == nil)
    await chat.leave()
  }

  @Test func aFailureThatEndsTheChatIsNamed() async throws {
    let chat = try await live(.transport)
    chat.server.announce(
      .control(.error(StreamFailure(code: "UNAUTHORIZED", message: "m", isRecoverable: false))),
      in: Self.session)
    await chat.opening?.value
    #expect(chat.model.state == .failed("Session expired. Please log in again."))
    #expect(chat.model.errorMessage == "Session expired. Please log in again.")
    chat.model.dismissMessage()
    #expect(chat.model.errorMessage == nil)
    // Another user may have signed in.
    chat.open()
    let opened = try await chat.timeline.wait { $0.state == .loading }
    #expect(opened.bubbles == [])
    await chat.leave()
  }

  @Test(arguments: Place.allCases) func aSystemMessageWithoutTextIsNotShown(_ place: Place) async throws {
    let chat = try OpenedChat(at: place) { server in
      server.say(.system(""), in: Self.session)
      server.say(.system(" \n", subtype: "result"), in: Self.session)
      server.say(.assistant(""), in: Self.session)
    }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.system("", subtype: "init"))
    chat.say(.system("Ready"))
    try await chat.shows(["< ", "< Ready"])
    #expect(chat.model.invalidMessageCount == 0)
    #expect(chat.log == [])
    await chat.leave()
  }

  /// Those with an id may be shown; the others are in the pages of the history.
  @Test func messagesOfTheStreamsHistoryAreShownOnce() async throws {
    let chat = try await live()
    let known = try #require(chat.model.messages.first)
    let old = PaginatedMessage(id: known.id, role: "user", content: "Why?", timestamp: "2026-01-03T12:00:00Z")
    let new = PaginatedMessage(id: "h", role: "assistant", content: "So.", timestamp: "2026-01-03T12:00:00Z")
    let bare = PaginatedMessage(id: "", role: "assistant", content: "So.", timestamp: "")
    try await receive([.control(.history([old, new, bare], hasMore: false))], in: chat)
    #expect(chat.model.messages.map(\.content).dropLast() == ["Why?", "So."])
    #expect(chat.model.invalidMessageCount == 0)
    await chat.leave()
  }

  // MARK: - Other sessions and users

  @Test func nothingOfAFormerSessionIsShown() async throws {
    let chat = try await live()
    try await receive(
      [.sample("0", .permission(Self.permission)), .control(.modelChanged(to: "large"))], in: chat)
    chat.server.open("s2")
    chat.server.say(.user("Other"), in: "s2")
    chat.model.sessionID = "s2"
    // At once.
    #expect(chat.model.messages == [])
    #expect(chat.model.activity == ChatActivity())
    #expect(chat.model.state == .idle)
    await chat.opening?.value
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.user("Too late"))
    chat.server.say(.user("Next"), in: "s2")
    try await chat.shows(["> Other", "> Next"])
    #expect(
      !chat.timeline.states.contains { $0.bubbles.contains("> Why?") && $0.bubbles.contains("> Other") })
    await chat.leave()
  }

  @Test func aChatThatWasLeftIsEmptyUntilItIsLoadedAgain() async throws {
    let chat = try await live()
    await chat.leave()
    chat.server.renumber(Self.session)
    let before = chat.timeline.states.count
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    #expect(chat.timeline.states.dropFirst(before).first { $0.state == .loading }?.bubbles == [])
    await chat.leave()
  }
}
