import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

extension Scenario {
  /// A parent sends a message to the guide, sends it again if it returns to the field or has no whole answer, and
  /// reloads the history.
  public static let lyra: Scenario = Scenario(
    "lyra",
    "A parent asks the guide, asks again if there is no whole answer, and looks at what was said."
  ) { run in
    let question = "Why?"
    let backend = InMemorySharedServices.signedIn(
      seed: run.seed, time: run.time, replyWriter: ReplyWriter { _, _, _ in Reply(answer) })
    let child = try await backend.children.createChild(
      NewChild(
        userID: InMemoryChildrenService.sampleUserID, name: "Robin", age: 8,
        birthday: CalendarDate(run.time.now, in: .gmt)))
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let model = LyraViewModel(
      child: child, auth: auth,
      service: run.intercepted(backend.conversations, as: "conversations"),
      now: { run.time.now })
    run.watch(model) { LyraScreen($0) }

    @MainActor func act(_ action: () async -> Void) async -> [FailedCall] {
      let failures = await run.failures { await action() }
      run.expectLoadingEnded(model.isSending || model.isStreaming || model.isLoading)
      return failures
    }
    @MainActor func expectQuestionOnce() {
      let bubbles = model.messages.count { $0.role == .user }
      let isInField = model.messageText == question
      run.expect(
        "nothing.lost", bubbles > 0 || isInField, "the question is neither shown nor in the field")
      run.expect(
        "nothing.twice", bubbles + (isInField ? 1 : 0) <= 1,
        "the question is shown \(bubbles) time(s), and the field has \"\(model.messageText)\"")
    }
    @MainActor func expectAnswer(after failures: [FailedCall]) {
      let shown = model.messages.last { $0.role == .assistant }
      let isWhole = shown.map { !model.incompleteAnswers.contains($0.id) } ?? false
      // An end that overtakes the text of an answer leaves none.
      run.expect(
        "answer.complete",
        (isWhole == failures.isEmpty || run.alters && shown == nil) && model.incompleteAnswers.count <= 1,
        "the answer counts as \(isWhole ? "complete" : "incomplete") after \(failures)")
      let text = shown?.content ?? ""
      let whole = answer.map(\.text).joined()
      run.expect(
        "screen.matches.store", run.alters || (isWhole ? text == whole : whole.hasPrefix(text)),
        "the answer is shown as \"\(text)\"")
    }

    model.messageText = question
    var sendings = 0
    repeat {
      sendings += 1
      let failures = await act(model.canAskAgain ? model.askAgain : model.sendMessage)
      run.expectMessage(model.errorMessage, after: failures)
      run.expectSession(auth, after: failures)
      expectQuestionOnce()
      expectAnswer(after: failures)
    } while sendings < 2 && (model.messageText == question || model.canAskAgain)

    // Without a conversation there is no history.
    guard let conversation = model.conversationID else { return }
    let (before, message) = (model.messages, model.errorMessage)
    let failures = await act(model.loadHistory)
    if !failures.isEmpty {
      run.expect(
        "nothing.lost", model.messages == before, "a history that did not come changed what is shown")
    }
    // The failure of the question stays true; that of the history is shown after it.
    run.expectMessage(
      model.errorMessage, after: failures.contains { !$0.isCancellation } ? failures : [], unless: message)
    try await run.withoutFaults {
      _ = await act(model.loadHistory)
      let stored = try await backend.conversations.history(conversationID: conversation)
      run.expect(
        "screen.matches.store", model.messages == stored && model.incompleteAnswers.isEmpty,
        "it shows \(model.messages.map(\.content)), and \(stored.map(\.content)) are stored")
      @MainActor func expectOnce() async throws {
        let stored = try await backend.conversations.history(conversationID: conversation)
        run.expect(
          "nothing.twice", [.user, .assistant].allSatisfy { role in stored.count { $0.role == role } <= 1 },
          "\(stored.map(\.content)) are stored after \(sendings) sending(s)")
      }
      try await expectOnce()
      // Whatever failed before, the question can be asked again, and ends with a whole answer.
      if model.messageText == question { _ = await act(model.sendMessage) }
      if model.canAskAgain { _ = await act(model.askAgain) }
      expectQuestionOnce()
      expectAnswer(after: [])
      try await expectOnce()
    }
  }

  /// The chunks of the guide's answer, including an empty one, one with only a source, and an empty last one.
  private static let answer: [MessageChunk] = [
    MessageChunk(text: ""), MessageChunk(text: "", sources: [Citation(title: "Sleep")]),
    MessageChunk(text: "Naps "), MessageChunk(text: "help."), MessageChunk(text: "", isDone: true),
  ]
}

/// The content of a conversation: `>` and a message of the user, `<` and an answer, with `…` if it was interrupted.
private struct LyraScreen: Equatable, Sendable, CustomStringConvertible {
  let bubbles: [String]
  let activity: String?
  let message: String?

  @MainActor init(_ model: LyraViewModel) {
    bubbles = model.messages.map { message in
      (message.role == .user ? "> " : "< ") + message.content
        + (model.incompleteAnswers.contains(message.id) ? "…" : "")
    }
    activity =
      model.isLoading ? "loading" : model.isStreaming ? "streaming" : model.isSending ? "sending" : nil
    message = model.errorMessage
  }

  var description: String {
    let bubbles = bubbles.isEmpty ? "nothing said" : bubbles.joined(separator: " | ")
    return (activity ?? message.map { "failed: \($0)" } ?? "shown") + ": " + bubbles
  }
}
