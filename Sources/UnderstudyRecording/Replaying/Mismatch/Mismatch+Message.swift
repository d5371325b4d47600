import UnderstudyHTTP

extension Mismatch {
  /// Describes a client message that differs from the next recorded one.
  ///
  /// - Parameters:
  ///   - recorded: The next recorded message, and its index among those of its entry; `nil` after the last.
  ///   - number: The index of the entry.
  init(
    _ asked: WebSocketMessage, recorded: WebSocketScript.Cue?, ofEntry number: Int, _ state: ReplayState,
    _ keying: RequestKeying, remedy: String
  ) {
    let sent = keying.keyed(asked)
    let hiding = HiddenSecrets(keying, sent.secrets, state)
    let difference = BodyDifference("message", verb: "sent", hiding: hiding)
    var lines = [
      "The message is not the next recorded one of the WebSocket of \(hiding.entry(number, state))."
    ]
    if let recorded {
      lines.append("Expected message \(recorded.number):")
      var differences = difference.lines(
        between: keying.keyed(recorded.message).key, and: sent.key)
      if asked.isText != recorded.message.isText {
        differences.insert("kind: recorded \(recorded.message.kind), sent \(asked.kind)", at: 0)
      }
      if differences.isEmpty { differences = ["It is the same message with another secret."] }
      lines += differences.map { "  " + $0 }
    } else {
      lines.append(
        "Expected no more messages, found \(difference.words(for: sent.key)).")
    }
    lines.append(
      """
      If the message is correct, \(remedy).
      To ignore the difference, configure the body of the RequestMatching.
      """)
    message = lines.joined(separator: "\n")
  }
}

extension WebSocketMessage {
  /// The type of the message, in one word.
  fileprivate var kind: String { isText ? "text" : "bytes" }
}
