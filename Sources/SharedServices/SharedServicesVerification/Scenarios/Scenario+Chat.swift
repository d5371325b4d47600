import Observation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A user opens a session's chat and follows it, opens it again if it fails, leaves it during an answer, and returns.
  ///
  /// Meanwhile others write in the session, the assistant is stopped, the connection is lost, and the user opens another
  /// session.
  public static let chat: Scenario = Scenario(
    "chat",
    "A user opens a session's chat and follows it, opens it again if it fails, leaves it during an answer, and returns."
  ) { run in
    let server = MessageFeedServer(seed: run.seed, time: run.time)
    server.open(session)
    server.say(.user("Hello"), in: session)
    server.say(.assistant("Hi."), in: session)
    server.open(other)
    server.say(.user(foreign), in: other)
    let model = ChatViewModel(
      sessionID: session, history: run.intercepted(server.history, as: "history"),
      stream: run.intercepted(server.stream, as: "stream"))
    run.watch(model) { ChatScreen($0) }
    let visit = Visit(model)
    /// The answer that the assistant is writing, what the user must answer, and what other assistants do.
    var (answering, asked, working): (String?, [PermissionRequest], [String]) = (nil, [], [])

    run.interruption("message") {
      asked = []
      server.say(.user("Hm."), in: session)
    }
    run.interruption("stop") {
      (answering, asked, working) = (nil, [], [])
      server.abandonAnswers(in: session)
      server.announce(.control(.stopped(reason: "user")), in: session)
    }
    run.interruption("lost-connection") {
      // What is said meanwhile is no longer in the stream's buffer, and what ends meanwhile is not reported again.
      (asked, working) = ([], [])
      server.silence(session)
      server.say(.user("Hm."), in: session)
      server.forgetStream(of: session)
      server.breakConnections(of: session)
    }
    run.interruption("restored-server") {
      (answering, asked, working) = (nil, [], [])
      server.abandonAnswers(in: session)
      server.renumber(session)
      server.breakConnections(of: session)
    }
    run.interruption("dismiss") { model.dismissMessage() }
    run.interruption("open") { if visit.isOpen { visit.open() } }
    run.interruption("leave") { await visit.leave() }
    run.interruption("return") { await visit.leaveAndReturn() }
    run.interruption("other-id") { model.sessionID = model.sessionID == session ? other : session }
    run.interruption("other-session") {
      // As the `task(id:)` of a view does.
      model.sessionID = model.sessionID == session ? other : session
      await visit.leaveAndReturn()
    }

    run.always("nothing.of.others", model) { model in
      let isForeign = model.sessionID == other
      let bubbles = model.messages.filter { $0.content != "Hm." && ($0.content == foreign) != isForeign }
      if bubbles.isEmpty, !isForeign || model.activity == ChatActivity() { return nil }
      return "it shows \(ChatScreen(model)) in session \(model.sessionID)"
    }
    run.always("answers.end", model) { model in
      if model.isFollowing { return nil }
      if model.state == .idle, !model.activity.permissions.isEmpty {
        return "a chat that was left asks the user"
      }
      let isQuiet = model.activity.subagents.isEmpty && model.activity.queuePosition == nil
      if isQuiet, !model.messages.contains(where: \.isStreaming) { return nil }
      return "it still shows that something is under way: \(ChatScreen(model))"
    }
    run.always("one.truth", model) { model in
      let isTrue = model.errorMessage == nil || model.errorMessage == model.state.message
      return isTrue ? nil : "it shows \(ChatScreen(model)), and its message is \(model.errorMessage ?? "")"
    }
    // Another user may open a chat that was left.
    var (previous, stale): (ChatViewModel.State, String?) = (.idle, nil)
    run.always("nothing.stale", model) { model in
      if previous == .idle, model.state == .loading, !model.messages.isEmpty {
        stale = "\(ChatScreen(model))"
      }
      previous = model.state
      return stale.map { "a chat that was left shows \($0) when it is opened" }
    }
    run.always("nothing.twice", model) { model in
      let parts = model.messages.filter { $0.isStreaming || $0.isIncomplete }.map(\.content)
      if !run.altersEvents, !parts.allSatisfy({ part in answers.contains { $0.hasPrefix(part) } }) {
        return "it shows \(parts)"
      }
      let ids = model.messages.map(\.id)
      return Set(ids).count == ids.count ? nil : "it shows \(ChatScreen(model))"
    }
    run.always("loading.ends", model) { model in
      visit.isOpen || !model.isFollowing ? nil : "it is not open, and it shows \(ChatScreen(model))"
    }

    /// Waits until everything is quiet, whether the chat is open or not.
    @MainActor func settle() async {
      await run.waitForReader { !visit.isOpen }
    }
    /// Visits the chat until it fails or is left, and checks what it shows once all is quiet.
    @MainActor func attend(_ talk: () async -> Void) async {
      let (earlier, before) = (run.interruptions.count, run.failures.count)
      if !visit.isOpen { visit.open() }
      await settle()
      await talk()
      let (isOpen, state, message) = (visit.isOpen, model.state, model.errorMessage)
      let failures = Array(run.failures.dropFirst(before))
      repeat {
        await visit.leave()
        await settle()
      } while visit.isOpen
      let meanwhile = run.interruptions.dropFirst(earlier)
      let isLeft = meanwhile.contains { ["leave", "other-id"].contains($0) }
      let isOther = meanwhile.contains { ["return", "open", "other-session"].contains($0) }
      if !isLeft, !isOther {
        run.expectMessage(isOpen ? nil : state.message, after: failures)
        run.expect(
          "state.true", isOpen == failures.isEmpty && (isOpen || state != .live),
          "the chat is \(state) after \(failures)")
        run.expect(
          "one.truth", message == state.message || meanwhile.contains("dismiss"),
          "the chat is \(state), and its message is \(message ?? "missing")")
      }
      // A call at once after a cancellation, or after a change of the session, is not swallowed.
      let hasFailed = failures.contains { $0.fault != nil || !$0.isCancellation }
      run.expect(
        "nothing.swallowed", isLeft || hasFailed || run.altersEvents || isOpen && state == .live,
        "the chat is \(state) after \(Array(meanwhile)), and nothing has failed")
      run.expect(
        "loading.ends", !model.isFollowing, "the chat is \(model.state) when left")
    }
    @MainActor func hear(_ talk: () -> Void) async {
      talk()
      await settle()
      run.expectLoadingEnded(!run.altersEvents && model.state == .loading)
      compare(isWhole: visit.isOpen && !run.altersEvents)
    }
    @MainActor func compare(isWhole: Bool) {
      let said = server.messages(of: model.sessionID)
      let whole = model.messages.filter { !$0.isStreaming && !$0.isIncomplete }
      run.expect(
        "nothing.lost",
        whole.allSatisfy { shown in
          said.contains {
            $0.content == shown.content
              && ($0.id == shown.id || run.interruptions.contains("restored-server"))
          }
        },
        "it shows \(whole.map(\.content)), and what was said is \(said.map(\.content))")
      run.expect(
        "screen.matches.store", !isWhole || whole.map(\.id) == said.map(\.id),
        "it shows \(model.messages.map(\.content)), and what was said is \(said.map(\.content))")
      let streaming = model.messages.filter(\.isStreaming).map(\.id)
      run.expect(
        "answers.end", run.altersEvents || streaming.allSatisfy { $0 == answering },
        "it shows \(ChatScreen(model)), and the assistant is \(answering == nil ? "not " : "")writing")
      let activity = model.activity
      run.expect(
        "nothing.stale",
        run.altersEvents || !visit.isOpen
          || activity.permissions.allSatisfy(asked.contains)
            && activity.subagents.map(\.id).allSatisfy(working.contains),
        "it shows \(activity), and the session waits for \(asked) and \(working)")
    }

    var isAsked = false
    for _ in 1...3 where !isAsked {
      await attend {
        await hear {
          server.say(.user("Why?"), in: session)
          let answer = server.begin(in: session)
          server.write("Because ", to: answer, in: session)
          server.write("so.", to: answer, in: session)
          server.finish(answer, in: session)
          server.say(.user("Bye."), in: session)
        }
        guard visit.isOpen else { return }
        await hear {
          let answer = answering ?? server.begin(in: session)
          server.write(answering == nil ? "I am" : " here", to: answer, in: session)
          (answering, asked, working) = (answer, [permission], ["a"])
          server.announce(.sample("1", .subagentStart(id: "a", description: "Reads")), in: session)
          server.announce(.sample("2", .permission(permission)), in: session)
        }
        isAsked = visit.isOpen
        run.expect(
          "questions.shown",
          run.altersEvents || !visit.isOpen
            || run.interruptions.contains { !["dismiss", "open"].contains($0) }
            || model.activity.permissions == [permission],
          "the user must answer \(model.activity.permissions.map(\.id))")
      }
    }
    // The session moves on, so that nothing is left to answer.
    if let answer = answering {
      server.finish(answer, in: session)
    } else {
      server.say(.user("So?"), in: session)
    }
    answering = nil

    await run.withoutFaults {
      await visit.leave()
      model.sessionID = session
      visit.open()
      await run.wait { model.state == .live || model.state.message != nil }
      run.expect("errors.shown", model.state == .live, "the chat is \(model.state) although nothing fails")
      run.expect(
        "nothing.stale", model.activity == ChatActivity() && model.errorMessage == nil,
        "it shows \(ChatScreen(model)) after the session has moved on")
      compare(isWhole: true)
      await visit.leave()
    }
  }

  private static let session = "s1"
  private static let other = "s2"
  /// What is said in the other session.
  private static let foreign = "Other"
  /// The answers, with the most that is written.
  private static let answers = ["Because so.", "I am here here"]
  private static let permission = PermissionRequest(id: "p", tool: "Shell", input: "{}")
}

/// A user's visits to a chat.
@MainActor @Observable private final class Visit {
  @ObservationIgnored private let model: ChatViewModel
  @ObservationIgnored private var visits: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored private var count = 0
  private var current = 0
  /// Whether the chat is still open.
  var isOpen: Bool { current > 0 }

  init(_ model: ChatViewModel) {
    self.model = model
  }

  func open() {
    count += 1
    current += 1
    visits[count] = Task { [count] in
      await model.open()
      visits[count] = nil
      current -= 1
    }
  }

  func leave() async {
    let left = Array(visits.values)
    for visit in left { visit.cancel() }
    for visit in left { await visit.value }
  }

  /// Leaves and comes back at once.
  func leaveAndReturn() async {
    let left = Array(visits.values)
    for visit in left { visit.cancel() }
    open()
    for visit in left { await visit.value }
  }
}

extension ChatViewModel {
  /// Whether the chat shows that it follows the session.
  fileprivate var isFollowing: Bool { [.loading, .live, .reconnecting].contains(state) }
}

extension ChatViewModel.State {
  fileprivate var message: String? {
    if case .failed(let message) = self { message } else { nil }
  }
}

/// The content of a chat: `>` and a message of the user, or `<` and any other, with `…` if more follows and `—` if it is
/// incomplete; `?` and the tool that the user must allow.
private struct ChatScreen: Equatable, Sendable, CustomStringConvertible {
  let bubbles: [String]
  let state: ChatViewModel.State

  @MainActor init(_ model: ChatViewModel) {
    bubbles =
      model.messages.map { message in
        "\(message.role == .user ? ">" : "<") \(message.content)"
          + (message.isStreaming ? "…" : message.isIncomplete ? "—" : "")
      } + model.activity.permissions.map { "? \($0.tool)" }
    state = model.state
  }

  var description: String {
    let state = state.message.map { "failed: \($0)" } ?? "\(state)"
    return "\(state): \(bubbles.isEmpty ? "nothing said" : bubbles.joined(separator: " | "))"
  }
}
