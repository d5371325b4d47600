import Foundation
import SharedServices
import SharedServicesLive
import Understudy
import UnderstudyHTTP
import SharedServicesContracts

/// A project somewhere else for one trial, with accounts of the trial's own.
///
/// What fails on the way is injected on the client's side. What only the server could bring about, such as a token whose
/// time is over, is injected there too, or left out.
struct RemoteRig: Sendable {
  let project: SupabaseProject
  let account: Account
  let second: Account
  let injector: Injector<URLSessionTransport>
  /// Waits cost nothing, and the date is the server's.
  let time: Time
  private let log: CallLog<URLSessionTransport>
  private let accounts: Locked<[Account]>
  let transport: Intercepted<URLSessionTransport>

  init(_ project: SupabaseProject) async throws {
    self.project = project
    account = try await project.makeAccount("pat")
    do {
      second = try await project.makeAccount("kim")
    } catch {
      try? await project.remove(account)
      throw error
    }
    accounts = Locked([account, second])
    let manual = ManualTime(.jumping)
    time = Time(clock: manual.time.clock) { Date() }
    injector = Injector(time: manual)
    log = CallLog()
    transport = injector.intercept(URLSessionTransport(), loggedIn: log)
  }

  /// Removes every account of the trial.
  ///
  /// - Throws: The first error, once all have been tried.
  func close() async throws {
    var first: (any Error)?
    for account in accounts.withLock({ $0 }) {
      do { try await project.remove(account) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  /// A new client, whose calls nothing is done to.
  private func device(of account: Account) async throws -> SupabaseClient {
    let client = SupabaseClient(project.configuration, over: URLSessionTransport(), time: time)
    _ = try await SupabaseAuthService(client).signIn(account)
    return client
  }

  // MARK: - Conditions

  /// Those of every service with a session.
  func provisions(signedInWith auth: SupabaseAuthService) -> [Provision] {
    injector.failuresOnTheWay + [
      .bringing(about: .signedIn) { account.userID },
      .bringing(about: .signedOut) { try await auth.signOut() },
      .bringing(about: .anotherUser) { second.userID },
      .bringing(about: .childOfAnotherUser) {
        let children = SupabaseChildrenService(try await device(of: second))
        let child = try await children.createChild(.sample(of: second.userID, named: "Alex"))
        return ForeignChild(child: child) {
          try await children.fetchChildren(userID: second.userID).first { $0.id == child.id }
        }
      },
      .bringing(about: .nameIsTaken) {
        let children = SupabaseChildrenService(try await device(of: account))
        return try await children.createChild(.sample(of: account.userID, named: "Taken")).name
      },
      injector.provision(.serverFails, .serverError), injector.tooManyRequests, injector.callsAreHeld,
    ]
  }

  /// What becomes of tokens and sessions, for services that ask with each call.
  func refusals(on paths: [String]) -> [Provision] {
    [
      injector.tokenExpired(on: paths) {
        let before = log.count(of: .post("/auth/v1/token"))
        return Refreshes { log.count(of: .post("/auth/v1/token")) - before }
      },
      injector.sessionEnded(on: paths),
    ]
  }

  var conversations: [Provision] {
    injector.brokenStreams(afterChunks: 1) + [
      .bringing(about: .child) {
        let children = SupabaseChildrenService(try await device(of: account))
        return try await children.createChild(.sample(of: account.userID))
      },
      .bringing(about: .conversationOfAnotherUser) {
        let client = try await device(of: second)
        let child = try await SupabaseChildrenService(client).createChild(.sample(of: second.userID))
        return try await .held(by: SupabaseConversationService(client), about: child)
      },
    ]
  }

  var authentication: [Provision] {
    injector.failuresOnTheWay + [
      .bringing(about: .account) { account }, .bringing(about: .secondAccount) { second },
      .bringing(about: .bannedAccount) {
        let closed = try await project.makeAccount("robin")
        accounts.withLock { $0.append(closed) }
        try await project.ban(closed)
        return closed
      },
      .bringing(about: .secondSession) {
        let auth = SupabaseAuthService(try await device(of: account))
        return SecondSession { try await auth.refresh() }
      },
      injector.provision(.serverFails, .authFailure), injector.tooManyRequests, injector.callsAreHeld,
    ]
  }

  var devices: [Provision] {
    [
      .bringing(about: .anotherDevice) {
        Device(userID: account.userID, children: SupabaseChildrenService(try await device(of: account)))
      },
      .bringing(about: .deviceOfAnotherUser) {
        Device(userID: second.userID, children: SupabaseChildrenService(try await device(of: second)))
      },
    ]
  }
}
