import UnderstudyHTTP

/// A script of a recorded WebSocket: the messages of both sides in order, and the end.
struct WebSocketScript: Sendable {
  /// The next expected message of the client, and its index among the messages of the entry.
  typealias Cue = (number: Int, message: WebSocketMessage)

  /// A message of the server.
  struct Line: Sendable {
    let message: WebSocketMessage
    /// The number of client messages before it.
    let cues: Int
    /// The pause before it.
    let pause: Duration
  }

  /// The index of the entry.
  let entry: Int
  private(set) var cues: [Cue] = []
  private(set) var lines: [Line] = []
  let ending: HTTPArchive.WebSocketEnd.Cause
  /// The pause before the end.
  let lastPause: Duration

  /// Creates the script of an entry.
  ///
  /// If the tool did not record how the WebSocket ended, the server sends a close frame with code 1000 after the last
  /// message: no client can expect more than was recorded, and an error would be invented. Messages other than text and
  /// binary data, such as pings, are skipped.
  ///
  /// - Throws: `.unreadableResponse` if a message is marked as base64 but is not valid base64.
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
          "Message \(index) of entry \(number) is marked as base64 but is not valid base64.")
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
