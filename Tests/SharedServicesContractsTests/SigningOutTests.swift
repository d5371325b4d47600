import Foundation
import SharedServices
import SharedServicesInMemory
import SharedServicesLive
import Testing
import UnderstudyBackend
import UnderstudyTransport

/// What signing out does at the server, which a clause cannot see.
struct SigningOutTests {
  enum Door: CaseIterable {
    case inMemory
    case http
  }

  let services = InMemorySharedServices()
  let user: UUID

  init() throws {
    user = try services.addUser(email: "pat@example.com", password: "secret")
  }

  /// A device on which the user is signed in.
  private func device(_ door: Door) async throws -> any AuthService {
    let auth: any AuthService
    switch door {
    case .inMemory: auth = InMemoryAuthService(server: services.authServer)
    case .http:
      let configuration = SupabaseConfiguration(
        projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: services.emulator.apiKey)
      auth = SupabaseAuthService(
        SupabaseClient(configuration, over: InProcessTransport(to: services.emulator)))
    }
    _ = try await auth.signIn(email: "pat@example.com", password: "secret")
    return auth
  }

  @Test(arguments: Door.allCases) func otherDevicesStaySignedIn(_ door: Door) async throws {
    let (one, other) = (try await device(door), try await device(door))
    try await one.signOut()
    #expect(services.authServer.sessionCount(of: user) == 1)
    try await other.refresh()
  }

  @Test(arguments: Door.allCases) func theServerForgetsASessionWhoseTokenHasExpired(_ door: Door) async throws
  {
    let auth = try await device(door)
    services.authServer.expireAccessTokens(of: user)
    try await auth.signOut()
    #expect(services.authServer.sessionCount(of: user) == 0)
  }

  @Test(arguments: Door.allCases) func aCancelledTaskSignsNobodyOut(_ door: Door) async throws {
    let auth = try await device(door)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await auth.signOut()
    }
    await #expect(throws: AppError.cancelled) { try await task.value }
    #expect(try await auth.currentUserID() == user)
    #expect(services.authServer.sessionCount(of: user) == 1)
  }
}
