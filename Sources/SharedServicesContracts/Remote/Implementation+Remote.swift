public import SharedServices
import SharedServicesLive
public import UnderstudyContracts
import UnderstudyTransport

// Conditions that are not here cannot be brought about from outside: their clauses are skipped, and say so.

extension Implementation where Subject == any AuthService {
  /// `SupabaseAuthService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    remote(project) { rig, client in
      Stage(
        SupabaseAuthService(client), provisions: rig.authentication, tearDown: { _ in try await rig.close() })
    }
  }
}

extension Implementation where Subject == any ChildrenService {
  /// `SupabaseChildrenService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    remote(project) { rig, client in
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(rig.account)
      return Stage(
        SupabaseChildrenService(client),
        provisions: rig.provisions(signedInWith: auth) + rig.refusals(on: ["/rest/v1/children"]),
        tearDown: { _ in try await rig.close() })
    }
  }
}

extension Implementation where Subject == any ConversationService {
  /// `SupabaseConversationService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    remote(project) { rig, client in
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(rig.account)
      return Stage(
        SupabaseConversationService(client),
        provisions: rig.provisions(signedInWith: auth) + rig.refusals(on: ["/rest/v1/*", "/functions/v1/*"])
          + rig.conversations,
        tearDown: { _ in try await rig.close() })
    }
  }
}

extension Implementation where Subject == any RealtimeService {
  /// `SupabaseRealtimeService` against a project somewhere else.
  public static func supabase(at project: SupabaseProject) -> Self {
    remote(project) { rig, client in
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(rig.account)
      return Stage(
        SupabaseRealtimeService(client, over: rig.transport),
        provisions: rig.provisions(signedInWith: auth) + rig.devices,
        tearDown: { _ in try await rig.close() })
    }
  }
}

extension Implementation {
  fileprivate static func remote(
    _ project: SupabaseProject,
    _ stage: @escaping @Sendable (RemoteRig, SupabaseClient) async throws -> Stage<Subject>
  ) -> Self {
    Implementation("server") { _ in
      let rig = try await RemoteRig(project)
      do {
        return try await stage(
          rig, SupabaseClient(project.configuration, over: rig.transport, time: rig.time))
      } catch {
        // Without a stage there is no tear-down.
        try? await rig.close()
        throw error
      }
    }
  }
}
