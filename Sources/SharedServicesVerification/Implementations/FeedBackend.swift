import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import SharedServicesLive
import SharedServicesContracts

/// A server of sessions for one trial, on a time that costs nothing, and the conditions that it brings about by itself.
struct FeedBackend: Sendable {
  static let sessionID = "s 1/é"
  /// Within the time that a trial has, and long enough for a machine that is busy.
  static let patience: Duration = .seconds(40)

  let time: ManualTime
  let server: MessageFeedServer
  private let seed: UInt64
  private let patience: Duration

  /// - Parameters:
  ///   - seed: What the ids of messages come from.
  ///   - time: What it runs on.
  ///   - patience: How long somebody who leaves may take, in real time.
  init(seed: UInt64, time: ManualTime = ManualTime(.jumping), patience: Duration = Self.patience) {
    self.time = time
    self.seed = seed
    self.patience = patience
    server = MessageFeedServer(seed: seed, time: time.time)
  }

  /// Where a client finds it whose transport leads to no network (RFC 6761 §6.4).
  static func configuration(
    at url: URL? = nil, timeout: Duration = .seconds(30), seed: UInt64 = 0
  ) -> MessageFeedConfiguration {
    MessageFeedConfiguration(
      serverURL: url ?? URL(string: "http://feed.invalid") ?? URL(filePath: "/"), timeout: timeout,
      reconnection: Reconnection(seed: seed))
  }

  var provisions: [Provision] {
    let session = Self.sessionID
    return [
      .bringing(about: .emptySession) { [server] in
        server.open(session)
        return StoredSession(id: session, messages: [])
      },
      .bringing(about: .storedSession) { [server] in
        server.open(session)
        for content in Self.stored { server.say(content, in: session) }
        return StoredSession(id: session, messages: server.messages(of: session))
      },
      .bringing(about: .speaker) { [server] in
        server.open(session)
        return FeedSpeaker(
          sessionID: session, say: { server.say($0, in: session) }, begin: { server.begin(in: session) },
          write: { server.write($0, to: $1, in: session) }, finish: { server.finish($0, in: session) },
          announce: { server.announce($0, in: session) }, messages: { server.messages(of: session) })
      },
      .bringing(about: .followersAreCounted) { [server, patience] in
        FollowerCount { expected in
          await withTaskGroup { group in
            group.addTask { await server.waitForSubscribers(expected) }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
          }
          return server.subscriberCount
        }
      },
      .bringing(
        about: .connectionIsLost, endingWith: { [server] in server.breakConnections(of: session) },
        by: { [server] in server.silence(session) }),
      .bringing(about: .cursorsExpire) { [server] in server.expireCursors(of: session) },
      .bringing(about: .streamForgets) { [server] in server.forgetStream(of: session) },
      .bringing(about: .messagesAreRenumbered) { [server] in server.renumber(session) },
      .bringing(about: .answersAreAbandoned) { [server] in server.abandonAnswers(in: session) },
      .bringing(about: .connectionsAreRefused) { [server] in server.refuseConnections() },
      .bringing(about: .twoConnectionsAreRefused) { [server] in server.refuseConnections(2) },
    ]
  }

  /// Twelve messages, of each kind one.
  private static let stored: [StreamContent] = [
    .user("Hello"), .thinking("Well."), .assistant("Hi é e\u{301} 👩‍👧"),
    .toolUse(id: "t1", name: "search", input: "{\"for\":\"sleep\"}", inputDescription: "Look"),
    .toolResult(id: "t1", tool: "search", output: "Found \"it\"\n", isSuccess: true),
    .system("Ready", subtype: "init"), .system("Done", subtype: "result"), .assistant(""),
    .assistant("AnyCodableValue(\"wrapped\")"), .toolUse(id: nil, name: "search", input: "{"),
    .unknown(type: "song"), .user("مرحبا"),
  ]
}

/// A server of sessions, and a way to it with an injector before one of its parts.
struct FeedRig<Base: Sendable>: Sendable {
  let backend: FeedBackend
  let injector: Injector<Base>
  /// What opens a stream.
  let opening: Intercepted<Base>.Operation
  let transport: any HTTPTransport & WebSocketTransport
  let configuration: MessageFeedConfiguration
  /// What takes the place of the conditions of the same names, because this way cannot have those.
  var replacements: [Provision] = []
  /// Ends what goes on behind the client.
  var close: @Sendable () async -> Void = {}

  /// The live history.
  func history(over transport: any HTTPTransport) -> HTTPMessageHistoryService {
    HTTPMessageHistoryService(configuration, over: transport, time: backend.time.time)
  }

  /// The live stream, which fills its gaps from the live history.
  func stream(over transport: any HTTPTransport & WebSocketTransport) -> WebSocketMessageStreamService {
    WebSocketMessageStreamService(
      configuration, over: transport, history: history(over: transport), time: backend.time.time)
  }

  /// The conditions of the stream.
  var streamProvisions: [Provision] { provisions + injector.brokenConnections(on: opening) }

  /// The conditions of both services.
  var provisions: [Provision] {
    let all =
      backend.provisions + injector.failuresOnTheWay
      + [
        injector.provision(.serverFails, .serverError), injector.tooManyRequests, injector.callsAreHeld,
      ]
    let names = Set(replacements.map(\.condition))
    return all.filter { !names.contains($0.condition) } + replacements
  }
}

extension FeedRig where Base == MessageFeedEmulator {
  /// A rig that meddles with the answers before they are on their way.
  init(seed: UInt64) {
    let backend = FeedBackend(seed: seed)
    let injector = Injector<Base>(time: backend.time)
    self.init(
      backend: backend, injector: injector, opening: .get("/sessions/{id}/stream"),
      transport: InProcessTransport(to: injector.intercept(backend.server.emulator), time: backend.time.time),
      configuration: FeedBackend.configuration(seed: seed))
  }

  /// A rig whose client reaches the server through a socket; see `EmulatorRig`.
  init(onSocketWith seed: UInt64) async throws {
    let backend = FeedBackend(seed: seed)
    let injector = Injector<Base>(time: backend.time)
    let server = try await MockServer(backend.server.emulator, by: injector.interceptors)
    let client = Injector<URLSessionTransport>(time: backend.time)
    self.init(
      backend: backend, injector: injector, opening: .get("/sessions/{id}/stream"),
      transport: client.intercept(URLSessionTransport()),
      // Real time, which no clause waits for.
      configuration: FeedBackend.configuration(at: server.url, timeout: .seconds(300), seed: seed),
      replacements: [
        client.provision(.offline, .offline), client.provision(.doesNotAnswer, .timeout), client.callsAreHeld,
      ],
      close: { await server.close(grace: .zero) })
  }
}

extension FeedRig where Base == InProcessTransport<MessageFeedEmulator> {
  /// A rig that meddles with the transport.
  init(seed: UInt64) {
    let backend = FeedBackend(seed: seed)
    let injector = Injector<Base>(time: backend.time)
    self.init(
      backend: backend, injector: injector, opening: .get("/sessions/{id}/stream"),
      transport: injector.intercept(InProcessTransport(to: backend.server.emulator, time: backend.time.time)),
      configuration: FeedBackend.configuration(seed: seed))
  }
}

extension Injector where Base: Sendable {
  /// What goes wrong in the next connection, in the place of its fourth frame.
  func brokenConnections(on operation: Intercepted<Base>.Operation) -> [Provision] {
    // The first two frames say that the stream is in force.
    let broken = BrokenSubscription(afterChanges: 1)
    let faults: [(Condition<BrokenSubscription>, Fault)] = [
      (.nextConnectionDrops, .abortWebSocket(afterMessages: 3)),
      (.nextConnectionIsClosed, .closeWebSocket(afterMessages: 3)),
      (.nextConnectionIsCorrupt, .corruptEvent(4)),
    ]
    return faults.map { condition, fault in provision(condition, [.on(operation, call: 1, fault)]) { broken }
    }
  }
}
