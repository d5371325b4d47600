public import Foundation
public import SharedServices
import SharedServicesBackends
import SharedServicesContracts
package import SharedServicesDoubles
import SharedServicesLive
import SharedServicesRecordings
public import Understudy
public import UnderstudyHTTP
public import UnderstudyRecording
package import UnderstudySupabase

extension LiveRoute {
  fileprivate var name: String { "supabase-over-\(self)" }
}

extension RecordingFolder {
  /// The recordings of the shared services.
  ///
  /// - Parameter folder: The folder; `nil` is this package's folder.
  public static func sharedServices(at folder: URL? = nil) -> RecordingFolder {
    RecordingFolder(
      folder ?? RecordingsFolder.url,
      madeBy: "swift run shared-services verify --record"
        + (folder.map { " --recordings \($0.path(percentEncoded: false))" } ?? ""))
  }
}

// MARK: - Authentication

extension Implementation where Subject == any AuthService {
  /// `InMemoryAuthService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory { subject, _ in subject } }

  /// The same with a wrapper that has access to the backend: for mutants.
  package static func inMemory(
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject
  ) -> Self {
    Implementation("in-memory") { trial in
      let project = try InMemoryTrial(trial)
      let log = CallLog<InMemoryAuthService>()
      let auth = trial.intercept(project.server.auth, by: [.log(log)])
      let remote: [Intercepted<InMemoryAuthService>.Operation] = [.signIn, .signOut, .refresh]
      trial.setUpFailures(of: auth, in: remote)
      trial.on(.answerIsLate, failing: auth, remote.map { .on($0, .answerLost) }) {}
      trial.countCalls { remote.reduce(0) { $0 + log.count(of: $1) } }
      project.setUpAccounts()
      project.setUpEndOfSession()
      // The double has one way to end a session.
      for (code, _) in endsOfSessions {
        trial.on(.sessionEnded(with: code)) { project.endSession() }
      }
      project.setUpRateLimit()
      return wrap(auth, project.server)
    }
  }

  /// `SupabaseAuthService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self {
    Implementation(route.name) { trial in
      let project = try SupabaseTrial(trial)
      let connection = try await project.connection(over: route)
      project.setUpAuthentication(over: connection, injecting: route == .faults)
      return SupabaseAuthService(connection.client())
    }
  }

  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder, redaction: .ofSyntheticAccounts) { transport, trial in
      let auth = SupabaseAuthService(.replaying(transport, in: trial))
      trial.on(.signedOut) { try await auth.signOut() }
      trial.excludeWhatNeedsAServer()
      return auth
    }
  }

  /// The live service over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder, redaction: .ofSyntheticAccounts) { trial in
      let project = try SupabaseTrial(trial)
      let connection = try await project.connection(over: .emulator)
      project.setUpAuthentication(over: connection, injecting: false)
      trial.excludeWhatNeedsAServer()
      return (connection.transport, { SupabaseAuthService(connection.client(over: $0)) })
    }
  }
}

/// The errors of Auth after which supabase-swift drops its session, by their codes.
private let endsOfSessions: [(code: String, error: AuthAPIError)] = [
  ("session_not_found", .sessionNotFound), ("session_expired", .sessionExpired),
  ("refresh_token_not_found", .refreshTokenNotFound),
  ("refresh_token_already_used", .refreshTokenAlreadyUsed),
]

extension SupabaseTrial {
  fileprivate func setUpAuthentication(over connection: Connection, injecting: Bool) {
    setUpAccounts()
    for (code, error) in endsOfSessions {
      connection.requests.on(
        .sessionEnded(with: code),
        [RequestFault(method: .post, path: "/auth/v1/token", fault: .refusal(error))]
      ) {}
    }
    guard injecting else {
      setUpEndOfSession()
      return setUpRateLimit()
    }
    connection.requests.endSession(on: ["/auth/v1/user"])
    let refused = RequestFault(
      method: .post, path: "/auth/v1/logout", call: 1, fault: .refusal(.badToken))
    connection.requests.on(.tokenExpired, [refused]) { refreshes }
  }
}

// MARK: - Services with a session

extension Implementation {
  /// Registers the conditions of a service, and makes it over a client that is signed in.
  fileprivate typealias MakeSignedIn =
    @Sendable (
      _ project: SupabaseTrial, _ connection: SupabaseTrial.Connection, _ client: SupabaseClient,
      _ auth: SupabaseAuthService, _ injecting: Bool
    ) -> Subject

  /// A service over HTTP.
  fileprivate static func signedIn(
    over route: LiveRoute, on schema: DatabaseSchema = .sharedServices, as make: @escaping MakeSignedIn
  ) -> Self {
    Implementation(route.name) { trial in
      let project = try SupabaseTrial(trial, on: schema)
      let connection = try await project.connection(over: route)
      let client = connection.client()
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(project.account)
      return make(project, connection, client, auth, route == .faults)
    }
  }

  /// A service over the emulator, which writes a recording of each clause that passes.
  fileprivate static func signedIn(recordedIn folder: RecordingFolder, as make: @escaping MakeSignedIn)
    -> Self
  {
    .recording(into: folder, redaction: .ofSyntheticAccounts) { trial in
      let project = try SupabaseTrial(trial)
      let connection = try await project.connection(over: .emulator)
      return (
        connection.transport,
        { transport in
          let (client, auth) = try await project.signedIn(over: connection.client(over: transport))
          defer { trial.excludeWhatNeedsAServer() }
          return make(project, connection, client, auth, false)
        }
      )
    }
  }
}

// MARK: - Children

extension Implementation where Subject == any ChildrenService {
  /// `InMemoryChildrenService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory { subject, _ in subject } }

  /// The same with a wrapper that has access to the backend: for mutants.
  package static func inMemory(
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject
  ) -> Self {
    Implementation("in-memory") { trial in
      let project = try InMemoryTrial(trial)
      _ = try await project.server.auth.signIn(project.account)
      let log = CallLog<InMemoryChildrenService>()
      let children = trial.intercept(project.server.children, by: [.log(log)])
      trial.setUpFailures(of: children)
      trial.on(.answerIsLate, failing: children, with: .answerLost)
      trial.countCalls { log.count(of: .any) }
      project.setUpSession(of: project.server.auth)
      project.setUpOtherChildren()
      project.setUpServerFailure(on: "children")
      return wrap(children, project.server)
    }
  }

  /// `SupabaseChildrenService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self { .signedIn(over: route, as: live) }

  /// The same over other tables, through the emulator: for mutants.
  package static func supabase(on schema: DatabaseSchema) -> Self {
    .signedIn(over: .emulator, on: schema, as: live)
  }

  private static let live: MakeSignedIn = { project, connection, client, auth, injecting in
    project.setUpChildren(over: connection, of: auth, injecting: injecting)
    return SupabaseChildrenService(client)
  }

  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder, redaction: .ofSyntheticAccounts) { transport, trial in
      SupabaseChildrenService(try await .signedIn(over: transport, in: trial))
    }
  }

  /// The live service over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .signedIn(recordedIn: folder, as: live)
  }

  /// A children service with another client, over the in-memory backend.
  ///
  /// The backend itself refuses, expires and fails; network failures are injected between it and the client.
  ///
  /// - Parameters:
  ///   - client: The name of the client in reports.
  ///   - makeServices: Creates a client for a trial: its sign-in and its service.
  public static func supabase(
    through client: String,
    _ makeServices:
      @escaping @Sendable (SupabaseAccess) throws -> (auth: any AuthService, children: any ChildrenService)
  ) -> Self {
    Implementation(client) { given in
      // Such a client compares the expiry of a token with the device's clock.
      TrialEnvironment(
        contract: given.contract, clause: given.clause, seed: given.seed,
        clock: TestClock(.immediate, startingAt: Date()))
    } make: { trial in
      let project = try SupabaseTrial(trial)
      let connection = try await project.connection(over: .emulator)
      let services = try makeServices(
        SupabaseAccess(
          projectURL: connection.configuration.projectURL, apiKey: connection.configuration.apiKey,
          transport: connection.transport
        ))
      _ = try await services.auth.signIn(project.account)
      project.setUpChildren(over: connection, of: services.auth, injecting: false)
      return services.children
    }
  }
}

/// The values with which any client reaches the backend of a trial.
public struct SupabaseAccess: Sendable {
  /// The root URL of the project.
  public let projectURL: URL
  /// The key that every request sends as `apikey`.
  public let apiKey: String
  /// The transport to the backend; requests over another transport fail.
  ///
  /// A client that requires a `URLSession` can use `URLSession(configuration: .over(access.transport))`.
  public let transport: any HTTPTransport
}

extension SupabaseTrial {
  fileprivate func setUpChildren(over connection: Connection, of auth: some AuthService, injecting: Bool) {
    setUpSession(of: auth)
    setUpOtherChildren()
    guard injecting else { return setUpServerFailure(on: "children") }
    let path = "/rest/v1/children"
    connection.requests.on(.anotherUser, [RequestFault(method: .post, path: path, fault: .forbidden)]) {
      [second] in second.userID
    }
    let taken = "Taken"
    // Only the requests that send the name: a clause may store others meanwhile.
    let sendsName: @Sendable (HTTP.Request) -> Bool = { request in
      let row = request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
      return row?["name"] as? String == taken
    }
    connection.requests.on(
      .nameIsTaken,
      [HTTP.Method.post, .patch].map {
        RequestFault(method: $0, path: path, condition: sendsName, fault: .conflict)
      }
    ) { taken }
    connection.requests.expireToken(on: [path]) { refreshes }
    connection.requests.endSession(on: [path])
  }

  /// A signed-in client, with an account that a recording stores.
  fileprivate func signedIn(
    over client: SupabaseClient
  ) async throws -> (client: SupabaseClient, auth: SupabaseAuthService) {
    let auth = SupabaseAuthService(client)
    _ = try await trial.kept(SupabaseClient.signedInAs) { [account.email, account.password] }
    _ = try await auth.signIn(account)
    return (client, auth)
  }
}

// MARK: - Conversations

extension Implementation where Subject == any ConversationService {
  /// `InMemoryConversationService` behind an `Intercepted`, with a writer whose answers depend on conditions.
  public static var inMemory: Self { inMemory { subject, _ in subject } }

  /// The same with a wrapper that has access to the backend: for mutants.
  package static func inMemory(
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject
  ) -> Self {
    Implementation("in-memory") { trial in
      let streams = StreamedAnswers(closesAtOnce: true)
      let project = try InMemoryTrial(trial, replyWriter: streams.intercept(.standard))
      _ = try await project.server.auth.signIn(project.account)
      let conversations = trial.intercept(project.server.conversations)
      trial.setUpFailures(of: conversations)
      trial.on(.answerIsLate, failing: conversations, with: .answerLost)
      RequestsOfBase(trial: trial, base: conversations).breakStreams()
      streams.setUpConditions(in: trial)
      project.setUpSession(of: project.server.auth)
      project.setUpConversations()
      project.setUpServerFailure()
      return wrap(conversations, project.server)
    }
  }

  /// `SupabaseConversationService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self { .signedIn(over: route, as: live) }

  /// The same over other tables, through the emulator: for mutants.
  package static func supabase(on schema: DatabaseSchema) -> Self {
    .signedIn(over: .emulator, on: schema, as: live)
  }

  private static let live: MakeSignedIn = { project, connection, client, auth, injecting in
    project.setUpConversations(over: connection, of: auth, injecting: injecting)
    return SupabaseConversationService(client)
  }

  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder, redaction: .ofSyntheticAccounts) { transport, trial in
      SupabaseConversationService(try await .signedIn(over: transport, in: trial))
    }
  }

  /// The live service over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .signedIn(recordedIn: folder, as: live)
  }
}

extension SupabaseTrial {
  fileprivate func setUpConversations(over connection: Connection, of auth: some AuthService, injecting: Bool)
  {
    setUpSession(of: auth)
    setUpConversations()
    guard injecting else { return setUpServerFailure() }
    let paths = ["/rest/v1/{table}", "/functions/v1/{name}"]
    connection.requests.expireToken(on: paths) { refreshes }
    connection.requests.endSession(on: paths)
  }
}

// MARK: - Changes

extension Implementation where Subject == any RealtimeService {
  /// `InMemoryRealtimeService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory { subject, _ in subject } }

  /// The same with a wrapper that has access to the backend: for mutants.
  package static func inMemory(
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject
  ) -> Self {
    Implementation("in-memory") { trial in
      let project = try InMemoryTrial(trial)
      _ = try await project.server.auth.signIn(project.account)
      let realtime = trial.intercept(project.server.realtime)
      trial.setUpFailures(of: realtime)
      RequestsOfBase(trial: trial, base: realtime).breakSubscriptions(messagesBefore: 0)
      project.setUpChanges(of: project.server.auth)
      return wrap(realtime, project.server)
    }
  }

  /// `SupabaseRealtimeService` over a WebSocket, and HTTP beside it.
  public static func supabase(over route: LiveRoute) -> Self { supabase(over: route, on: .sharedServices) }

  /// The same over other tables: for mutants.
  package static func supabase(over route: LiveRoute = .emulator, on schema: DatabaseSchema) -> Self {
    Implementation(route.name) { trial in
      let project = try SupabaseTrial(trial, on: schema, tokenLifetime: SupabaseTrial.shortLifetime)
      let connection = try await project.connection(over: route)
      let client = connection.client()
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(project.account)
      project.setUpChanges(of: auth)
      let path = "/realtime/v1/websocket"
      connection.requests.breakSubscriptions(messagesBefore: 2, on: path)
      project.setUpEndOfToken()
      if route == .faults {
        // The server refuses new subscriptions and new tokens, if there are any, and shuts down channels with the old one.
        connection.requests.on(
          .sessionEnded,
          [
            RequestFault(method: .get, path: path, fault: .unauthorized, isOptional: true),
            RequestFault(
              method: .post, path: "/auth/v1/token", fault: .refusal(.refreshTokenNotFound), isOptional: true),
          ]
        ) { project.endSession() }
        connection.requests.expireToken(.tokenIsRefused, on: [path]) { project.refreshes }
      } else {
        project.setUpServerFailure(on: "children")
      }
      return SupabaseRealtimeService(client, over: connection.transport)
    }
  }
}

// MARK: - Replays

extension SupabaseClient {
  /// The name under which a recording stores the account that signs in before a clause.
  fileprivate static var signedInAs: String { "before the clause" }

  /// A client of a replay.
  fileprivate static func replaying(_ transport: any HTTPTransport, in trial: TrialEnvironment)
    -> SupabaseClient
  {
    SupabaseClient(
      .nowhere(apiKey: "redacted"), over: transport, clock: trial.time.clock, now: trial.time.date)
  }

  /// A client of a replay that is signed in as the recorded client was.
  fileprivate static func signedIn(
    over transport: any HTTPTransport, in trial: TrialEnvironment
  ) async throws -> SupabaseClient {
    let client = replaying(transport, in: trial)
    let auth = SupabaseAuthService(client)
    let account: [String] = try await trial.kept(signedInAs) { [] }
    _ = try await auth.signIn(email: account.first ?? "", password: account.last ?? "")
    trial.on(.signedOut) { try await auth.signOut() }
    trial.takeTurns([], on: auth)
    trial.on(.userSignsInAgain) {
      _ = try await auth.signIn(email: account.first ?? "", password: account.last ?? "")
    }
    trial.on(.anotherUserSignsIn) {
      let other: [String] = try await trial.kept(SupabaseTrial.otherAccount) { [] }
      _ = try await auth.signIn(email: other.first ?? "", password: other.last ?? "")
    }
    trial.excludeWhatNeedsAServer()
    return client
  }
}

extension TrialEnvironment {
  /// Excludes the conditions that require a live server.
  fileprivate func excludeWhatNeedsAServer() {
    unavailable(.secondSession, because: "a replay has no server that a second device could ask")
    unavailable(.anotherDevice, because: "a replay has no server that another device could change")
    unavailable(.sessionsAreCounted, because: "a replay has no server whose sessions could be counted")
    unavailable(
      .exchangesAreUnlimited,
      because:
        "how many exchanges concurrent calls share differs from run to run, and a recording has its number")
    unavailable(.streamIsHeld, because: "a recording has no source that could be held while it is replayed")
    unavailable(.guideIsHeard, because: "a recording has no guide")
    unavailable(
      .upstreamIsWatched, because: "a recording has no source that could be seen while it is replayed")
  }
}

extension Redaction {
  /// Redacts all secrets except passwords: the accounts in the recordings are synthetic, and clauses derive wrong
  /// passwords from theirs.
  static var ofSyntheticAccounts: Redaction {
    var redaction = Redaction.standard
    redaction.fieldNames.remove("password")
    return redaction
  }
}
