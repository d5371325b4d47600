public import SharedServices
package import SharedServicesInMemory
package import UnderstudyBackend
public import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTrials

extension Implementation where Subject == any ConversationService {
  /// `InMemoryConversationService` behind an `Intercepted`, with a writer that fails as it is told.
  public static var inMemory: Self { inMemory() }

  /// The same on other tables, or with something around it that knows the backend: for mutants.
  package static func inMemory(
    on tables: [Table] = .sharedServices,
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject = { subject, _ in subject }
  ) -> Self {
    Implementation("in-memory") { trial in
      let streams = StreamInjector(closesAtOnce: true)
      let backend = try TrialBackend(
        seed: trial.seed, on: tables, replyWriter: streams.intercept(.standard))
      let injector = Injector<InMemoryConversationService>(time: backend.time)
      _ = try await backend.services.auth.signIn(backend.account)
      return Stage(
        wrap(injector.intercept(backend.services.conversations), backend.services),
        provisions: backend.provisions(ofConversationsSignedInWith: backend.services.auth)
          + injector.failuresOnTheWay + injector.brokenStreams + streams.provisions
          + [
            backend.tokenExpires, backend.sessionEnds, backend.databaseFails(), injector.tooManyRequests,
            injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseConversationService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self {
    SupabaseTrials.conversations.implementation(over: route)
  }
}

extension TrialBackend {
  /// The conditions that every conversation service gets from the backend, and from the writer that it has.
  func provisions(ofConversationsSignedInWith auth: some AuthService) -> [Provision] {
    provisions(signedInWith: auth) + [
      .bringing(about: .child) { [services, account] in
        let device = try await services.device(of: account)
        return try await device.children.createChild(.sample(of: account.userID))
      },
      .bringing(about: .conversationOfAnotherUser) { [services, second] in
        let device = try await services.device(of: second)
        let child = try await device.children.createChild(.sample(of: second.userID))
        return try await .held(
          by: InMemoryConversationService(database: services.database, auth: device.auth), about: child)
      },
      .bringing(about: .answerNamesSources) { ReplyWriter.sources },
      .bringing(about: .lastChunkIsEmpty) {},
    ]
  }
}

extension InMemorySharedServices {
  /// A new device on which somebody is signed in.
  func device(
    of account: Account
  ) async throws -> (auth: InMemoryAuthService, children: InMemoryChildrenService) {
    let auth = InMemoryAuthService(server: authServer)
    _ = try await auth.signIn(account)
    return (auth, InMemoryChildrenService(database: database, auth: auth))
  }
}
