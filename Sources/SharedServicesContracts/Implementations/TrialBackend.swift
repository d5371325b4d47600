import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive

/// One backend for one trial, on a time that costs nothing, and the conditions that it brings about by itself.
struct TrialBackend: Sendable {
  let time: ManualTime
  let services: InMemorySharedServices
  let account: Account
  let second: Account

  init(
    seed: UInt64, on tables: [DatabaseTable] = .sharedServices, replyWriter writer: ReplyWriter = .standard,
    tokenLifetime: Duration = .seconds(3600), startingAt date: Date? = nil
  ) throws {
    time = date.map { ManualTime(.jumping, startingAt: $0) } ?? ManualTime(.jumping)
    services = InMemorySharedServices(
      on: tables, seed: seed, time: time.time, tokenLifetime: tokenLifetime, replyWriter: writer)
    account = try services.addAccount("pat@example.com", password: "correct horse")
    second = try services.addAccount("kim@example.com", password: "battery staple")
  }

  /// Where a client finds it whose transport leads to no network.
  var nowhere: SupabaseConfiguration { .emulator(apiKey: services.emulator.apiKey) }

  // MARK: - Conditions of both services

  var sessionEnds: Provision {
    .bringing(about: .sessionEnded) { endSession() }
  }

  func endSession() {
    services.authServer.endSessions(of: account.userID)
    // A token that was issued holds until it expires, whatever becomes of its session.
    services.authServer.expireAccessTokens(of: account.userID)
  }

  // MARK: - Conditions of the children service

  var anotherUser: Provision {
    .bringing(about: .anotherUser) { [second] in second.userID }
  }

  var childOfAnotherUser: Provision {
    .bringing(about: .childOfAnotherUser) { [services, second] in
      // The other user's own device.
      let auth = InMemoryAuthService(server: services.authServer)
      let children = InMemoryChildrenService(database: services.database, auth: auth)
      _ = try await auth.signIn(second)
      let child = try await children.createChild(.sample(of: second.userID, named: "Alex"))
      return ForeignChild(child: child) {
        try await children.fetchChildren(userID: second.userID).first { $0.id == child.id }
      }
    }
  }

  /// A child of the user's that is stored through another device.
  var nameIsTaken: Provision {
    .bringing(about: .nameIsTaken) { [services, account] in
      let auth = InMemoryAuthService(server: services.authServer)
      let children = InMemoryChildrenService(database: services.database, auth: auth)
      _ = try await auth.signIn(account)
      return try await children.createChild(.sample(of: account.userID, named: "Taken")).name
    }
  }

  var tokenExpires: Provision {
    .bringing(about: .tokenExpired) { [services, account] in
      services.authServer.expireAccessTokens(of: account.userID)
      return refreshes
    }
  }

  /// The refreshes from now on.
  var refreshes: Refreshes {
    let before = services.authServer.exchangeCount
    return Refreshes { [services] in services.authServer.exchangeCount - before }
  }

  var timePasses: Provision {
    .bringing(about: .timePasses) { [time] in Passage { time.advance(by: $0) } }
  }

  /// Every statement, or every one on a table, runs into the server's time limit.
  func databaseFails(on table: String? = nil) -> Provision {
    .bringing(about: .serverFails, endingWith: { [services] in services.database.acceptStatements() }) {
      [services] in services.database.refuseStatements(with: .statementTimeout, on: table)
    }
  }

  // MARK: - Conditions of the authentication service

  var accounts: [Provision] {
    [
      .bringing(about: .exchangesAreUnlimited) {},
      .bringing(about: .account) { [account] in account },
      .bringing(about: .secondAccount) { [second] in second },
      .bringing(about: .bannedAccount) { [services] in
        let account = try services.addAccount("robin@example.com", password: "closed")
        services.authServer.setBanned(true, user: account.userID)
        return account
      },
    ]
  }

  /// The user's sessions on other devices, and how many there are in all.
  var sessions: [Provision] {
    [
      .bringing(about: .secondSession) { [services, account] in
        let auth = InMemoryAuthService(server: services.authServer)
        _ = try await auth.signIn(account)
        return SecondSession { try await auth.refresh() }
      },
      .bringing(about: .sessionsAreCounted) { [services, account] in
        SessionCount { services.authServer.sessionCount(of: account.userID) }
      },
    ]
  }

  var tooManyAttempts: Provision {
    .bringing(
      about: .tooManyRequests, endingWith: { [services] in services.authServer.limitRequests(0) }
    ) { [services] in
      services.authServer.limitRequests(.max, retryAfter: .seconds(30))
      return .seconds(30)
    }
  }
}

extension InMemorySharedServices {
  fileprivate func addAccount(_ email: String, password: String) throws -> Account {
    Account(email: email, password: password, userID: try addUser(email: email, password: password))
  }
}

extension SupabaseConfiguration {
  /// A project that is nowhere on the network (RFC 6761 §6.4).
  static func emulator(apiKey: String) -> SupabaseConfiguration {
    SupabaseConfiguration(
      projectURL: URL(string: "http://emulator.invalid") ?? URL(filePath: "/"), apiKey: apiKey)
  }
}
