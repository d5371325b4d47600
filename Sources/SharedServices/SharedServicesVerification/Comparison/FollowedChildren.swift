import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesLive
package import Understudy

/// The children of a device and the subscriptions to their changes, which a comparison needs together: without a call
/// that changes a child, a subscription has nothing to deliver.
package struct FollowedChildren: Sendable {
  let children: any ChildrenService
  let realtime: any RealtimeService
}

extension Implementation where Subject == FollowedChildren {
  /// The doubles.
  package static var inMemory: Self {
    Implementation("in-memory") { trial in
      let project = try InMemoryTrial(trial)
      _ = try await project.server.auth.signIn(project.account)
      project.setUpSession(of: project.server.auth)
      return FollowedChildren(children: project.server.children, realtime: project.server.realtime)
    }
  }

  /// The live services over the emulator.
  package static var supabase: Self {
    Implementation("supabase-over-emulator") { trial in
      let project = try SupabaseTrial(trial)
      let connection = try await project.connection(over: .emulator)
      let client = connection.client()
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(project.account)
      project.setUpSession(of: auth)
      return FollowedChildren(
        children: SupabaseChildrenService(client),
        realtime: SupabaseRealtimeService(client, over: connection.transport))
    }
  }
}

extension Contract where Subject == FollowedChildren {
  /// The calls whose arguments a comparison varies.
  package static var followedChildren: Self {
    Contract("followed-children") {
      Clause("followed-children.calls", "A device that follows its children receives its own changes.") {
        trial in
        let user = try await trial.given(.signedIn)
        let changes = try await trial.subject.realtime.childChanges()
        for name in ["Robin", "Zoë"] {
          var child = try await trial.subject.children.createChild(.sample(of: user, named: name))
          child.age = 9
          child = try await trial.subject.children.updateChild(child)
          _ = try await trial.subject.children.fetchChildren(userID: user)
          try await trial.subject.children.deleteChild(id: child.id)
        }
        trial.expect(try await changes.first { _ in true } != nil, "Expected a change.")
      }
    }
  }
}

extension ServiceOperations where Subject == FollowedChildren {
  /// The calls of both services.
  package static var followedChildren: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some ChildrenService) -> any ChildrenService {
          Intercepted(base, by: .observer(observer))
        }
        func observed(_ base: some RealtimeService) -> any RealtimeService {
          Intercepted(base, by: .observer(observer))
        }
        return FollowedChildren(children: observed(base.children), realtime: observed(base.realtime))
      },
      ServiceOperation("createChild(_:)") { base, child in try await base.children.createChild(child) },
      ServiceOperation("fetchChildren(userID:)") { base, userID in
        try await base.children.fetchChildren(userID: userID)
      },
      ServiceOperation("updateChild(_:)") { base, child in try await base.children.updateChild(child) },
      ServiceOperation("deleteChild(id:)") { base, id in try await base.children.deleteChild(id: id) },
      ServiceOperation(stream: "childChanges()") { base in try await base.realtime.childChanges() })
  }
}
