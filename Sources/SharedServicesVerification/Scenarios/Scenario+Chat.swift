import Observation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A user opens a session's chat and follows it, opens it again if it fails, leaves it during an answer, and returns.
  public static let chat: Scenario = Scenario(
    "chat",
    "A user opens a session's chat and follows it, opens it again if it fails, leaves it during an answer, and returns."
  ) { run in
    let server = MessageFeedServer(seed: run.seed, time: run.time)
    server.open(session)
    server.say(.user("Hello"), in: session)
    server.say(.assistant("Hi."), in: session)
    let model = ChatViewModel(
      sessionID: session, history: run.intercepted(server.history, as: "history"),
      stream: run.intercepted(server.stream, as: "stream"))
    run.watch(model) { ChatScreen($0) }
    let visit = Visit(model)

    /// Follows the chat while the session goes on, and checks what it shows once all is quiet.
    @MainActor func follow(_ talk: () -> Void) async {
      let failures = await run.failures {
        if !visit.isOpen { visit.open() }
        await run.wait { server.subscriberCount == 1 || !visit.isOpen }
        talk()
        // Waits for all messages, and not only for the last one: events may arrive in another order.
        await run.waitForReader { !visit.isOpen }
      }
      run.expectLoadingEnded(!run.alters && model.state == .loading)
      run.expectMessage(model.state.message, after: failures)
      run.expect(
        "state.tells", visit.isOpen == (failures.isEmpty) && (visit.isOpen || model.state != .live),
        "the chat is \(model.state) after \(failures)")
      run.expect(
        "one.truth", model.errorMessage == model.state.message,
        "the chat is \(model.state), and its message is \(model.errorMessage ?? "missing")")
      if !visit.isOpen { expectAnswersEnded() }
      compare(isWhole: visit.isOpen && !run.alters)
    }
    @MainActor func compare(isWhole: Bool) {
      let said = server.messages(of: session)
      let whole = model.messages.filter { !$0.isStreaming && !$0.isIncomplete }
      run.expect(
        "nothing.twice", Set(model.messages.map(\.id)).count == model.messages.count,
        "it shows \(model.messages.map(\.content))")
      run.expect(
        "nothing.lost",
        whole.allSatisfy { shown in said.contains { $0.id == shown.id && $0.content == shown.content } },
        "it shows \(whole.map(\.content)), and what was said is \(said.map(\.content))")
      run.expect(
        "screen.matches.store", !isWhole || whole.map(\.id) == said.map(\.id),
        "it shows \(model.messages.map(\.content)), and what was said is \(said.map(\.content))")
    }
    @MainActor func expectAnswersEnded() {
      run.expect(
        "answers.end", !model.messages.contains(where: \.isStreaming) && model.activity.subagents.isEmpty,
        "the chat is \(model.state), and still shows that something is under way")
    }

    await follow {
      server.say(.user("Why?"), in: session)
      let answer = server.begin(in: session)
      server.write("Because ", to: answer, in: session)
      server.write("so.", to: answer, in: session)
      server.finish(answer, in: session)
      server.say(.user("Bye."), in: session)
    }
    if !visit.isOpen {
      await server.waitForSubscribers(0)
      await follow { server.say(.user("Again."), in: session) }
    }
    let answer = server.begin(in: session)
    if visit.isOpen {
      await follow {
        server.write("I am", to: answer, in: session)
        server.announce(.sample("1", .subagentStart(id: "a", description: "Reads")), in: session)
        server.announce(.sample("2", .permission(permission)), in: session)
      }
      run.expect(
        "questions.shown", run.alters || !visit.isOpen || model.activity.permissions == [permission],
        "the user must answer \(model.activity.permissions.map(\.id))")
    }
    await visit.leave()
    server.finish(answer, in: session)
    run.expect(
      "loading.ends", model.state != .loading && model.state != .live, "the chat is \(model.state) when left")
    expectAnswersEnded()

    await run.withoutFaults {
      visit.open()
      await run.wait { model.state == .live || !visit.isOpen }
      run.expect("errors.shown", model.state == .live, "the chat is \(model.state) although nothing fails")
      run.expect(
        "nothing.stale", model.activity.permissions.isEmpty && model.errorMessage == nil,
        "the user must answer \(model.activity.permissions.map(\.id)) after the session has moved on")
      compare(isWhole: true)
      await visit.leave()
    }
  }

  private static let session = "s1"
  private static let permission = PermissionRequest(id: "p", tool: "Shell", input: "{}")
}

/// A user's visit to a chat.
@MainActor @Observable private final class Visit {
  @ObservationIgnored private let model: ChatViewModel
  @ObservationIgnored private var opening: Task<Void, Never>?
  /// Whether the chat is still open.
  private(set) var isOpen = false

  init(_ model: ChatViewModel) {
    self.model = model
  }

  func open() {
    isOpen = true
    opening = Task {
      await model.open()
      isOpen = false
    }
  }

  func leave() async {
    opening?.cancel()
    await opening?.value
  }
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
