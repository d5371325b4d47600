public import Foundation
public import SharedServices
import SharedServicesLive
public import Understudy
public import UnderstudyHTTP
import SharedServicesContracts

/// What a client of any make needs to reach the backend of one trial.
public struct SupabaseAccess: Sendable {
  /// The root of the project.
  public let projectURL: URL
  /// What every request brings as `apikey`.
  public let apiKey: String
  /// The way to the backend; requests that do not take it find nothing.
  ///
  /// A client that insists on a `URLSession` is given
  /// `URLSession(configuration: .over(access.transport))`.
  public let transport: any HTTPTransport
}

extension Implementation where Subject == any ChildrenService {
  /// A children service on somebody else's client, over the backend in memory.
  ///
  /// The backend refuses, expires and fails by itself; what happens on the way is injected behind the client.
  ///
  /// - Parameters:
  ///   - client: The name of the client in reports.
  ///   - makeServices: Makes a fresh client for a trial: what signs in with it, and the service.
  public static func supabase(
    through client: String,
    _ makeServices:
      @escaping @Sendable (SupabaseAccess) throws -> (
        auth: any AuthService, children: any ChildrenService
      )
  ) -> Self {
    Implementation(client) { trial in
      // Such a client compares the time at which a token ends with the device's clock.
      let rig = try EmulatorRig(seed: trial.seed, startingAt: Date())
      let services = try makeServices(
        SupabaseAccess(
          projectURL: rig.configuration.projectURL, apiKey: rig.configuration.apiKey, transport: rig.transport
        ))
      _ = try await services.auth.signIn(rig.backend.account)
      return Stage(
        services.children,
        provisions: SupabaseTrials.children.ofEmulator(rig, services.auth) + [rig.injector.callsAreHeld])
    }
  }
}
