import UnderstudyHTTP

/// A recorded WebSocket: what the client sent, what the server said and after what, and how it ended.
struct WebSocketScript: Sendable {
  /// What a client must send next, and its number among the messages of the entry.
  typealias Cue = (number: Int, message: WebSocketMessage)

  /// A message of the server.
  struct Line: Sendable {
    let message: WebSocketMessage
    /// How many messages of the client come before it.
    let cues: Int
    /// What passes before it.
    let pause: Duration
  }

  /// The number of the entry.
  let entry: Int
  private(set) var cues: [Cue] = []
  private(set) var lines: [Line] = []
  let ending: HTTPArchive.WebSocketEnd.Cause
  /// What passes before the end.
  let lastPause: Duration

  /// The script of an entry.
  ///
  /// Where the tool did not look how it ended, the server says goodbye with 1000 after the last message: no client can
  /// wait for more than was recorded, and an error would be one that nobody saw. What is neither text nor bytes, such
  /// as a ping, is left out.
  ///
  /// - Throws: `.unreadableResponse` where a message says base64 and is none.
  init(_ entry: HTTPArchive.Entry, number: Int) throws(TransportError) {
    self.entry = number
    let end = entry.webSocketEnd
    ending = end?.cause ?? .closed(by: .server, WebSocketClosure(.normalClosure))
    var latest: Double?
    func pause(until time: Double?) -> Duration {
      guard let time else { return .zero }
      defer { latest = max(latest ?? time, time) }
      return .milliseconds(recorded: latest.map { (time - $0) * 1000 })
    }
    for (index, recorded) in entry.webSocketMessages.enumerated() {
      guard let direction = recorded.direction else { continue }
      guard let message = recorded.message else {
        guard recorded.opcode == 2 else { continue }
        throw TransportError(
          .unreadableResponse,
          "Message \(index) of entry \(number) of the recording says base64 and is none.")
      }
      let pause = pause(until: recorded.time)
      switch direction {
      case .send: cues.append((index, message))
      case .receive: lines.append(Line(message: message, cues: cues.count, pause: pause))
      }
    }
    lastPause = pause(until: end?.time)
  }
}
