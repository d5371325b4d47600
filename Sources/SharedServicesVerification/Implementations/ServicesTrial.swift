import Foundation
import SharedServices
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

/// An in-memory Supabase project for one trial, and its condition handlers.
struct SupabaseTrial: Sendable {
  let trial: TrialEnvironment
  let services: InMemorySharedServices
  let account: Account
  let second: Account
  private let heard = Locked<[HeardMessages.Entry]>([])

  init(
    _ trial: TrialEnvironment, on schema: DatabaseSchema = .sharedServices,
    replyWriter writer: ReplyWriter = .standard,
    tokenLifetime: Duration = .seconds(3600)
  ) throws {
    self.trial = trial
    services = InMemorySharedServices(
      on: schema, seed: trial.seed, time: trial.time, tokenLifetime: tokenLifetime,
      replyWriter: ReplyWriter { [heard] child, history, message, memory in
        heard.withLock {
          $0.append(.init(message: message, context: child, history: history, memory: memory))
        }
        return writer.reply(to: message, after: history, about: child, remembering: memory)
      })
    account = try services.addAccount("pat@example.com", password: "correct horse")
    second = try services.addAccount("kim@example.com", password: "battery staple")
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
      SupabaseClient(configuration, over: other ?? transport, time: time)
    }
  }

  /// Creates the connection of a route, with handlers for network failures and for failures of streamed answers.
  func connection(over route: LiveRoute) async throws -> Connection {
    switch route {
    case .emulator:
      let streams = StreamedAnswers()
      let log = CallLog<SupabaseEmulator>()
      let handler = trial.intercept(
        services.emulator, by: [.log(log), streams.interceptor(before: SupabaseEmulator.self)])
      setUpFailures(of: handler, streams)
      trial.countCalls { log.count(of: .any) }
      return Connection(
        transport: InProcessTransport(to: handler, time: trial.time), configuration: nowhere,
        requests: RequestsOfBase(trial: trial, base: handler), time: trial.time)
    case .faults:
      let streams = StreamedAnswers()
      let log = CallLog<InProcessTransport<SupabaseEmulator>>()
      let transport = trial.intercept(
        InProcessTransport(to: services.emulator, time: trial.time),
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
        before: services.emulator, by: [streams.interceptor(before: SupabaseEmulator.self)])
      let server = try await MockServer(services.emulator, by: interceptors)
      trial.atEnd { await server.close(grace: .zero) }
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
          projectURL: server.url, apiKey: services.emulator.apiKey,
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
  private var nowhere: SupabaseConfiguration { .nowhere(apiKey: services.emulator.apiKey) }

  // MARK: - Conditions of every service with a session

  /// Registers the handlers for the conditions of every service with a session.
  func setUpSession(of auth: some AuthService) {
    trial.on(.signedIn) { [account] in account.userID }
    trial.on(.signedOut) { try await auth.signOut() }
    trial.on(.childOfAnotherUser) { [services, second] in
      let device = try await services.device(of: second)
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
    trial.on(.exchangesAreLimited, until: { [services] in services.authServer.limitRequests(0) }) {
      [services] in
      services.authServer.limitRequests(.max, retryAfter: .seconds(30))
      return .seconds(30)
    }
    setUpEndOfSession()
  }

  /// The name under which a recording stores the account of the other user.
  static let otherAccount = "the other account"

  /// Registers the handler for a session that the server has ended, with expired tokens.
  func setUpEndOfSession() {
    trial.on(.sessionEnded) { endSession() }
    trial.on(.tokenExpired) { [services, account] in
      services.authServer.expireAccessTokens(of: account.userID)
      return refreshes
    }
  }

  func endSession() {
    services.authServer.endSessions(of: account.userID)
    // An issued token is valid until it expires, even after the end of its session.
    services.authServer.expireAccessTokens(of: account.userID)
  }

  /// Counts the refreshes from now on.
  var refreshes: Refreshes {
    let before = services.authServer.exchangeCount
    return Refreshes { [services] in services.authServer.exchangeCount - before }
  }

  /// Registers the handler for statements, on all tables or on one, that exceed the server's time limit.
  func setUpServerFailure(on table: String? = nil) {
    trial.on(.serverFails, until: { [services] in services.database.acceptStatements() }) { [services] in
      services.database.refuseStatements(with: .statementTimeout, on: table)
    }
  }

  // MARK: - Conditions of the children service

  /// Registers the handlers for another user, for another device, and for a child that was stored through it.
  func setUpOtherChildren() {
    trial.on(.anotherDevice) { [services, account] in try await services.changes(of: account) }
    trial.on(.anotherUser) { [second] in second.userID }
    trial.on(.nameIsTaken) { [services, account] in
      let device = try await services.device(of: account)
      return try await device.children.createChild(.sample(of: account.userID, named: "Taken")).name
    }
  }

  // MARK: - Conditions of the conversation service

  /// Registers the handlers for a child, another user's conversation, and the kinds of answers.
  func setUpConversations() {
    trial.on(.child) { [services, account] in
      let device = try await services.device(of: account)
      return try await device.children.createChild(.sample(of: account.userID))
    }
    trial.on(.conversationOfAnotherUser) { [services, second] in
      let device = try await services.device(of: second)
      let child = try await device.children.createChild(.sample(of: second.userID))
      return try await .held(
        by: InMemoryConversationService(database: services.database, auth: device.auth), about: child)
    }
    trial.on(.answerNamesSources) { ReplyWriter.sources }
    trial.on(.lastChunkIsEmpty) {}
    trial.on(.guideIsHeard) { [heard] in HeardMessages { heard.withLock { $0 } } }
    trial.on(.childIsRemembered) { [services] in
      ChildMemory { child, memory in
        let content = try JSONValue(parsing: Data(memory.utf8))
        try services.database.delete(from: "child_memory", where: .equals("child_id", .uuid(child.id)))
        try services.database.insert(
          ["child_id": .uuid(child.id), "content": .json(content)], into: "child_memory")
      }
    }
    trial.on(.conversationsAreStored) { [services] in
      StoredConversations { try services.database.storedConversations() }
    }
    trial.on(.childrenAreRemoved) { [services, account] in
      try services.database.delete(from: "children", where: .equals("user_id", .uuid(account.userID)))
    }
    trial.on(.longConversation) { [services, account] in
      let device = try await services.device(of: account)
      let child = try await device.children.createChild(.sample(of: account.userID, named: "Long"))
      let service = InMemoryConversationService(database: services.database, auth: device.auth)
      let conversation = try await service.startConversation(childID: child.id)
      try services.database.insert(
        (0..<1_100).map { number in
          [
            "conversation_id": .uuid(conversation.id),
            "role": .text(Message.Role.allCases[number % 3].rawValue),
            "sources": MessageRow.value(of: number % 3 == 1 ? ReplyWriter.sources : []),
            "content": .text("Message \(number)"),
            "created_at": .timestamp(conversation.createdAt.addingTimeInterval(Double(number + 1))),
          ]
        }, into: "messages")
      return ForeignConversation(conversation: conversation) {
        try await service.history(conversationID: conversation.id)
      }
    }
  }

  // MARK: - Conditions of the authentication service

  /// Registers the handlers for accounts, and for the user's sessions on other devices and their number.
  func setUpAccounts() {
    trial.on(.exchangesAreUnlimited) {}
    trial.on(.account) { [account] in account }
    trial.on(.secondAccount) { [second] in second }
    trial.on(.bannedAccount) { [services] in
      let account = try services.addAccount("robin@example.com", password: "closed")
      services.authServer.setBanned(true, user: account.userID)
      return account
    }
    trial.on(
      .accountIsBanned,
      until: { [services, account] in services.authServer.setBanned(false, user: account.userID) }
    ) { [services, account] in services.authServer.setBanned(true, user: account.userID) }
    trial.on(.secondSession) { [services, account] in
      let device = try await services.device(of: account)
      return SecondSession { try await device.auth.refresh() }
    }
    trial.on(.sessionsAreCounted) { [services, account] in
      SessionCount { services.authServer.sessionCount(of: account.userID) }
    }
  }

  /// Registers the handler for a rate limit of Auth.
  func setUpRateLimit() {
    trial.on(.tooManyRequests, until: { [services] in services.authServer.limitRequests(0) }) { [services] in
      services.authServer.limitRequests(.max, retryAfter: .seconds(30))
      return .seconds(30)
    }
  }

  // MARK: - Conditions of the realtime service

  /// The lifetime of a token that a service exchanges after twenty seconds: before its first heartbeat, so that a trial
  /// can advance the time without waiting for responses.
  static let shortLifetime: Duration = .seconds(50)

  /// Registers the handlers for the conditions that every realtime service gets from the backend.
  ///
  /// - Parameter endsAtOnce: Whether a subscription ends as soon as its consumer leaves; over a connection it takes a
  ///   while.
  func setUpChanges(of auth: some AuthService, endsAtOnce: Bool) {
    setUpSession(of: auth)
    trial.on(.anotherDevice) { [services, account] in try await services.changes(of: account) }
    trial.on(.deviceOfAnotherUser) { [services, second] in try await services.changes(of: second) }
    trial.on(.subscriptionsBreak) { [services] in
      services.database.breakChangeFeeds(
        with: TransportError(.connectionLost, "The subscription was broken."))
    }
    trial.on(.subscriptionsAreCounted) { [services] in
      Subscriptions { expected in
        if !endsAtOnce { await services.database.waitForChangeFeeds(expected) }
        return services.database.changeFeedCount
      }
    }
    // The server treats the existing tokens as expired; the service treats them as valid.
    trial.on(.tokenIsRefused) { [services, account] in
      services.authServer.expireAccessTokens(of: account.userID)
      return refreshes
    }
  }

  /// Registers the handler that advances the time until a service with one subscription must exchange its token.
  func setUpEndOfToken() {
    trial.on(.tokenExpired) { [services, clock = trial.clock] in
      let before = services.authServer.exchangeCount
      // The server's idle timer and its token timer; the service's heartbeat timer and its token timer.
      try await clock.wait(forSleepers: 4)
      clock.advance(by: Self.shortLifetime - .seconds(30))
      return Refreshes {
        await services.authServer.waitForExchanges(before + 1)
        return services.authServer.exchangeCount - before
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
      let accounts = try await self.kept("the users of the device") { accounts.map(ArchivedAccount.init) }
        .map(\.account)
      return DeviceUsers(ids: accounts.map(\.userID)) { id in
        for account in accounts where account.userID == id { _ = try await auth.signIn(account) }
      }
    }
  }
}

extension InMemorySharedServices {
  fileprivate func addAccount(_ email: String, password: String) throws -> Account {
    Account(email: email, password: password, userID: try addUser(email: email, password: password))
  }

  /// Creates a device on which a user is signed in.
  fileprivate func device(
    of account: Account
  ) async throws -> (auth: InMemoryAuthService, children: InMemoryChildrenService) {
    let auth = InMemoryAuthService(server: authServer)
    _ = try await auth.signIn(account)
    return (auth, InMemoryChildrenService(database: database, auth: auth))
  }

  fileprivate func changes(of account: Account) async throws -> Device {
    Device(userID: account.userID, children: try await device(of: account).children)
  }
}

extension InMemoryDatabase {
  /// The conversations of all users.
  fileprivate func storedConversations() throws -> [StoredConversations.Entry] {
    let messages = try select(from: "messages").compactMap(MessageRow.message)
    return try select(from: "conversations").compactMap(ConversationRow.conversation).map { conversation in
      StoredConversations.Entry(
        conversation: conversation, messages: messages.filter { $0.conversationID == conversation.id })
    }
  }
}

extension SupabaseConfiguration {
  /// A project that is not on the network (RFC 6761 §6.4).
  static func nowhere(apiKey: String) -> SupabaseConfiguration {
    guard let url = URL(string: "http://emulator.invalid") else {
      preconditionFailure("The address of the emulator is not a URL.")
    }
    return SupabaseConfiguration(projectURL: url, apiKey: apiKey)
  }
}
