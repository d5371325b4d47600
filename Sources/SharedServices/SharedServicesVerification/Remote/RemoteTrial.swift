import Foundation
public import SharedServices
import SharedServicesContracts
import SharedServicesLive
public import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudySupabase

// Conditions without a handler here cannot be set up from outside; their clauses are skipped, with a reason.

extension Implementation where Subject == any AuthService {
  /// `SupabaseAuthService` against a project on another server.
  public static func supabase(at project: SupabaseProject) -> Self {
    Implementation("server") { trial in
      let remote = try await RemoteTrial(trial, at: project)
      remote.setUpAuthentication()
      return SupabaseAuthService(remote.client())
    }
  }
}

extension Implementation where Subject == any ChildrenService {
  /// `SupabaseChildrenService` against a project on another server.
  public static func supabase(at project: SupabaseProject) -> Self {
    Implementation("server") { trial in
      let remote = try await RemoteTrial(trial, at: project)
      let client = try await remote.signedInClient()
      remote.setUpRefusals(on: ["/rest/v1/children"])
      return SupabaseChildrenService(client)
    }
  }
}

extension Implementation where Subject == any ConversationService {
  /// `SupabaseConversationService` against a project on another server.
  public static func supabase(at project: SupabaseProject) -> Self {
    Implementation("server") { trial in
      let remote = try await RemoteTrial(trial, at: project)
      let client = try await remote.signedInClient()
      remote.setUpRefusals(on: ["/rest/v1/{table}", "/functions/v1/{name}"])
      remote.setUpConversations()
      return SupabaseConversationService(client)
    }
  }
}

extension Implementation where Subject == any RealtimeService {
  /// `SupabaseRealtimeService` against a project on another server.
  public static func supabase(at project: SupabaseProject) -> Self {
    Implementation("server") { trial in
      let remote = try await RemoteTrial(trial, at: project)
      let client = try await remote.signedInClient()
      remote.setUpDevices()
      return SupabaseRealtimeService(client, over: remote.transport)
    }
  }
}

/// A project on another server for one trial, with accounts of its own.
///
/// Network failures are injected on the client's side. Conditions that only the server could set up, such as an expired
/// token, are injected there too, or omitted.
private struct RemoteTrial: Sendable {
  let trial: TrialEnvironment
  let project: SupabaseProject
  let account: Account
  let second: Account
  /// A time in which delays return at once, and whose date is the server's.
  let time: Time
  let transport: Intercepted<StyledTransport<URLSessionTransport>>
  private let log = CallLog<StyledTransport<URLSessionTransport>>()
  private let accounts: Locked<[Account]>

  init(_ trial: TrialEnvironment, at project: SupabaseProject) async throws {
    self.trial = trial
    self.project = project
    let accounts = Locked<[Account]>([])
    self.accounts = accounts
    // Removes every account of the trial, even if creating another one fails.
    trial.atEnd {
      var first: (any Error)?
      for account in accounts.withLock({ $0 }) {
        do { try await project.remove(account) } catch { first = first ?? error }
      }
      if let first { throw first }
    }
    account = try await project.makeAccount("pat")
    accounts.withLock { [account] in $0.append(account) }
    second = try await project.makeAccount("kim")
    accounts.withLock { [second] in $0.append(second) }
    time = Time(clock: trial.clock.time.clock) { Date() }
    transport = trial.intercept(URLSessionTransport().withErrorStyle(.supabase), by: [.log(log)])
    trial.setUpFailures(of: transport)
    trial.on(.answerIsLate, failing: transport, with: .answerLost)
    trial.countCalls { [log] in log.count(of: .any) }
  }

  private var requests: RequestsOfBase<StyledTransport<URLSessionTransport>> {
    RequestsOfBase(trial: trial, base: transport)
  }

  func client() -> SupabaseClient {
    SupabaseClient(project.configuration, over: transport, clock: time.clock, now: time.date)
  }

  /// Creates a signed-in client, and registers the handlers for the conditions of every service with a session.
  func signedInClient() async throws -> SupabaseClient {
    let client = client()
    let auth = SupabaseAuthService(client)
    _ = try await auth.signIn(account)
    trial.on(.signedIn) { [account] in account.userID }
    trial.on(.signedOut) { try await auth.signOut() }
    trial.takeTurns([account, second], on: auth)
    trial.on(.anotherDevice) {
      Device(userID: account.userID, children: SupabaseChildrenService(try await device(of: account)))
    }
    trial.on(.anotherUserSignsIn) { [second] in _ = try await auth.signIn(second) }
    trial.on(.userSignsInAgain) { [account] in _ = try await auth.signIn(account) }
    trial.on(.anotherUser) { [second] in second.userID }
    trial.on(.childOfAnotherUser) {
      let children = SupabaseChildrenService(try await device(of: second))
      let child = try await children.createChild(.sample(of: second.userID, named: "Alex"))
      return ForeignChild(child: child) {
        try await children.fetchChildren(userID: second.userID).first { $0.id == child.id }
      }
    }
    trial.on(.nameIsTaken) {
      let children = SupabaseChildrenService(try await device(of: account))
      return try await children.createChild(.sample(of: account.userID, named: "Taken")).name
    }
    return client
  }

  /// Creates a client without injected faults.
  private func device(of account: Account) async throws -> SupabaseClient {
    let client = SupabaseClient(
      project.configuration, over: URLSessionTransport(), clock: time.clock, now: time.date)
    _ = try await SupabaseAuthService(client).signIn(account)
    return client
  }

  /// Registers the handlers for refused tokens and ended sessions, for services that send a request with each call.
  func setUpRefusals(on paths: [String]) {
    requests.expireToken(on: paths) { [log] in
      let before = log.count(of: .post("/auth/v1/token"))
      return Refreshes { log.count(of: .post("/auth/v1/token")) - before }
    }
    requests.endSession(on: paths)
  }

  func setUpConversations() {
    requests.breakStreams(afterChunks: 1)
    trial.on(.child) {
      let children = SupabaseChildrenService(try await device(of: account))
      return try await children.createChild(.sample(of: account.userID))
    }
    trial.on(.conversationOfAnotherUser) {
      let client = try await device(of: second)
      let child = try await SupabaseChildrenService(client).createChild(.sample(of: second.userID))
      return try await .held(by: SupabaseConversationService(client), about: child)
    }
  }

  func setUpAuthentication() {
    trial.on(.account) { [account] in account }
    trial.on(.secondAccount) { [second] in second }
    trial.on(.bannedAccount) { [project, accounts] in
      let closed = try await project.makeAccount("robin")
      accounts.withLock { $0.append(closed) }
      try await project.ban(closed)
      return closed
    }
    trial.on(.secondSession) {
      let auth = SupabaseAuthService(try await device(of: account))
      return SecondSession { try await auth.refresh() }
    }
  }

  func setUpDevices() {
    trial.on(.deviceOfAnotherUser) {
      Device(userID: second.userID, children: SupabaseChildrenService(try await device(of: second)))
    }
  }
}
