public import SharedServices
import SharedServicesLive
public import Understudy
import UnderstudyHTTP
import SharedServicesContracts

// Conditions that are not here cannot be brought about from outside: their clauses are skipped, and say so.

extension Implementation where Subject == any AuthService {
  /// `SupabaseAuthService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    remote(project) { rig, client in
      (SupabaseAuthService(client), rig.authentication)
    }
  }
}

extension Implementation where Subject == any ChildrenService {
  /// `SupabaseChildrenService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    signedIn(project) { rig, client in
      (SupabaseChildrenService(client), rig.refusals(on: ["/rest/v1/children"]))
    }
  }
}

extension Implementation where Subject == any ConversationService {
  /// `SupabaseConversationService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    signedIn(project) { rig, client in
      (
        SupabaseConversationService(client),
        rig.refusals(on: ["/rest/v1/*", "/functions/v1/*"]) + rig.conversations
      )
    }
  }
}

extension Implementation where Subject == any RealtimeService {
  /// `SupabaseRealtimeService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    signedIn(project) { rig, client in
      (SupabaseRealtimeService(client, over: rig.transport), rig.devices)
    }
  }
}

extension Implementation {
  /// A service for whoever signs in before the clause begins, and what it is given beyond what all of those are.
  fileprivate static func signedIn(
    _ project: SupabaseProject,
    _ make: @escaping @Sendable (RemoteRig, SupabaseClient) -> (Subject, provisions: [Provision])
  ) -> Self {
    remote(project) { rig, client in
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(rig.account)
      let (subject, provisions) = make(rig, client)
      return (subject, rig.provisions(signedInWith: auth) + provisions)
    }
  }

  fileprivate static func remote(
    _ project: SupabaseProject,
    _ make: @escaping @Sendable (RemoteRig, SupabaseClient) async throws -> (Subject, provisions: [Provision])
  ) -> Self {
    Implementation("server") { _ in
      let rig = try await RemoteRig(project)
      do {
        let (subject, provisions) = try await make(
          rig, SupabaseClient(project.configuration, over: rig.transport, time: rig.time))
        return Stage(subject, provisions: provisions, tearDown: { _ in try await rig.close() })
      } catch {
        // Without a stage there is no tear-down.
        try? await rig.close()
        throw error
      }
    }
  }
}
