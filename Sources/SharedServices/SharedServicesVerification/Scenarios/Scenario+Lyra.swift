import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A parent sends a message to the guide, sends it again if it returns to the field or has no whole answer, and
  /// reloads the history.
  ///
  /// Meanwhile the parent writes and sends another message, repeats or dismisses what is possible, signs out, and asks
  /// on another device.
  public static let lyra: Scenario = Scenario(
    "lyra",
    "A parent asks the guide, asks again if there is no whole answer, and looks at what was said."
  ) { run in
    let backend = InMemorySharedServices.signedIn(
      seed: run.seed, time: run.time, replyWriter: ReplyWriter { _, _, _ in Reply(answer) })
    let user = InMemorySharedServices.sampleUserID
    try backend.addUser(email: "kim@example.com", password: "secret2")
    let child = try await backend.children.createChild(
      NewChild(
        userID: user, name: "Robin", age: 8, birthday: CalendarDate(run.time.now, in: .gmt)))
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let model = LyraViewModel(
      child: child, auth: auth,
      service: run.intercepted(backend.conversations, as: "conversations"),
      now: { run.time.now })
    run.watch(model) { LyraScreen($0) }
    let whole = answer.map(\.text).joined()
    var written: Set<String> = []

    // The user of the screen is known only once a call has asked for it.
    @MainActor func isOwn() -> Bool {
      auth.userID == user || auth.userID == nil && (auth.state == .unknown || auth.state == .expired)
    }
    @MainActor func write(_ text: String) {
      guard isOwn(), model.messageText.isEmpty, written.insert(text).inserted else { return }
      model.messageText = text
    }
    @MainActor func signIn(_ email: String, _ password: String) async {
      guard auth.state == .signedOut || auth.state == .expired else { return }
      (auth.email, auth.password) = (email, password)
      await auth.signIn()
    }

    var underWay = 0
    @MainActor func interrupt(_ name: String, _ action: @escaping @MainActor () async -> Void) {
      run.interruption(name) {
        underWay += 1
        await action()
        underWay -= 1
      }
    }
    interrupt("write-and-send") {
      write(remark)
      await model.sendMessage()
    }
    interrupt("ask-again") { await model.askAgain() }
    interrupt("load") { await model.loadHistory() }
    interrupt("dismiss") { model.dismissMessage() }
    interrupt("sign-out") { await auth.signOut() }
    interrupt("sign-in-again") {
      await auth.signOut()
      await signIn("pat@example.com", "password")
    }
    interrupt("switch") {
      await auth.signOut()
      await signIn("kim@example.com", "secret2")
    }
    let tablet = backend.onAnotherDevice(replyWriter: ReplyWriter { _, _, _ in Reply(answer) })
    _ = try await tablet.auth.signIn(email: "pat@example.com", password: "password")
    interrupt("other-device") {
      guard let conversation = model.conversationID,
        let chunks = try? await tablet.conversations.sendMessageStream(
          conversationID: conversation, messageID: nil, message: "Hello", childContext: ChildContext(child))
      else { return }
      do { for try await _ in chunks {} } catch {}
    }

    run.always("nothing.of.others", model) { model in
      isOwn() || LyraScreen(model).isEmpty
        ? nil : "the state is \(auth.state), and it shows \(LyraScreen(model))"
    }
    run.always("answers.end", model) { model in
      if run.altersEvents || model.isSending { return nil }
      let open = model.messages.filter { message in
        message.role == .assistant && message.content != whole
          && !model.incompleteAnswers.contains(message.id)
      }
      return open.isEmpty ? nil : "nothing is received, and it shows \(open.map(\.content)) as a whole answer"
    }
    run.always("one.truth", model) { model in
      let ids = model.messages.map(\.id)
      if Set(ids).count < ids.count { return "it shows \(LyraScreen(model)) with the same message twice" }
      if !model.incompleteAnswers.isSubset(of: ids) { return "an incomplete answer is not shown" }
      if model.isSending, model.isLoading { return "it shows sending and loading together" }
      // Otherwise the last question is answered, is being answered, or can be asked again.
      guard !run.altersEvents, let last = model.messages.last, !model.isSending, !model.isLoading else {
        return nil
      }
      let isAnswered = last.role == .assistant && !model.incompleteAnswers.contains(last.id)
      return isAnswered != model.canAskAgain
        ? nil : "it shows \(LyraScreen(model)), which can\(model.canAskAgain ? "" : "not") be asked again"
    }
    run.always("nothing.lost", model) { model in
      // What the user has written goes with a sign-out whose user was not known.
      guard isOwn(), !LyraScreen(model).isEmpty, !run.isLeft else { return nil }
      let missing = written.filter { places(of: $0, in: model) == 0 }
      return missing.isEmpty
        ? nil : "\(missing.sorted()) is neither shown nor in the field: \(LyraScreen(model))"
    }

    /// Runs an action, and checks what must hold after it, whatever has happened.
    @MainActor func act(_ name: String, _ action: @escaping @MainActor () async -> Void) async -> [FailedCall]
    {
      let failures = await run.act(named: name, action)
      await run.wait { underWay == 0 }
      run.expectLoadingEnded(model.isSending || model.isStreaming || model.isLoading)
      run.expect(
        "errors.true", model.errorMessage == nil || run.failures.contains { !$0.isCancellation },
        "the message is \"\(model.errorMessage ?? "")\", and nothing has failed")
      for text in written {
        let count = places(of: text, in: model)
        run.expect("nothing.twice", count <= 1, "\"\(text)\" is shown \(count) times: \(LyraScreen(model))")
      }
      return failures
    }
    @MainActor func expectAnswer(after failures: [FailedCall]) {
      let shown = model.messages.last { $0.role == .assistant }
      let isWhole = shown.map { !model.incompleteAnswers.contains($0.id) } ?? false
      // An end that overtakes the text of an answer leaves none.
      run.expect(
        "answer.complete",
        (isWhole == failures.isEmpty || run.altersEvents && shown == nil)
          && model.incompleteAnswers.count <= 1,
        "the answer counts as \(isWhole ? "complete" : "incomplete") after \(failures)")
      let text = shown?.content ?? ""
      run.expect(
        "screen.matches.store", run.altersEvents || (isWhole ? text == whole : whole.hasPrefix(text)),
        "the answer is shown as \"\(text)\"")
    }

    write(question)
    var sendings = 0
    repeat {
      sendings += 1
      let isAgain = model.canAskAgain
      let failures = await act(isAgain ? "ask again" : "send") {
        await isAgain ? model.askAgain() : model.sendMessage()
      }
      if run.interruptions.isEmpty {
        run.expectMessage(model.errorMessage, after: failures)
        run.expectSession(auth, after: failures)
        expectAnswer(after: failures)
      }
      // Another action that begins later removes the message.
      let isOpen = model.messageText.contains(question) || model.canAskAgain
      run.expect(
        "errors.shown",
        !isOpen || model.errorMessage != nil || run.isLeft || run.isCancelled
          || run.interruptions.contains { ["dismiss", "write-and-send", "ask-again", "load"].contains($0) },
        "there is no message, and the question has no answer: \(LyraScreen(model)) after \(failures)")
      // A call at once after a cancellation is not swallowed.
      run.expect(
        "nothing.swallowed",
        !model.messageText.contains(question)
          || run.failures.contains { $0.fault != nil || !$0.isCancellation }
          || run.interruptions.contains { !["restart", "dismiss", "load", "other-device"].contains($0) },
        "the question is still in the field: \(LyraScreen(model)), and nothing has failed")
    } while sendings < 2 && isOwn() && (model.messageText == question || model.canAskAgain)

    if model.conversationID != nil {
      let before = model.messages
      let isPlain = run.interruptions.isEmpty
      let failures = await act("load", model.loadHistory)
      if isPlain, run.interruptions.isEmpty {
        if !failures.isEmpty {
          run.expect(
            "nothing.lost", model.messages == before, "a history that did not come changed what is shown")
        }
        // The question can still be asked again, but the message is that of what failed last.
        run.expectMessage(model.errorMessage, after: failures)
      }
    }

    // Whatever has happened, the user can sign in again and repeat what has failed, and then all is well.
    try await run.withoutFaults {
      if !isOwn() { await auth.signOut() }
      await signIn("pat@example.com", "password")
      if model.conversationID != nil { _ = await act("load", model.loadHistory) }
      // What belongs to a user who was not known yet goes with a sign-in.
      if LyraScreen(model).isEmpty { written = [] }
      for _ in 1...3 {
        if !model.messageText.isEmpty { _ = await act("send", model.sendMessage) }
        if places(of: question, in: model) > 0 { continue }
        written.remove(question)
        write(question)
      }
      if model.canAskAgain { _ = await act("ask again", model.askAgain) }
      run.expect(
        "errors.end", model.errorMessage == nil, "\(model.errorMessage ?? "") after all has succeeded")
      // Another device may have asked meanwhile.
      let shown = model.messages
      if let conversation = model.conversationID {
        let stored = try await backend.conversations.history(conversationID: conversation)
        run.expect(
          "screen.matches.store",
          run.altersEvents || run.interruptions.contains("other-device")
            || shown.map(\.content) == stored.map(\.content),
          "it shows \(shown.map(\.content)), and \(stored.map(\.content)) are stored")
        _ = await act("load", model.loadHistory)
        run.expect(
          "screen.matches.store", model.messages == stored && model.incompleteAnswers.isEmpty,
          "it shows \(model.messages.map(\.content)), and \(stored.map(\.content)) are stored")
      }
      run.expect(
        "errors.end", !model.canAskAgain && model.messageText.isEmpty && model.errorMessage == nil,
        "it shows \(LyraScreen(model)) after all has succeeded")
      let rows = backend.backend.messages.map(\.content)
      for text in written {
        run.expect(
          "nothing.twice", rows.count { $0 == text } == 1, "\(rows) are stored after \(sendings) sending(s)")
      }
    }
  }

  private static let question = "Why?"
  private static let remark = "And?"
  /// The chunks of the guide's answer, including an empty one, one with only a source, and an empty last one.
  private static let answer: [MessageChunk] = [
    MessageChunk(text: ""), MessageChunk(text: "", sources: [Citation(title: "Sleep")]),
    MessageChunk(text: "Naps "), MessageChunk(text: "help."), MessageChunk(text: "", isDone: true),
  ]

  /// How often a line of the user's is shown, in the messages and in the field.
  @MainActor private static func places(of text: String, in model: LyraViewModel) -> Int {
    (model.messages.filter { $0.role == .user }.map(\.content) + [model.messageText])
      .count { $0.split(separator: "\n").contains { $0 == text } }
  }
}

extension ScenarioRun {
  /// Whether the user has been signed out.
  fileprivate var isLeft: Bool {
    interruptions.contains { ["sign-out", "sign-in-again", "switch"].contains($0) }
  }
  /// Whether an action has been cancelled.
  fileprivate var isCancelled: Bool {
    interruptions.contains { ["cancel", "restart"].contains($0) }
      || failures.contains(where: \.isCancellation)
  }
}

/// The content of a conversation: `>` and a message of the user, `<` and an answer, with `…` if it was interrupted.
private struct LyraScreen: Equatable, Sendable, CustomStringConvertible {
  let bubbles: [String]
  let field: String
  let activity: String?
  let message: String?

  @MainActor init(_ model: LyraViewModel) {
    bubbles = model.messages.map { message in
      (message.role == .user ? "> " : "< ") + message.content
        + (model.incompleteAnswers.contains(message.id) ? "…" : "")
    }
    field = model.messageText
    activity =
      model.isLoading ? "loading" : model.isStreaming ? "streaming" : model.isSending ? "sending" : nil
    message = model.errorMessage
  }

  /// Whether it shows nothing of a user.
  var isEmpty: Bool { bubbles.isEmpty && field.isEmpty && activity == nil && message == nil }

  var description: String {
    let bubbles = bubbles.isEmpty ? "nothing said" : bubbles.joined(separator: " | ")
    return (activity ?? message.map { "failed: \($0)" } ?? "shown") + ": " + bubbles
      + (field.isEmpty ? "" : " [\(field)]")
  }
}
