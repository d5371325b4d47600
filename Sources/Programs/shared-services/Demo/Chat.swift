import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesDoubles
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import SharedServicesLive
import SharedServicesViewModels
import UnderstudyCommand

extension CommandLineTool.Demonstration {
  /// The states of a chat whose connection is lost in the middle of an answer.
  static var chat: Self {
    Self("The chat: a connection that is lost in the middle of an answer") { console in
      try console.write("  Each line is what the screen shows; … is an answer that is still being written.\n")
      for line in try await chatLines() { try console.write("    " + line) }
    }
  }

  @MainActor private static func chatLines() async throws -> [String] {
    let time = TestClock(.immediate)
    let server = MessageFeedEmulator(time: time.time)
    let session = "s1"
    server.open(session)
    server.say(.user("Bedtime?"), in: session)

    let transport = InProcessTransport(to: server, time: time.time)
    let configuration = MessageFeedConfiguration(
      serverURL: URL(string: "http://feed.invalid") ?? URL(filePath: "/"), reconnection: Reconnection(seed: 1)
    )
    let history = HTTPMessageHistoryService(configuration, over: transport, now: time.time.date)
    let model = ChatViewModel(
      sessionID: session, history: history,
      stream: WebSocketMessageStreamService(
        configuration, over: transport, history: history, clock: time.time.clock, now: time.time.date))
    let timeline = StateTimeline(of: model) { model in
      let bubbles = model.messages.map { "“\($0.content)\($0.isStreaming ? "…" : "")”" }
      return "\(model.state)".padding(toLength: 14, withPad: " ", startingAt: 0)
        + bubbles.joined(separator: " ")
    }
    let chat = Task { await model.open() }
    defer { chat.cancel() }

    try await timeline.wait { $0.hasPrefix("live") }
    let answer = server.begin(in: session)
    server.write("Stay ", to: answer, in: session)
    try await timeline.wait { $0.contains("Stay …") }
    // From here on, neither the lost connection nor the next one's stream has the messages.
    server.silence(session)
    server.write("calm.", to: answer, in: session)
    server.finish(answer, in: session)
    server.say(.user("And then?"), in: session)
    server.forgetStream(of: session)
    server.breakConnections(of: session)
    try await timeline.wait { $0.hasPrefix("live") && $0.contains("And then?") }
    server.say(.assistant("Sleep."), in: session)
    try await timeline.wait { $0.contains("Sleep.") }
    return timeline.states
  }
}
