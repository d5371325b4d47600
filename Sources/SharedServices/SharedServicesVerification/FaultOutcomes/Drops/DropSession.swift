import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import SharedServicesLive
import SharedServicesViewModels

/// A chat over connections that break, and its final state.
///
/// A quarter of the messages exists when the chat is opened. The others are added while it is open: by the user, in
/// parts, and by tools. From time to time the stream discards its past events, or sends a heartbeat.
package struct DropSession: Sendable {
  /// The result of a session.
  package struct Outcome: Sendable {
    /// The number of frames.
    package let frames: Int
    /// The number of drops that occurred; the session ended before the others.
    package let drops: Int
    /// The difference between the chat, or its stream, and the session, if any; also a missing drop if one was
    /// requested.
    package let difference: String?
  }

  private static let id = "s1"

  private let messageCount: Int
  private let drops: [Drop]
  private let server: MessageFeedEmulator
  private let time = TestClock(.immediate)

  /// Creates a session with a number of messages and with drops.
  package init(messages: Int, drops: [Drop] = []) {
    messageCount = messages
    self.drops = drops
    server = MessageFeedEmulator(seed: 1, time: time.time)
  }

  /// Runs the session.
  @MainActor package func run() async throws -> Outcome {
    let transport = DroppingTransport(InProcessTransport(to: server, time: time.time), drops)
    let configuration = MessageFeedConfiguration(
      serverURL: URL(string: "http://feed.invalid") ?? URL(filePath: "/"), reconnection: Reconnection(seed: 1)
    )
    let history = HTTPMessageHistoryService(configuration, over: transport, now: time.time.date)
    let stream = WatchedUpdates(
      WebSocketMessageStreamService(
        configuration, over: transport, history: history, clock: time.time.clock, now: time.time.date))
    let model = ChatViewModel(sessionID: Self.id, history: history, stream: stream)
    let timeline = StateTimeline(of: model) {
      Shown(state: $0.state, messages: $0.messages.count { !$0.isStreaming })
    }

    server.open(Self.id)
    for number in 0..<messageCount / 4 { say(number) }
    let chat = Task {
      // An error of the first connection is reported to the user, who tries again. Later the chat must recover by
      // itself.
      for _ in 0...drops.count where !Task.isCancelled {
        await model.open()
        if timeline.states.contains(where: { [.live, .reconnecting].contains($0.state) }) { break }
      }
    }
    defer { chat.cancel() }
    for number in messageCount / 4..<messageCount {
      if number.isMultiple(of: 4) {
        let count = server.messages(of: Self.id).count
        try await timeline.wait { $0.state == .live && $0.messages >= count }
      }
      say(number)
    }
    try await timeline.wait { $0.state == .live && $0.messages >= messageCount }
    let frames = transport.frameCount
    let taken = drops.count { $0.frame <= frames }
    return Outcome(
      frames: frames, drops: taken,
      difference: taken == 0 && !drops.isEmpty
        ? "No connection was dropped, for there were only \(frames) frames."
        : difference(of: model) ?? stream.difference(from: server.messages(of: Self.id)))
  }

  private struct Shown: Equatable {
    let state: ChatViewModel.State
    let messages: Int
  }

  private func say(_ number: Int) {
    switch number % 5 {
    case 0: server.say(.user("Question \(number)"), in: Self.id)
    case 1:
      let id = server.begin(in: Self.id)
      for piece in ["An", "swer ", "\(number) é"] { server.write(piece, to: id, in: Self.id) }
      server.finish(id, in: Self.id)
    case 2: server.say(.toolUse(id: "t\(number)", name: "search", input: "{}"), in: Self.id)
    case 3:
      server.say(
        .toolResult(id: "t\(number - 1)", tool: "search", output: "Found", isSuccess: true), in: Self.id)
      server.announce(.control(.ping), in: Self.id)
    default: server.say(.assistant("Whole \(number)"), in: Self.id)
    }
    if number % 7 == 6 { server.forgetStream(of: Self.id) }
  }

  @MainActor private func difference(of model: ChatViewModel) -> String? {
    let expected = server.messages(of: Self.id).map { "\($0.id) \($0.content)" }
    let shown = model.messages.map { "\($0.id) \($0.content)" }
    if model.invalidMessageCount > 0 {
      return "\(model.invalidMessageCount) messages could not be validated."
    }
    guard shown != expected else { return nil }
    let place = zip(shown, expected).prefix { $0 == $1 }.count
    return
      "The chat has \(shown.count) messages and the session \(expected.count); they differ from number \(place)."
  }
}
