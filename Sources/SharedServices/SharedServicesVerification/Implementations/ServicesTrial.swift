import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesLive
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudySupabase

/// The connection from a live service of a contract to its backend.
public enum LiveRoute: Sendable, Hashable {
  /// The in-memory backend in this process: it refuses, expires and fails by itself; only network failures are
  /// injected.
  case emulator
  /// A transport to the same backend, with all failures injected.
  case faults
  /// URLSession, a socket and a server with the backend; network failures occur on the server's socket.
  case socket
}

/// The server of the services for one trial, and its condition handlers.
struct ServicesTrial<Server: BackendServer>: Sendable {
  let trial: TrialEnvironment
  let server: Server
  let account: Account
  let second: Account
  private let heard: Locked<[HeardMessages.Entry]>
  private let isLastChunkFull: Locked<Bool>

  /// - Parameter makeServer: Makes a server without accounts, whose guide has this writer.
  private init(
    _ trial: TrialEnvironment, replyWriter writer: ReplyWriter, _ makeServer: (ReplyWriter) -> Server
  ) throws {
    let heard = Locked<[HeardMessages.Entry]>([])
    let isLastChunkFull = Locked(false)
    (self.trial, self.heard, self.isLastChunkFull) = (trial, heard, isLastChunkFull)
    server = makeServer(
      ReplyWriter { child, history, message, memory in
        heard.withLock {
          $0.append(.init(message: message, context: child, history: history, memory: memory))
        }
        let reply = writer.reply(to: message, after: history, about: child, remembering: memory)
        return isLastChunkFull.withLock { $0 } ? reply.withFullEnd : reply
      })
    account = try server.addAccount("pat@example.com", password: "correct horse")
    second = try server.addAccount("kim@example.com", password: "battery staple")
  }
}

extension Reply {
  /// The answer with the end of its text and all its sources in the chunk that is done.
  fileprivate var withFullEnd: Reply {
    let rest = Locked<ArraySlice<MessageChunk>?>(nil)
    return Reply(unfolding: {
      if rest.withLock({ $0 }) == nil {
        var chunks: [MessageChunk] = []
        while let chunk = try await self.nextChunk(), !chunk.isDone { chunks.append(chunk) }
        let sources = chunks.flatMap { $0.sources ?? [] }
        let end = MessageChunk(text: chunks.popLast()?.text ?? "", sources: sources, isDone: true)
        let all = chunks.map { MessageChunk(text: $0.text) } + [end]
        rest.withLock { $0 = all[...] }
      }
      return rest.withLock { $0?.popFirst() }
    })
  }
}

/// A trial of the doubles.
typealias InMemoryTrial = ServicesTrial<InMemorySharedServices>

extension InMemoryTrial {
  init(_ trial: TrialEnvironment, replyWriter: ReplyWriter = .standard) throws {
    try self.init(trial, replyWriter: replyWriter) {
      InMemorySharedServices(seed: trial.seed, time: trial.time, replyWriter: $0)
    }
  }
}

/// A trial of the live services over the emulator.
typealias SupabaseTrial = ServicesTrial<SupabaseBackend>

extension SupabaseTrial {
  init(
    _ trial: TrialEnvironment, on schema: DatabaseSchema = .sharedServices,
    tokenLifetime: Duration = .seconds(3600)
  ) throws {
    try self.init(trial, replyWriter: .standard) {
      SupabaseBackend(
        on: schema, seed: trial.seed, time: trial.time, tokenLifetime: tokenLifetime, replyWriter: $0)
    }
  }

  // MARK: - Connections

  /// A connection to the project over HTTP, with interceptors before one of its parts.
  struct Connection: Sendable {
    let transport: any HTTPTransport & WebSocketTransport
    let configuration: SupabaseConfiguration
    let requests: any InterceptedRequests
    let time: Time

    /// A new client that uses this connection, or another transport to the same project.
    func client(over other: (any HTTPTransport)? = nil) -> SupabaseClient {
      SupabaseClient(configuration, over: other ?? transport, clock: time.clock, now: time.date)
    }
  }

  /// Creates the connection of a route, with handlers for network failures and for failures of streamed answers.
  func connection(over route: LiveRoute) async throws -> Connection {
    switch route {
    case .emulator:
      let streams = StreamedAnswers()
      let log = CallLog<SupabaseEmulator>()
      let handler = trial.intercept(
        server.emulator, by: [.log(log), streams.interceptor(before: SupabaseEmulator.self)])
      setUpFailures(of: handler, streams)
      trial.countCalls { log.count(of: .any) }
      return Connection(
        transport: InProcessTransport(to: handler, time: trial.time), configuration: nowhere,
        requests: RequestsOfBase(trial: trial, base: handler), time: trial.time)
    case .faults:
      let streams = StreamedAnswers()
      let log = CallLog<InProcessTransport<SupabaseEmulator>>()
      let transport = trial.intercept(
        InProcessTransport(to: server.emulator, time: trial.time),
        by: [.log(log), streams.interceptor(before: InProcessTransport<SupabaseEmulator>.self)])
      setUpFailures(of: transport, streams)
      trial.countCalls { log.count(of: .any) }
      return Connection(
        transport: transport, configuration: nowhere,
        requests: RequestsOfBase(trial: trial, base: transport), time: trial.time)
    case .socket:
      // No answer of a trial has more events than the buffers of two sockets hold.
      let streams = StreamedAnswers(lead: 10_000)
      let (handler, interceptors) = trial.interceptors(
        before: server.emulator, by: [streams.interceptor(before: SupabaseEmulator.self)])
      let socket = try await MockServer(server.emulator, by: interceptors)
      trial.atEnd { await socket.close(grace: .zero) }
      setUpFailures(of: handler, streams)
      let client = trial.interceptClient(URLSessionTransport())
      let silent = BrokenStream(afterChunks: 3)
      trial.on(.streamStalls, failing: client, [.on(.any, .stallStream(afterEvents: silent.chunks))]) {
        silent
      }
      trial.unavailable(.streamIsHeld, because: "when a reader waits cannot be seen through a socket")
      return Connection(
        transport: client,
        configuration: SupabaseConfiguration(
          projectURL: socket.url, apiKey: server.emulator.apiKey,
          // Real time; no clause waits that long, and a busy machine must not reach it.
          timeout: .seconds(300)),
        requests: RequestsOfBase(trial: trial, base: handler), time: trial.time)
    }
  }

  private func setUpFailures<Base: Sendable>(of base: Intercepted<Base>, _ streams: StreamedAnswers) {
    trial.setUpFailures(of: base)
    trial.on(.answerIsLate, failing: base, with: .answerLost)
    RequestsOfBase(trial: trial, base: base).breakStreams()
    streams.setUpConditions(in: trial)
  }

  /// A configuration for a client whose transport does not use the network.
  private var nowhere: SupabaseConfiguration { .nowhere(apiKey: server.emulator.apiKey) }
}

// MARK: - Conditions of every service with a session

extension ServicesTrial {
  /// Registers the handlers for the conditions of every service with a session.
  func setUpSession(of auth: some AuthService) {
    trial.on(.signedIn) { [account] in account.userID }
    trial.on(.signedOut) { try await auth.signOut() }
    trial.on(.childOfAnotherUser) { [server, second] in
      let device = try await server.device(of: second)
      let child = try await device.children.createChild(.sample(of: second.userID, named: "Alex"))
      return ForeignChild(child: child) {
        try await device.children.fetchChildren(userID: second.userID).first { $0.id == child.id }
      }
    }
    trial.on(.timePasses) { [clock = trial.clock] in Passage { clock.advance(by: $0) } }
    trial.on(.clockIsKnown) { [clock = trial.clock] in ServerClock { clock.now } }
    trial.takeTurns([account, second], on: auth)
    trial.on(.anotherUserSignsIn) { [trial, second] in
      _ = try await trial.kept(Self.otherAccount) { [second.email, second.password] }
      _ = try await auth.signIn(second)
    }
    trial.on(.userSignsInAgain) { [account] in _ = try await auth.signIn(account) }
    trial.on(.exchangesAreLimited, until: { [server] in server.limitRequests(0, retryAfter: nil) }) {
      [server] in
      server.limitRequests(.max, retryAfter: .seconds(30))
      return .seconds(30)
    }
    setUpEndOfSession()
  }

  /// The name under which a recording stores the account of the other user.
  static var otherAccount: String { "the other account" }

  /// Registers the handler for a session that the server has ended, with expired tokens.
  func setUpEndOfSession() {
    trial.on(.sessionEnded) { endSession() }
    trial.on(.tokenExpired) { [server, account] in
      server.expireTokens(of: account.userID)
      return refreshes
    }
  }

  func endSession() {
    server.endSessions(of: account.userID)
    // An issued token is valid until it expires, even after the end of its session.
    server.expireTokens(of: account.userID)
  }

  /// Counts the refreshes from now on.
  var refreshes: Refreshes {
    let before = server.exchangeCount
    return Refreshes { [server] in server.exchangeCount - before }
  }

  /// Registers the handler for statements, on all tables or on one, that exceed the server's time limit.
  func setUpServerFailure(on table: String? = nil) {
    trial.on(.serverFails, until: { [server] in server.failCalls(false, on: table) }) { [server] in
      server.failCalls(true, on: table)
    }
  }

  // MARK: - Conditions of the children service

  /// Registers the handlers for another user, for another device, and for a child that was stored through it.
  func setUpOtherChildren() {
    trial.on(.anotherDevice) { [server, account] in try await server.changes(of: account) }
    trial.on(.anotherUser) { [second] in second.userID }
    trial.on(.nameIsTaken) { [server, account] in
      let device = try await server.device(of: account)
      return try await device.children.createChild(.sample(of: account.userID, named: "Taken")).name
    }
  }

  // MARK: - Conditions of the conversation service

  /// Registers the handlers for a child, another user's conversation, and the kinds of answers.
  func setUpConversations() {
    trial.on(.child) { [server, account] in
      let device = try await server.device(of: account)
      return try await device.children.createChild(.sample(of: account.userID))
    }
    trial.on(.anotherChild) { [server, account] in
      let device = try await server.device(of: account)
      return try await device.children.createChild(.sample(of: account.userID, named: "Kim"))
    }
    trial.on(.conversationOfAnotherUser) { [server, second] in
      let device = try await server.device(of: second)
      let child = try await device.children.createChild(.sample(of: second.userID))
      return try await .held(by: device.conversations, about: child)
    }
    trial.on(.answerNamesSources) { ReplyWriter.sources }
    trial.on(.lastChunkIsEmpty) {}
    trial.on(.lastChunkIsFull) { [isLastChunkFull] in isLastChunkFull.withLock { $0 = true } }
    trial.on(.guideIsHeard) { [heard] in HeardMessages { heard.withLock { $0 } } }
    trial.on(.childIsRemembered) { [server] in
      ChildMemory { child, memory in
        try server.remember(try JSONValue(parsing: Data(memory.utf8)), about: child.id)
      }
    }
    trial.on(.conversationsAreStored) { [server] in
      StoredConversations { try server.storedConversations() }
    }
    trial.on(.childrenAreRemoved) { [server, account] in
      try server.removeChildren(of: account.userID)
    }
    trial.on(.longConversation) { [server, account] in
      let device = try await server.device(of: account)
      let child = try await device.children.createChild(.sample(of: account.userID, named: "Long"))
      let conversation = try await device.conversations.startConversation(childID: child.id)
      try server.add(
        (0..<45).map { number in
          Message(
            id: conversation.id, conversationID: conversation.id, role: Message.Role.allCases[number % 3],
            content: "Message \(number)", sources: number % 3 == 1 ? ReplyWriter.sources : [],
            createdAt: conversation.createdAt.addingTimeInterval(Double(number + 1)))
        }, to: conversation.id)
      return ForeignConversation(conversation: conversation) {
        try await device.conversations.history(conversationID: conversation.id)
      }
    }
  }

  // MARK: - Conditions of the authentication service

  /// Registers the handlers for accounts, and for the user's sessions on other devices and their number.
  func setUpAccounts() {
    trial.on(.exchangesAreUnlimited) {}
    trial.on(.account) { [account] in account }
    trial.on(.secondAccount) { [second] in second }
    trial.on(.bannedAccount) { [server] in
      let account = try server.addAccount("robin@example.com", password: "closed")
      server.setBanned(true, user: account.userID)
      return account
    }
    trial.on(
      .accountIsBanned,
      until: { [server, account] in server.setBanned(false, user: account.userID) }
    ) { [server, account] in server.setBanned(true, user: account.userID) }
    trial.on(.secondSession) { [server, account] in
      let device = try await server.device(of: account)
      return SecondSession { try await device.auth.refresh() }
    }
    trial.on(.sessionsAreCounted) { [server, account] in
      SessionCount { server.sessionCount(of: account.userID) }
    }
  }

  /// Registers the handler for a rate limit of Auth.
  func setUpRateLimit() {
    trial.on(.tooManyRequests, until: { [server] in server.limitRequests(0, retryAfter: nil) }) { [server] in
      server.limitRequests(.max, retryAfter: .seconds(30))
      return .seconds(30)
    }
  }

  // MARK: - Conditions of the realtime service

  /// Registers the handlers for the conditions that every realtime service gets from the backend.
  ///
  func setUpChanges(of auth: some AuthService) {
    setUpSession(of: auth)
    trial.on(.anotherDevice) { [server, account] in try await server.changes(of: account) }
    trial.on(.deviceOfAnotherUser) { [server, second] in try await server.changes(of: second) }
    trial.on(.subscriptionsBreak) { [server] in
      server.breakSubscriptions()
    }
    trial.on(.subscriptionsAreCounted) { [server] in
      Subscriptions { expected in
        await server.waitForSubscriptions(expected)
        return server.subscriptionCount
      }
    }
    // The server treats the existing tokens as expired; the service treats them as valid.
    trial.on(.tokenIsRefused) { [server, account] in
      server.expireTokens(of: account.userID)
      return refreshes
    }
  }
}

extension SupabaseTrial {
  /// The lifetime of a token that a service exchanges after twenty seconds: before its first heartbeat, so that a trial
  /// can advance the time without waiting for responses.
  static var shortLifetime: Duration { .seconds(50) }

  /// Registers the handler that advances the time until a service with one subscription must exchange its token.
  func setUpEndOfToken() {
    trial.on(.tokenExpired) { [server, clock = trial.clock] in
      let before = server.exchangeCount
      // The server's idle timer and its token timer; the service's heartbeat timer and its token timer.
      try await clock.wait(forSleepers: 4)
      clock.advance(by: Self.shortLifetime - .seconds(30))
      return Refreshes {
        await server.authServer.waitForExchanges(before + 1)
        return server.exchangeCount - before
      }
    }
  }
}

extension TrialEnvironment {
  /// Intercepts the client's side of a socket, for the conditions that only the client can observe: a missing network,
  /// a request that was not sent yet, and a time-out, which the platform would measure with its own clock.
  func interceptClient(_ transport: URLSessionTransport) -> Intercepted<URLSessionTransport> {
    let log = CallLog<URLSessionTransport>()
    let client = intercept(transport, by: [.log(log)])
    countCalls { log.count(of: .any) }
    on(.offline, failing: client, with: .offline)
    on(.doesNotAnswer, failing: client, with: .timeout)
    on(.answerIsLate, failing: client, with: .answerLost)
    holdCalls(of: client)
    return client
  }
}

extension TrialEnvironment {
  /// Registers the handler for a count of calls.
  func countCalls(_ count: @escaping @Sendable () -> Int) {
    on(.callsAreCounted) {
      let before = count()
      return CallCount { count() - before }
    }
  }

  /// Registers the handler for users who sign in on one device.
  ///
  /// - Parameter accounts: The accounts, of which a replay has its own.
  func takeTurns(_ accounts: [Account], on auth: some AuthService) {
    on(.usersTakeTurns) {
      let accounts = try await self.kept("the users of the device") { accounts }
      return DeviceUsers(ids: accounts.map(\.userID)) { id in
        for account in accounts where account.userID == id { _ = try await auth.signIn(account) }
      }
    }
  }
}

extension BackendServer {
  fileprivate func changes(of account: Account) async throws -> Device {
    Device(userID: account.userID, children: try await device(of: account).children)
  }
}
