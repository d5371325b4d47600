public import SharedServices
public import Understudy
public import UnderstudyHTTP
import Foundation

/// The server of the message feed, over HTTP and WebSockets.
///
/// ```swift
/// let server = MessageFeedEmulator()
/// server.open("s1")
/// server.say(.user("Hello"), in: "s1")
/// let transport = InProcessTransport(to: server)
/// ```
///
/// `GET /sessions/<id>/messages?cursor=&limit=` is a page of the history, and `GET /sessions/<id>/stream` opens a
/// WebSocket. The client's first frame is its position, `{"type": "resume", "lastMessageId": …}`; without an id it is the
/// beginning. The server answers `connected`, the unfinished answers, and the missed events followed by
/// `reconnect_complete`, or else `cursor_evicted` or `cursor_invalid`. Then it sends new events. Both sides may send
/// `ping`, and answer with `pong`.
public final class MessageFeedEmulator: HTTPHandler {
  private struct State: Sendable {
    var journals: [Data: Journal] = [:]
    var random: SeededGenerator
    var refusals = 0
    var lastListener = 0
    var watchers = CountWatchers()

    var listenerCount: Int { journals.values.reduce(0) { $0 + $1.listeners.count } }

    /// The journal of a session; ids are the same if their bytes are.
    subscript(sessionID: String) -> Journal? {
      get { journals[Data(sessionID.utf8)] }
      _modify { yield &journals[Data(sessionID.utf8)] }
    }
  }

  private let state: Locked<State>
  private let time: Time

  /// A server without sessions.
  ///
  /// - Parameters:
  ///   - seed: The seed of the ids of messages.
  ///   - time: The source of dates.
  public init(seed: UInt64 = 0, time: Time = .system) {
    state = Locked(State(random: SeededGenerator(seed: seed)))
    self.time = time
  }

  // MARK: - Messages

  /// Creates an empty session, unless one with this id exists.
  public func open(_ sessionID: String) {
    state.withLock { state in
      if state[sessionID] == nil { state[sessionID] = Journal() }
    }
  }

  /// Stores a complete message and sends it to the listeners.
  ///
  /// - Returns: The id of the message.
  @discardableResult public func say(_ content: StreamContent, in sessionID: String) -> String {
    state.withLock { [timestamp] state in
      let id = state.random.nextUUIDString()
      state[sessionID]?.say(StreamedMessage(id: id, timestamp: timestamp, content: content))
      return id
    }
  }

  /// Stores a message as the history returns it; the stream delivers its text.
  package func store(_ message: PaginatedMessage, in sessionID: String) {
    state.withLock { $0[sessionID]?.append(Journal.Line(page: message, content: .system(message.content))) }
  }

  /// Starts an answer.
  ///
  /// - Returns: The id of the message.
  public func begin(in sessionID: String) -> String {
    state.withLock { [timestamp] state in
      let id = state.random.nextUUIDString()
      state[sessionID]?.answers.append(Journal.Answer(id: id, timestamp: timestamp))
      return id
    }
  }

  /// Appends text to a started answer.
  public func write(_ text: String, to messageID: String, in sessionID: String) {
    state.withLock { $0[sessionID]?.write(text, to: messageID) }
  }

  /// Completes a started answer.
  public func finish(_ messageID: String, in sessionID: String) {
    state.withLock { $0[sessionID]?.finish(messageID) }
  }

  /// Sends an event to the listeners without storing it.
  package func announce(_ event: StreamEvent, in sessionID: String) {
    state.withLock { $0[sessionID]?.send(event) }
  }

  /// The complete messages, as in the history.
  package func messages(of sessionID: String) -> [PaginatedMessage] {
    state.withLock { $0[sessionID]?.lines.map(\.page) ?? [] }
  }

  // MARK: - Conditions for tests

  /// Sends nothing more to the current listeners, like a connection that is lost unnoticed.
  ///
  /// ``breakConnections(of:)`` ends their connections.
  package func silence(_ sessionID: String) {
    state.withLock { state in
      state[sessionID]?.silence()
      state.watchers.update(state.listenerCount)
    }
  }

  /// Breaks every connection of a session.
  public func breakConnections(of sessionID: String) {
    silence(sessionID)
    let silenced = state.withLock { state in
      defer { state[sessionID]?.silenced = [] }
      return state[sessionID]?.silenced ?? []
    }
    for listener in silenced { listener.finish() }
  }

  /// Refuses the next connections as an overloaded server does (503); zero accepts them again.
  public func refuseConnections(_ count: Int = .max) {
    state.withLock { $0.refusals = max(0, count) }
  }

  /// Removes the messages so far from the stream's buffer, not from the history.
  package func forgetStream(of sessionID: String) {
    state.withLock { $0[sessionID]?.forgetLines() }
  }

  /// Gives every message a new id, as after a backup was restored, so that all positions become unknown.
  package func renumber(_ sessionID: String) {
    state.withLock { state in
      guard var journal = state[sessionID] else { return }
      journal.firstKnown = 0
      for place in journal.lines.indices { journal.lines[place].page.id = state.random.nextUUIDString() }
      state[sessionID] = journal
    }
  }

  /// Drops the unfinished answers, as a restarted server does.
  package func abandonAnswers(in sessionID: String) {
    state.withLock { $0[sessionID]?.answers = [] }
  }

  /// Expires every current cursor.
  package func expireCursors(of sessionID: String) {
    state.withLock { $0[sessionID]?.expireCursors() }
  }

  /// The number of connections that receive events.
  package var subscriberCount: Int { state.withLock { $0.listenerCount } }

  /// Waits until the number of connections that receive events is `count`, or the task is cancelled.
  package func waitForSubscribers(_ count: Int) async {
    let watch = state.withLock { $0.watchers.add(for: count, now: $0.listenerCount) }
    for await _ in watch {}
  }

  // MARK: - Requests

  /// Answers a request; every refusal is JSON with a `code` and a `message`.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let path = request.url.path(percentEncoded: true).split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    guard path.count == 3, path[0] == "sessions", ["messages", "stream"].contains(path[2]) else {
      return .refusing(
        404, "NOT_FOUND",
        "Expected /sessions/<id>/messages or /sessions/<id>/stream, found \(request.url.path()).")
    }
    guard request.method == .get else {
      return .refusing(405, "METHOD_NOT_ALLOWED", "Expected GET, found \(request.method).")
    }
    guard let journal = state.withLock({ $0[path[1]] }) else {
      return .refusing(404, "SESSION_NOT_FOUND", "Expected the id of a session, found \"\(path[1])\".")
    }
    return path[2] == "messages" ? page(of: journal, request) : stream(of: path[1])
  }

  private func page(of journal: Journal, _ request: HTTP.Request) -> HTTP.Response {
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { query.last { $0.name == name }?.value }
    guard let limit = value("limit").map({ Int($0) }) ?? 50, limit >= 1, limit <= 100 else {
      return .refusing(400, "INVALID_PARAMS", "Expected a limit from 1 to 100.")
    }
    var start = 0
    if let cursor = value("cursor") {
      guard let place = journal.place(of: cursor) else {
        return .refusing(404, "CURSOR_NOT_FOUND", "There is no such place in the session.")
      }
      if place < journal.firstKnown {
        return .refusing(410, "CURSOR_EXPIRED", "This place in the session is not known any more.")
      }
      start = place + 1
    }
    return .json(journal.page(from: start, limit: limit))
  }

  private func stream(of sessionID: String) -> HTTP.Response {
    let isRefused = state.withLock { state in
      defer { if state.refusals < .max { state.refusals = max(0, state.refusals - 1) } }
      return state.refusals > 0
    }
    if isRefused {
      return .refusing(503, "UNAVAILABLE", "The server has too much to do. Try again later.")
    }
    return .webSocket { [self] socket in
      guard let first = try await socket.receive() else { return }
      guard case .text(let text) = first, let frame = try? JSONValue(parsing: Data(text.utf8)),
        frame["type"] == .string("resume")
      else {
        return await socket.close(WebSocketClosure(.policyViolation, "Expected a frame of the type resume."))
      }
      let (events, continuation) = AsyncStream<StreamEvent>.makeStream()
      let (listener, opening) = listen(
        to: sessionID, after: frame["lastMessageId"]?.stringValue, continuation)
      defer { stopListening(listener, to: sessionID) }
      for event in opening { try await send(event, over: socket) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          while let message = try await socket.receive() {
            guard case .text(let text) = message, let frame = try? JSONValue(parsing: Data(text.utf8)) else {
              continue
            }
            if frame["type"] == .string("ping") {
              try await self.send(.control(.pong(serverTime: nil)), over: socket)
            }
          }
        }
        group.addTask {
          for await event in events { try await self.send(event, over: socket) }
          throw TransportError(.connectionLost, "The server broke the connection.")
        }
        try await group.next()
      }
    }
  }

  /// Begins to send the events of a session to a connection.
  ///
  /// - Returns: The number of the listener, and the first events.
  private func listen(
    to sessionID: String, after messageID: String?, _ listener: AsyncStream<StreamEvent>.Continuation
  ) -> (Int, [StreamEvent]) {
    state.withLock { state in
      state.lastListener += 1
      let number = state.lastListener
      state[sessionID]?.listeners[number] = listener
      state.watchers.update(state.listenerCount)
      return (number, state[sessionID]?.opening(after: messageID) ?? [])
    }
  }

  private func stopListening(_ listener: Int, to sessionID: String) {
    state.withLock { state in
      state[sessionID]?.listeners[listener] = nil
      state.watchers.update(state.listenerCount)
    }
  }

  private func send(_ event: StreamEvent, over socket: any WebSocketConnection) async throws {
    try await socket.send(.text(event.frame(at: timestamp)))
  }

  /// The date in the feed's format.
  private var timestamp: String {
    time.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

/// What was said in a session, and who listens.
private struct Journal: Sendable {
  /// A complete message.
  struct Line: Sendable {
    /// As the history has it.
    var page: PaginatedMessage
    /// As the stream has it.
    var content: StreamContent

    var event: StreamEvent {
      .message(StreamedMessage(id: page.id, timestamp: page.timestamp, content: content))
    }

    /// The message in the envelope of the stream, without its type; flat, as in seed 000, if that has not all its fields.
    var json: JSONValue {
      let streamed = StreamedMessage(id: page.id, timestamp: page.timestamp, content: content)
      guard PaginatedMessage(streamed) == page else { return page.json }
      return .object([
        "id": .string(page.id), "timestamp": .string(page.timestamp), "message": content.json,
      ])
    }
  }

  /// A message that is being written.
  struct Answer: Sendable {
    let id: String
    let timestamp: String
    var text = ""

    func event(_ content: StreamContent) -> StreamEvent {
      .message(StreamedMessage(id: id, timestamp: timestamp, content: content))
    }
  }

  /// The messages, in the order of their completion.
  var lines: [Line] = []
  /// The first line that the stream can still send; the history has them all.
  var firstBuffered = 0
  /// The first line whose id is still a cursor of the history.
  var firstKnown = 0
  var answers: [Answer] = []
  var listeners: [Int: AsyncStream<StreamEvent>.Continuation] = [:]
  /// The connections that receive nothing more without having been closed.
  var silenced: [AsyncStream<StreamEvent>.Continuation] = []

  mutating func say(_ message: StreamedMessage) {
    // What the history does not store is announced, not said.
    guard let page = PaginatedMessage(message) else { return }
    append(Line(page: page, content: message.content))
  }

  mutating func append(_ line: Line) {
    lines.append(line)
    send(line.event)
  }

  mutating func write(_ text: String, to messageID: String) {
    guard let place = answers.firstIndex(where: { $0.id == messageID }) else { return }
    answers[place].text += text
    send(answers[place].event(.assistant(text, isDelta: true)))
  }

  mutating func finish(_ messageID: String) {
    guard let place = answers.firstIndex(where: { $0.id == messageID }) else { return }
    let answer = answers.remove(at: place)
    say(StreamedMessage(id: answer.id, timestamp: answer.timestamp, content: .assistant(answer.text)))
  }

  func send(_ event: StreamEvent) {
    for listener in listeners.values { listener.yield(event) }
  }

  mutating func silence() {
    silenced += listeners.values
    listeners = [:]
  }

  mutating func forgetLines() { firstBuffered = lines.count }

  mutating func expireCursors() { firstKnown = lines.count }

  /// The last line with an id; ids are the same if their bytes are.
  func place(of messageID: String) -> Int? {
    lines.lastIndex { $0.page.id.utf8.elementsEqual(messageID.utf8) }
  }

  /// A page of the history.
  func page(from start: Int, limit: Int) -> JSONValue {
    let shown = lines[start...].prefix(limit)
    let hasMore = shown.endIndex < lines.endIndex
    let previous = start - limit
    return .object([
      "messages": .array(shown.map(\.json)),
      "pagination": .object([
        "total": .count(lines.count), "limit": .count(limit), "offset": .count(start),
        "hasMore": .boolean(hasMore), "nextCursor": hasMore ? .text(shown.last?.page.id) : nil,
        "prevCursor": previous > 0 ? .string(lines[previous - 1].page.id) : nil,
      ]),
    ])
  }

  /// The first events of a connection.
  func opening(after messageID: String?) -> [StreamEvent] {
    let begun: [StreamEvent] =
      [.control(.connected())]
      + answers.filter { !$0.text.isEmpty }.map { $0.event(.assistant($0.text, isDelta: true)) }
    var start = 0
    if let messageID {
      guard let place = place(of: messageID) else {
        return begun + [.control(.cursorInvalid(lastMessageID: messageID))]
      }
      start = place + 1
    }
    if start < firstBuffered { return begun + [.control(.cursorEvicted(lastMessageID: messageID))] }
    let missed = lines[start...].map(\.event)
    return begun + missed
      + [.control(.reconnectComplete(missedCount: missed.count, fromMessageID: messageID))]
  }
}

extension HTTP.Response {
  fileprivate static func json(_ body: JSONValue, status: Int = 200) -> HTTP.Response {
    HTTP.Response(status: status, body: Data(body.compactText.utf8), contentType: "application/json")
  }

  fileprivate static func refusing(_ status: Int, _ code: String, _ message: String) -> HTTP.Response {
    .json(.object([.init("code", .string(code)), .init("message", .string(message))]), status: status)
  }
}

// The JSON of the feed.

extension JSONValue {
  /// An object of the members with values.
  fileprivate static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  fileprivate static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  fileprivate static func count(_ number: Int?) -> JSONValue? { number.map { .number("\($0)") } }
  fileprivate static func measure(_ number: Double?) -> JSONValue? {
    number.flatMap { $0.isFinite ? .number("\($0)") : nil }
  }

  /// A value that is written as JSON if it is valid JSON, otherwise as a string.
  fileprivate static func embedded(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
  }
}

extension PaginatedMessage {
  fileprivate var json: JSONValue {
    .object([
      "id": .string(id), "role": .string(role),
      "content": warnings.contains(.contentIsMissing) ? nil : .string(content),
      "timestamp": .string(timestamp),
      "toolName": .text(toolName), "toolUseId": .text(toolUseId), "toolResultId": .text(toolResultId),
      "toolInputDescription": .text(toolInputDescription), "toolOutput": .text(toolOutput),
      "tokenCount": .count(tokenCount), "executionTime": .measure(executionTime),
      "imagePath": .text(imagePath), "imageData": .text(imageData?.base64EncodedString()),
    ])
  }
}

extension StreamEvent {
  /// The frame of the event; `date` is the server's.
  fileprivate func frame(at date: String) -> String {
    switch self {
    case .unreadable(let text): text
    case .control(let control): control.json(at: date).compactText
    case .message(let message):
      JSONValue.object([
        "type": .string("stream"), "id": .string(message.id), "timestamp": .string(message.timestamp),
        "message": message.content.json,
      ]).compactText
    }
  }
}

extension StreamContent {
  fileprivate var json: JSONValue {
    switch self {
    case .assistant(let text, let isDelta):
      .object([
        "type": .string("assistant"), "content": .string(text), "delta": isDelta ? .boolean(true) : nil,
      ])
    case .user(let text): .object(["type": .string("user"), "content": .string(text)])
    case .system(let text, let subtype):
      .object(["type": .string("system"), "content": .string(text), "subtype": .text(subtype)])
    case .thinking(let text): .object(["type": .string("thinking"), "content": .string(text)])
    case .toolUse(let id, let name, let input, let description):
      .object([
        "type": .string("tool_use"), "id": .text(id), "name": .string(name), "input": .embedded(input),
        "inputDescription": .text(description),
      ])
    case .toolResult(let id, let tool, let output, let isSuccess):
      .object([
        "type": .string("tool_result"), "id": .text(id), "tool": .string(tool), "output": .string(output),
        "success": .boolean(isSuccess),
      ])
    case .progress(let progress):
      .object([
        "type": .string("progress"), "id": .string(progress.id), "tool": .string(progress.tool),
        "elapsed": .measure(progress.elapsed), "progress": .measure(progress.progress),
        "detail": .text(progress.detail),
      ])
    case .usage(let usage):
      .object([
        "type": .string("usage"), "inputTokens": .count(usage.inputTokens),
        "outputTokens": .count(usage.outputTokens),
        "cacheReadTokens": .count(usage.cacheReadTokens),
        "cacheCreateTokens": .count(usage.cacheCreateTokens),
        "totalCost": .measure(usage.totalCost), "contextUsed": .count(usage.contextUsed),
        "contextLimit": .count(usage.contextLimit),
      ])
    case .state(let state, let tool):
      .object(["type": .string("state"), "state": .string(state), "tool": .text(tool)])
    case .permission(let request):
      .object([
        "type": .string("permission"), "id": .string(request.id), "tool": .string(request.tool),
        "input": .embedded(request.input), "options": .array(request.options.map { .string($0) }),
      ])
    case .question(let request):
      .object([
        "type": .string("question"), "id": .string(request.id),
        "questions": .array(request.questions.map(\.json)),
      ])
    case .subagentStart(let id, let description):
      .object(["type": .string("subagent_start"), "id": .string(id), "description": .string(description)])
    case .subagentComplete(let id, let summary):
      .object(["type": .string("subagent_complete"), "id": .string(id), "summary": .text(summary)])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}

extension QuestionRequest.Question {
  fileprivate var json: JSONValue {
    .object([
      "question": .string(question), "header": .string(header),
      "options": .array(
        options.map { .object(["label": .string($0.label), "description": .text($0.description)]) }),
      "multiSelect": .boolean(isMultipleChoice),
    ])
  }
}

extension SessionEvent.Metadata {
  fileprivate func json(id: String, projectPath: String) -> JSONValue {
    .object([
      "id": .string(id), "projectPath": .string(projectPath), "source": .string(source),
      "createdAt": .text(createdAt), "lastActivityAt": .string(lastActivityAt),
      "messageCount": .count(messageCount), "title": .text(title), "summary": .text(summary),
      "customTitle": .text(customTitle), "model": .text(model), "archivedAt": .text(archivedAt),
      "parentSessionId": .text(parentSessionID),
    ])
  }
}

extension ControlMessage {
  fileprivate func json(at date: String) -> JSONValue {
    switch self {
    case .connected(let model): .object(["type": .string("connected"), "model": .text(model)])
    case .history(let messages, let hasMore, let cursor):
      .object([
        "type": .string("history"), "messages": .array(messages.map(\.json)), "hasMore": .boolean(hasMore),
        "cursor": .text(cursor),
      ])
    case .sessionEvent(let event):
      .object([
        "type": .string("session_event"), "action": .string(event.action),
        "sessionId": .string(event.sessionID), "projectPath": .string(event.projectPath),
        "metadata": event.metadata?.json(id: event.sessionID, projectPath: event.projectPath),
      ])
    case .queued(let position): .object(["type": .string("queued"), "position": .count(position)])
    case .queueCleared: .object(["type": .string("queue_cleared")])
    case .reconnectComplete(let count, let id):
      .object([
        "type": .string("reconnect_complete"), "missedCount": .count(count), "fromMessageId": .text(id),
      ])
    case .cursorEvicted(let id):
      .object([
        "type": .string("cursor_evicted"), "lastMessageId": .text(id),
        "recommendation": .string("fetch_from_rest"),
      ])
    case .cursorInvalid(let id):
      .object([
        "type": .string("cursor_invalid"), "lastMessageId": .text(id),
        "recommendation": .string("full_resync"),
      ])
    case .error(let failure):
      .object([
        "type": .string("error"), "code": .string(failure.code), "message": .string(failure.message),
        "recoverable": .boolean(failure.isRecoverable),
        "retryable": failure.retryAfter == nil ? nil : .boolean(true),
        "retryAfter": .measure(failure.retryAfter.map { $0 / .seconds(1) }),
      ])
    case .modelChanged(let model, let previous):
      .object([
        "type": .string("model_changed"), "model": .string(model), "previousModel": .text(previous),
      ])
    case .permissionModeChanged(let mode):
      .object(["type": .string("permission_mode_changed"), "mode": .string(mode)])
    case .stopped(let reason): .object(["type": .string("stopped"), "reason": .string(reason)])
    case .ping: .object(["type": .string("ping")])
    case .pong(let serverTime): .object(["type": .string("pong"), "serverTime": .string(serverTime ?? date)])
    case .interrupted: .object(["type": .string("interrupted")])
    case .unknown(let type): .object(["type": .string(type)])
    }
  }
}
