import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct InMemoryAuthServiceTests {
  let date: Locked<Date>
  let services: InMemorySharedServices
  let pat: UUID
  var auth: InMemoryAuthService { services.auth }

  init() throws {
    let date = Locked(Date(timeIntervalSince1970: 1_767_441_600))
    self.date = date
    services = InMemorySharedServices(time: Time(clock: ContinuousClock()) { date.withLock { $0 } })
    pat = try services.addUser(email: "Pat@example.com", password: "secret1")
  }

  private func signIn() async throws(AppError) -> UUID {
    try await auth.signIn(email: "pat@example.com", password: "secret1")
  }

  @Test func withoutASessionNoUserIsSignedIn() async throws {
    await #expect(throws: AppError.authentication(.notSignedIn)) { try await auth.currentUserID() }
    await #expect(throws: AppError.authentication(.notSignedIn)) { try await auth.refresh() }
    await #expect(throws: AppError.authentication(.notSignedIn)) {
      try await services.children.deleteChild(id: pat)
    }
    await #expect(throws: Never.self) { try await auth.signOut() }
  }

  @Test func aFailedSignInKeepsTheSession() async throws {
    #expect(try await signIn() == pat)
    for (email, password) in [("pat@example.com", "wrong"), ("unknown@example.com", "secret1")] {
      await #expect(throws: AppError.authentication(.invalidCredentials)) {
        try await auth.signIn(email: email, password: password)
      }
    }
    #expect(try await auth.currentUserID() == pat)
  }

  @Test func bannedUsersStayOut() async throws {
    _ = try await signIn()
    services.backend.setBanned(true, user: pat)
    await #expect(throws: AppError.authentication(.userBanned)) { try await signIn() }
    await #expect(throws: AppError.authentication(.userBanned)) { try await auth.refresh() }
    services.backend.setBanned(false, user: pat)
    await #expect(throws: Never.self) { try await auth.refresh() }
  }

  @Test func aRefreshThatTheServerRefusesForGoodEndsTheSession() async throws {
    _ = try await signIn()
    services.backend.limitRequests(1, retryAfter: .seconds(7))
    await #expect(throws: AppError.network(.rateLimited(retryAfter: .seconds(7)))) {
      try await auth.refresh()
    }
    #expect(try await auth.currentUserID() == pat, "a refusal that passes ends no session")
    services.backend.endSessions(of: pat)
    await #expect(throws: AppError.network(.unauthorized)) { try await auth.refresh() }
    await #expect(throws: AppError.authentication(.notSignedIn)) { try await auth.currentUserID() }
  }

  @Test func signingOutEndsTheSessionHereWhateverTheServerSays() async throws {
    _ = try await signIn()
    services.backend.limitRequests(1)
    await #expect(throws: AppError.network(.rateLimited(retryAfter: nil))) { try await auth.signOut() }
    await #expect(throws: AppError.authentication(.notSignedIn)) { try await auth.currentUserID() }

    _ = try await signIn()
    services.backend.endSessions(of: pat)
    await #expect(throws: Never.self) { try await auth.signOut() }
  }

  @Test(arguments: [0, 3601.0]) func signingOutEndsTheSessionAtTheServer(after seconds: Double) async throws {
    _ = try await signIn()
    let other = services.onAnotherDevice().auth
    _ = try await other.signIn(email: "pat@example.com", password: "secret1")
    date.withLock { $0 += seconds }
    try await auth.signOut()
    // Another device's session goes on.
    await #expect(throws: Never.self) { try await other.refresh() }
    #expect(services.backend.sessionCount(of: pat) == 1)
  }

  @Test func concurrentRefreshesAllSucceed() async throws {
    _ = try await signIn()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { [auth] in try await auth.refresh() } }
      try await group.waitForAll()
    }
    #expect(try await auth.currentUserID() == pat)
  }

  @Test func aCancelledCallChangesNothing() async throws {
    _ = try await signIn()
    let errors = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var errors: [AppError] = []
      do throws(AppError) { _ = try await signIn() } catch { errors.append(error) }
      do throws(AppError) { try await auth.signOut() } catch { errors.append(error) }
      do throws(AppError) { try await auth.refresh() } catch { errors.append(error) }
      do throws(AppError) { _ = try await auth.currentUserID() } catch { errors.append(error) }
      return errors
    }.value
    #expect(errors == Array(repeating: AppError.cancelled, count: 4))
    #expect(try await auth.currentUserID() == pat)
    #expect(services.backend.sessionCount(of: pat) == 1)
  }
}
