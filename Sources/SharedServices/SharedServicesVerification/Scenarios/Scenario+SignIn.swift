import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A parent signs in, comes back later, renews the session, and signs out.
  public static let signIn: Scenario = Scenario(
    "signIn",
    "A parent mistypes the password, signs in, renews the session, looks at the children, and signs out."
  ) { run in
    let backend = InMemorySharedServices(seed: run.seed, time: run.time)
    let user = try backend.addUser(email: "pat@example.com", password: "secret1")
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let profile = ProfileViewModel(auth: auth, children: backend.children)
    run.watch(auth) { SignInScreen($0) }
    try run.interruptByUsers(of: auth, on: backend)
    run.interruption("sign-in") {
      (auth.email, auth.password) = ("pat@example.com", "secret1")
      await auth.signIn()
    }
    run.interruption("restore") { await auth.restore() }
    run.interruption("refresh") { await auth.refresh() }
    run.interruption("reload") { await profile.loadChildren() }
    run.expectOwnChildren(profile, of: auth) { $0.children }

    @MainActor func act(
      _ name: String, _ action: @escaping @MainActor () async -> Void, in operation: String? = nil,
      ofBase expected: AppError? = nil
    ) async -> [FailedCall] {
      auth.dismissMessage()
      // A sign-out that fails also asks whether there is still a session.
      let failures = await run.act(named: name, action).filter { failure in
        failure.error as? AppError != expected
          && (operation ?? failure.point.operation) == failure.point.operation
      }
      run.expectLoadingEnded(auth.isLoading)
      if run.isUndisturbed { run.expectMessage(auth.errorMessage, after: failures) }
      compare()
      return failures
    }
    @MainActor func compare() {
      let shown: UUID? = if case .signedIn(let user) = auth.state { user } else { nil }
      // A session that a fault has ended for the app may still be there; the next call finds out.
      run.expect(
        "screen.matches.store", shown == nil || shown == backend.auth.userID,
        "the state is \(auth.state), and the device has \(backend.auth.userID == nil ? "no" : "a") session")
      run.expect(
        "nothing.of.others", auth.state != .signedOut || profile.children.isEmpty,
        "no user is signed in, and it shows \(profile.children.map(\.name))")
    }
    @MainActor func signIn(_ password: String) async -> Bool {
      (auth.email, auth.password) = ("pat@example.com", password)
      let failures = await act("sign-in", auth.signIn)
      guard run.isUndisturbed else { return failures.isEmpty }
      if failures.isEmpty {
        run.expect("nothing.kept", auth.password.isEmpty, "the password is still in its field")
      } else {
        run.expect(
          "nothing.lost", (auth.email, auth.password) == ("pat@example.com", password),
          "the fields have \"\(auth.email)\" and \"\(auth.password)\"")
      }
      return failures.isEmpty
    }

    _ = await act("restore", auth.restore, ofBase: .authentication(.notSignedIn))
    if run.isUndisturbed {
      run.expect(
        "screen.matches.store", auth.userID == nil, "the state is \(auth.state) without a session")
    }
    _ = await signIn("wrong")
    if await !signIn("secret1") { _ = await signIn("secret1") }
    if auth.userID == user {
      await run.withoutFaults {
        _ = try? await backend.children.createChild(
          NewChild(userID: user, name: "Robin", age: 8, birthday: CalendarDate(run.time.now, in: .gmt)))
        await profile.loadChildren()
      }
      let failures = await act("refresh", auth.refresh)
      if run.isUndisturbed { run.expectSession(auth, after: failures) }
      _ = await act("restore", auth.restore, ofBase: .authentication(.notSignedIn))
    }
    _ = await act("sign-out", auth.signOut, in: "auth.signOut")
    if run.isUndisturbed {
      run.expect(
        "screen.matches.store", auth.state == .signedOut && backend.auth.userID == nil,
        "the state is \(auth.state) after a sign-out")
    }
    await run.withoutFaults {
      run.expect(
        "screen.matches.store",
        await signIn("secret1") && auth.state == .signedIn(user) && backend.auth.userID == user
          && auth.errorMessage == nil, SignInScreen(auth).description)
    }
  }
}

/// The content of the sign-in screen.
private struct SignInScreen: Equatable, Sendable, CustomStringConvertible {
  let state: AuthViewModel.State
  let isLoading: Bool
  let message: String?

  @MainActor init(_ model: AuthViewModel) {
    state = model.state
    isLoading = model.isLoading
    message = model.errorMessage
  }

  var description: String {
    let name =
      switch state {
      case .unknown: "unknown"
      case .signedOut: "signed out"
      case .signedIn: "signed in"
      case .expired: "expired"
      }
    return name + (isLoading ? ", loading" : message.map { ", failed: \($0)" } ?? "")
  }
}
