import Foundation
package import SharedServices
import SharedServicesContracts
package import SharedServicesBackends
package import SharedServicesDoubles
import SharedServicesLive
package import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// What a test does to the server of the feed, besides using its services: that of the doubles, or the emulator.
package protocol FeedServer: Sendable {
  init(seed: UInt64, time: Time)

  func open(_ sessionID: String)
  func messages(of sessionID: String) -> [PaginatedMessage]
  @discardableResult func say(_ content: StreamContent, in sessionID: String) -> String
  func store(_ message: PaginatedMessage, in sessionID: String)
  func begin(in sessionID: String) -> String
  func write(_ text: String, to messageID: String, in sessionID: String)
  func finish(_ messageID: String, in sessionID: String)
  func announce(_ event: StreamEvent, in sessionID: String)

  func silence(_ sessionID: String)
  func breakConnections(of sessionID: String)
  func refuseConnections(_ count: Int)
  func forgetStream(of sessionID: String)
  func renumber(_ sessionID: String)
  func abandonAnswers(in sessionID: String)
  func expireCursors(of sessionID: String)

  var subscriberCount: Int { get }
  func waitForSubscribers(_ count: Int) async
  /// Returns when the server has noticed who has left; `count` is the number that a right service leaves.
  func waitForLeaving(_ count: Int) async
}

extension FeedServer {
  package func refuseConnections() { refuseConnections(.max) }
}

extension MessageFeedServer: FeedServer {
  // There is no connection to wait for.
  package func waitForLeaving(_ count: Int) async { await waitForLeaving() }
}

extension MessageFeedEmulator: FeedServer {
  package func waitForLeaving(_ count: Int) async { await waitForSubscribers(count) }
}

/// A server of sessions for one trial, and its condition handlers.
struct FeedTrial<Server: FeedServer>: Sendable {
  private static var sessionID: String { "s 1/é" }
  private static var otherSessionID: String { "S 1/é" }

  let trial: TrialEnvironment
  let server: Server

  /// - Parameter time: The time of the server (default: that of the trial).
  init(_ trial: TrialEnvironment, on time: Time? = nil) {
    self.trial = trial
    server = Server(seed: trial.seed, time: time ?? trial.time)
  }

  // MARK: - Conditions

  /// Registers the condition handlers.
  func setUpConditions() {
    let (server, session) = (server, Self.sessionID)
    trial.on(.emptySession) {
      server.open(session)
      return StoredSession(id: session, messages: [])
    }
    trial.on(.storedSession) {
      server.open(session)
      for content in FeedSamples.stored { server.say(content, in: session) }
      return StoredSession(id: session, messages: server.messages(of: session))
    }
    trial.on(.anotherStoredSession) {
      let other = Self.otherSessionID
      server.open(other)
      for number in 1...12 { server.say(.user("Other \(number)"), in: other) }
      return StoredSession(id: other, messages: server.messages(of: other))
    }
    trial.on(.longSession) {
      server.open(session)
      for message in FeedSamples.long { server.store(message, in: session) }
      return StoredSession(id: session, messages: FeedSamples.long)
    }
    trial.on(.sessionWithoutContent) {
      server.open(session)
      for message in FeedSamples.withoutContent { server.store(message, in: session) }
      return StoredSession(id: session, messages: FeedSamples.withoutContent)
    }
    trial.on(.speaker) { speaker }
    trial.on(.anotherSpeaker) { speaker(in: Self.otherSessionID) }
    trial.on(.followersAreCounted) {
      FollowerCount { expected in
        await server.waitForLeaving(expected)
        return server.subscriberCount
      }
    }
    trial.on(.connectionIsLost, until: { server.breakConnections(of: session) }) { server.silence(session) }
    trial.on(.cursorsExpire) { server.expireCursors(of: session) }
    trial.on(.streamForgets) { server.forgetStream(of: session) }
    trial.on(.messagesAreRenumbered) { server.renumber(session) }
    trial.on(.answersAreAbandoned) { server.abandonAnswers(in: session) }
    trial.on(.connectionsAreRefused) { server.refuseConnections() }
    trial.on(.twoConnectionsAreRefused) { server.refuseConnections(2) }
  }

  /// Creates the session, and speaks in it.
  var speaker: FeedSpeaker { speaker(in: Self.sessionID) }

  private func speaker(in session: String) -> FeedSpeaker {
    server.open(session)
    return FeedSpeaker(
      sessionID: session, say: { [server] in server.say($0, in: session) },
      begin: { [server] in server.begin(in: session) },
      write: { [server] in server.write($0, to: $1, in: session) },
      finish: { [server] in server.finish($0, in: session) },
      announce: { [server] in server.announce($0, in: session) },
      messages: { [server] in server.messages(of: session) })
  }
}

extension MessageFeedConfiguration {
  /// A configuration for a client whose transport does not use the network (RFC 6761 §6.4).
  static func ofTrial(
    at url: URL? = nil, timeout: Duration = .seconds(30), seed: UInt64 = 0
  ) -> MessageFeedConfiguration {
    guard let url = url ?? URL(string: "http://feed.invalid") else {
      preconditionFailure("The address of the feed is not a URL.")
    }
    return MessageFeedConfiguration(
      serverURL: url, timeout: timeout, reconnection: Reconnection(seed: seed))
  }
}

// MARK: - Connections to the emulator

/// A connection to the emulator.
struct FeedConnection: Sendable {
  let transport: any HTTPTransport & WebSocketTransport
  let configuration: MessageFeedConfiguration
  let time: Time

  /// The live history.
  func history(over other: (any HTTPTransport)? = nil) -> HTTPMessageHistoryService {
    HTTPMessageHistoryService(configuration, over: other ?? transport, now: time.date)
  }

  /// The live stream, which fills gaps from the live history.
  func stream(
    over other: (any HTTPTransport & WebSocketTransport)? = nil
  ) -> WebSocketMessageStreamService {
    WebSocketMessageStreamService(
      configuration, over: other ?? transport, history: history(over: other), clock: time.clock,
      now: time.date)
  }
}

extension FeedTrial<MessageFeedEmulator> {
  /// Creates the connection of a route, with handlers for network failures and broken connections.
  func connection(over route: LiveRoute) async throws -> FeedConnection {
    let configuration = MessageFeedConfiguration.ofTrial(seed: trial.seed)
    switch route {
    case .emulator:
      let handler = trial.intercept(server)
      setUpFailures(of: handler)
      return FeedConnection(
        transport: trial.countRequests(to: InProcessTransport(to: handler, time: trial.time)),
        configuration: configuration, time: trial.time)
    case .faults:
      let transport = trial.intercept(InProcessTransport(to: server, time: trial.time))
      setUpFailures(of: transport)
      return FeedConnection(
        transport: trial.countRequests(to: transport), configuration: configuration, time: trial.time)
    case .socket:
      let (handler, interceptors) = trial.interceptors(before: server)
      let socket = try await MockServer(server, by: interceptors)
      trial.atEnd { await socket.close(grace: .zero) }
      setUpFailures(of: handler)
      let client = trial.interceptClient(URLSessionTransport())
      return FeedConnection(
        transport: trial.countRequests(to: client),
        // Real time; no clause waits that long.
        configuration: MessageFeedConfiguration.ofTrial(
          at: socket.url, timeout: .seconds(300), seed: trial.seed),
        time: trial.time)
    }
  }

  private func setUpFailures<Base: Sendable>(of base: Intercepted<Base>) {
    trial.setUpFailures(of: base)
    RequestsOfBase(trial: trial, base: base).breakNextConnection(on: "/sessions/{session}/stream")
  }
}

/// What sessions begin with.
private enum FeedSamples {
  /// 250 messages; each field is missing in some of them, and the ids of each two differ only in case.
  static let long: [PaginatedMessage] = (0..<250).map { place in
    let roles = ChatMessage.Role.allCases
    var message = PaginatedMessage(
      id: "\(place % 2 == 0 ? "m" : "M")\(place / 2)&+é", role: roles[place % roles.count].rawValue,
      content: "Number \(place)\n",
      timestamp: "2026-01-03T12:\(10 + place % 50):00.123456+01:00")
    if place % 2 == 0 { (message.toolName, message.toolOutput) = ("search", "Found \(place)") }
    if place % 3 == 0 { (message.toolUseId, message.toolResultId) = ("u\(place)", "r\(place)") }
    if place % 4 == 0 { message.toolInputDescription = "{\"for\": \(place)}" }
    if place % 5 == 0 { (message.tokenCount, message.executionTime) = (place, Double(place) / 7) }
    if place % 6 == 0 {
      (message.imagePath, message.imageData) = ("images/\(place).png", Data([0, 255, UInt8(place)]))
    }
    return message
  }

  /// Messages between which others have no content.
  static let withoutContent: [PaginatedMessage] =
    [
      ("user", "Why?"), ("assistant", ""), ("toolResult", ""), ("user", ""), ("localCommandStdout", ""),
      ("assistant", "So."),
    ].enumerated().map { place, message in
      PaginatedMessage(
        id: "n\(place)", role: message.0, content: message.1, timestamp: "2026-01-03T12:00:00Z",
        warnings: message.1.isEmpty ? [.contentIsMissing] : [])
    }

  /// Twelve messages, one of each kind.
  static let stored: [StreamContent] = [
    .user("Hello"), .thinking("Well."), .assistant("Hi é e\u{301} 👩‍👧"),
    .toolUse(id: "t1", name: "search", input: "{\"for\":\"sleep\"}", inputDescription: "Look"),
    .toolResult(id: "t1", tool: "search", output: "Found \"it\"\n", isSuccess: true),
    .system("Ready", subtype: "init"), .system("Done", subtype: "result"), .assistant(""),
    .assistant("AnyCodableValue(\"wrapped\")"), .toolUse(id: nil, name: "search", input: "{"),
    .unknown(type: "song"), .user("مرحبا"),
  ]
}
