import Understudy
public import UnderstudyHTTP

extension ReplayingTransport: WebSocketTransport {
  /// Opens the recorded WebSocket, or fails as the recorded handshake did.
  ///
  /// A message of the server arrives once the client has sent all messages recorded before it. A message of the client
  /// is compared with its next recorded message by the rules for bodies, including secrets. If it differs, sending
  /// throws `.invalidRequest` with the expected message, the message counts as unanswered, and the connection is
  /// aborted. The connection ends as recorded: with the server's close frame, with its reply to the client's, or with
  /// an error. An unfinished recording ends with an error that states this. Without `_webSocketEnd`, the server sends a
  /// close frame after the last message.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` if no entry matches, or the recorded failure.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let found = try entry(for: AskedRequest(request, keying, asksForWebSocket: true))
    return try connection(try await opening(of: found, for: request))
  }

  /// Opens the recorded WebSocket; `nil` if no entry matches, which does not count as unanswered.
  package func connectionIfRecorded(
    to request: HTTP.Request
  ) async throws(TransportError) -> (any WebSocketConnection)? {
    let asked = AskedRequest(request, keying, asksForWebSocket: true)
    guard let found = try entryIfRecorded(for: asked) else { return nil }
    return try connection(try await opening(of: found, for: request))
  }

  /// The recorded messages that the clients of opened WebSockets did not send, in recorded order, with the indices of
  /// their entries.
  ///
  /// Messages of WebSockets that were never opened are not included; their entries are unused.
  package var unusedMessages: [(index: Int, message: HTTPArchive.WebSocketMessage)] {
    let (archive, sent) = state.withLock { ($0.index.archive, $0.sentMessages) }
    return sent.keys.sorted().flatMap { number in
      archive.entry(at: number).webSocketMessages
        .filter { $0.direction == .send && $0.message != nil }
        .dropFirst(sent[number] ?? 0)
        .map { (number, $0) }
    }
  }

  /// Describes the recorded messages that the clients of opened WebSockets did not send; `nil` if they sent all.
  func unsentMessages(remedy: String) -> String? {
    let unused = unusedMessages
    guard !unused.isEmpty else { return nil }
    let counts = Dictionary(grouping: unused, by: \.index).sorted { $0.key < $1.key }
    let lines = counts.map { number, messages in
      "  entry \(number): \(messages.count) of the messages to \(archive.entry(at: number).request.url)"
    }
    return """
      \(unused.count) of the recorded messages of WebSockets were not sent:
      \(lines.joined(separator: "\n"))
      If the messages are no longer sent on purpose, \(remedy)
      """
  }

  private func connection(_ opening: Opening) throws(TransportError) -> any WebSocketConnection {
    switch opening {
    case .agreed(let conversation, let fields, let target):
      return ReplayedWebSocket(
        conversation, subprotocol: fields["Sec-WebSocket-Protocol"], target: target)
    case .refused(let response):
      throw .refusingWebSocket(response.status, response.fields)
    }
  }
}

extension ReplayingTransport {
  /// The result of a recorded handshake.
  enum Opening: Sendable {
    /// A WebSocket, the fields of the response, and the request.
    case agreed(ReplayedConversation, HTTP.Fields, target: String)
    /// A response that refuses the WebSocket.
    case refused(HTTP.Response)
  }

  /// Replays a recorded handshake.
  ///
  /// - Throws: The recorded failure.
  func opening(
    of found: ReplayState.Found, for request: HTTP.Request
  ) async throws(TransportError) -> Opening {
    let (number, entry) = (found.number, found.entry)
    try await pass(.milliseconds(recorded: entry.timings.wait), within: request.timeout)
    // Some tools write no status for a connection that remained open.
    guard entry.response.status == 101 || !entry.webSocketMessages.isEmpty else {
      if let failure = entry.response.failure { throw failure }
      return .refused(
        try ReplayedBody.response(entry, number: number, pauses: pauses, timeout: request.timeout))
    }
    let script = try WebSocketScript(entry, number: number)
    state.withLock { $0.sentMessages[number] = max(0, $0.sentMessages[number] ?? 0) }
    let conversation = ReplayedConversation(script, pauses: pauses) { [self] message, cue, heard in
      judge(message, cue, heard: heard, ofEntry: number)
    }
    var fields = HTTP.Fields(entry.response.headers.map { .init(name: $0.name, value: $0.value) })
    // A server cannot select a subprotocol that its client does not offer (RFC 6455 §4.2.2).
    if (try? request.checkSubprotocol(fields["Sec-WebSocket-Protocol"])) == nil {
      fields["Sec-WebSocket-Protocol"] = nil
    }
    var masking = keying.masking()
    let target = masking.text(Array(entry.request.url.utf8))
    return .agreed(conversation, fields, target: "entry \(number), \(target),")
  }

  private func judge(
    _ message: WebSocketMessage, _ cue: WebSocketScript.Cue?, heard: Int, ofEntry number: Int
  ) -> TransportError? {
    let error: TransportError? = state.withLock { state in
      if let cue, let bindings = bindings(of: message, to: cue.message, state) {
        state.secrets.bind(bindings)
        state.sentMessages[number] = max(state.sentMessages[number] ?? 0, heard + 1)
        return nil
      }
      let mismatch = Mismatch(message, recorded: cue, ofEntry: number, state, keying, advice)
      state.unanswered.append(mismatch.message)
      return TransportError(.invalidRequest, mismatch.message)
    }
    if let error { explain(error.message) }
    return error
  }

  /// Returns the mapping of placeholders if a message equals the recorded one; `nil` if it differs.
  private func bindings(
    of message: WebSocketMessage, to recorded: WebSocketMessage, _ state: ReplayState
  ) -> [String: String]? {
    guard message.isText == recorded.isText else { return nil }
    let expected = keying.keyed(recorded)
    var sent = keying.keyed(message)
    if sent.key != expected.key {
      // As for requests: a recorder replaces every copy of a secret.
      sent = keying.keyed(message, copiesOf: state.secrets.known(with: sent.secrets))
    }
    return sent.key == expected.key ? state.secrets.bindings(of: sent.secrets, to: expected.secrets) : nil
  }
}

extension WebSocketMessage {
  /// Whether it is a text message.
  var isText: Bool {
    if case .text = self { true } else { false }
  }
}
