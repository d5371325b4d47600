import Observation
import Understudy

/// The profile of the user who is signed in.
///
/// The wrong one shows an answer for a user who has signed out meanwhile.
@MainActor @Observable final class ProfileModel: LoadingScreen {
  private(set) var token: SessionToken?
  private(set) var profile: String?
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private let service: any SessionService
  private let isRight: Bool

  init(service: any SessionService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func signIn(_ user: String) async {
    token = SessionToken(user: user)
    await load()
  }

  func load() async {
    guard let token else { return }
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    do {
      let loaded = try await service.profile(token)
      if isRight, load != loads { return }
      profile = loaded
    } catch {
      if isRight, load != loads { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }

  func signOut() {
    loads += 1
    (token, profile, isLoading, message) = (nil, nil, false, nil)
  }
}

extension Screen {
  static let previousUser = Screen(
    "previous user's data", "A user looks at the profile, and signs out.", breaks: "nothing.of.others"
  ) { run, isRight in
    let model = ProfileModel(service: run.intercepted(SessionServer(), as: "session"), isRight: isRight)
    run.watch(model) { $0.message ?? $0.profile ?? "signed out" }
    run.interruption("sign-out") { model.signOut() }
    run.interruption("switch-user") {
      model.signOut()
      await model.signIn("Bob")
    }
    run.always("nothing.of.others", model) { model in
      model.profile == nil || model.profile == model.token?.user
        ? nil : "\(model.token?.user ?? "signed out") sees \(model.profile ?? "")"
    }
    await run.act(on: model) { await model.signIn("Ann") }
    await run.act(on: model) { await model.load() }
  }
}

/// A client that refreshes its token when a call is refused.
actor SessionClient {
  enum Bug {
    /// Each of several refused calls refreshes the token.
    case storm
    /// A refresh that has failed is not tried again.
    case failedRefreshKept
  }

  private var token = SessionToken(user: "Ann")
  private var refreshing: Task<SessionToken, any Error>?
  private let service: any SessionService
  private let bug: Bug?

  init(service: any SessionService, bug: Bug?) { (self.service, self.bug) = (service, bug) }

  func profile() async throws -> String {
    let used = token
    do { return try await service.profile(used) } catch AppError.unauthorized {
      return try await service.profile(try await refreshed(after: used))
    }
  }

  func inbox() async throws -> [String] {
    let used = token
    do { return try await service.inbox(used) } catch AppError.unauthorized {
      return try await service.inbox(try await refreshed(after: used))
    }
  }

  private func refreshed(after used: SessionToken) async throws -> SessionToken {
    if bug == .storm {
      token = try await service.refresh(used)
      return token
    }
    if token != used { return token }
    if let refreshing { return try await refreshing.value }
    let task = Task { [service] in try await service.refresh(used) }
    refreshing = task
    defer { if bug != .failedRefreshKept { refreshing = nil } }
    token = try await task.value
    refreshing = nil
    return token
  }
}

/// A start page with a profile and an inbox, loaded at the same time.
@MainActor @Observable final class StartModel: LoadingScreen {
  private(set) var profile: String?
  private(set) var inbox: [String]?
  private(set) var isSignedIn = true
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private let client: SessionClient

  init(client: SessionClient) { self.client = client }

  func load() async {
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    async let first: Void = loadProfile()
    async let second: Void = loadInbox()
    _ = await (first, second)
    if load == loads { isLoading = false }
  }

  private func loadProfile() async {
    do { profile = try await client.profile() } catch { show(error) }
  }

  private func loadInbox() async {
    do { inbox = try await client.inbox() } catch { show(error) }
  }

  private func show(_ error: any Error) {
    if error as? AppError == .unauthorized {
      isSignedIn = false
    } else if !error.isCancellation {
      message = "\(error)"
    }
  }
}

extension Screen {
  static let unauthorizedStorm = Screen(
    "401 storm", "The session of a user expires while a page loads.", breaks: "refreshed.once"
  ) { run, isRight in
    let server = SessionServer()
    let client = SessionClient(
      service: run.intercepted(server, as: "session"), bug: isRight ? nil : .storm)
    let model = StartModel(client: client)
    run.watch(model) { $0.message ?? $0.profile ?? ($0.isSignedIn ? "nothing" : "signed out") }
    run.interruption("expire") { server.expire() }
    let failures = await run.failures { await run.act { await model.load() } }
    run.expect("loading.ends", !model.isLoading, "it still loads")
    // The client hides that a token has expired, and signs out if it cannot get another one.
    let others = failures.filter { $0.error as? AppError != .unauthorized }
    run.expect(
      "errors.shown", others.match(isShown: model.message != nil), "\(model.message ?? "") \(failures)")
    run.expect(
      "refreshed.once", server.reuses == 0 || failures.contains(where: \.mayHaveWorked), "\(failures)")
    run.expect(
      "stays.signed.in", model.isSignedIn || failures.contains { $0.fault != nil }, "\(failures)")
  }

  static let tokenRefresh = Screen(
    "token refresh", "A user comes back when the session has expired, and loads again.",
    breaks: "page.recovers"
  ) { run, isRight in
    let server = SessionServer()
    server.expire()
    let client = SessionClient(
      service: run.intercepted(server, as: "session"), bug: isRight ? nil : .failedRefreshKept)
    let model = StartModel(client: client)
    run.watch(model) { $0.message ?? $0.profile ?? ($0.isSignedIn ? "nothing" : "signed out") }
    let failures = await run.failures { await run.act { await model.load() } }
    run.expect("loading.ends", !model.isLoading, "it still loads")
    let others = failures.filter { $0.error as? AppError != .unauthorized }
    run.expect(
      "errors.shown", others.match(isShown: model.message != nil), "\(model.message ?? "") \(failures)")
    await run.withoutFaults { await model.load() }
    run.expect(
      "page.recovers", model.profile == "Ann" && model.message == nil || !model.isSignedIn,
      "it shows \(model.message ?? model.profile ?? "nothing")")
  }
}
