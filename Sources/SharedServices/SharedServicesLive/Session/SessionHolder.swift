import Foundation
import SharedServices
import UnderstudyTransport

/// The session of a client and the exchange of its tokens.
///
/// An exchange runs in a task of its own and is never cancelled: the server issues a refresh token once, and dropping
/// its response would lose the token. Waiting callers can be cancelled at any time.
actor SessionHolder {
  private typealias Waiter = CheckedContinuation<SignedInSession, any Error>

  private let wire: SupabaseWire
  private var session: SignedInSession? {
    didSet { tellWatches() }
  }
  private var signIns = 0
  /// The watchers of the session.
  private var watches: [SessionWatch] = []
  /// The waiting callers of each exchange in progress, by session.
  private var exchanges: [Int: [Int: Waiter]] = [:]
  private var waiters = 0

  init(wire: SupabaseWire) {
    self.wire = wire
  }

  // MARK: The session

  /// Returns the current session.
  func current() throws(AppError) -> SignedInSession {
    guard let session else { throw .authentication(.notSignedIn) }
    return session
  }

  /// Starts a session, which replaces any other.
  func start(_ tokens: TokenAnswer) {
    signIns += 1
    session = tokens.session(number: signIns, now: wire.time.now)
  }

  /// Ends the current session, if any, and returns it.
  func end() -> SignedInSession? {
    defer { session = nil }
    return session
  }

  /// Ends a session, unless another one has been started since.
  func end(_ ended: SignedInSession) {
    if session?.number == ended.number { session = nil }
  }

  // MARK: Watching the session

  /// Creates a watch for the changes of a session.
  ///
  /// - Throws: `.network(.unauthorized)` if its user is no longer signed in.
  func watch(_ session: SignedInSession) throws(AppError) -> SessionWatch {
    guard let current = self.session, current.userID == session.userID else { throw .network(.unauthorized) }
    let watch = SessionWatch(current)
    watches.append(watch)
    return watch
  }

  func stop(_ watch: SessionWatch) {
    watches.removeAll { $0 === watch }
  }

  private func tellWatches() {
    watches.removeAll { !$0.goesOn(with: session) }
  }

  // MARK: New tokens

  /// Returns the session with a token that is not about to expire.
  func fresh() async throws(AppError) -> SignedInSession {
    let session = try current()
    return session.isFresh(at: wire.time.now) ? session : try await exchange(session)
  }

  /// Returns the session with a new token after the server has refused one with a 401.
  ///
  /// If the token was replaced since the call was sent, no exchange takes place. A call never continues as another
  /// user.
  func replacement(for refused: SignedInSession) async throws(AppError) -> SignedInSession {
    guard let session, session.userID == refused.userID else { throw .network(.unauthorized) }
    return session.accessToken == refused.accessToken ? try await exchange(session) : session
  }

  /// Exchanges the tokens of the current session.
  func refresh() async throws(AppError) {
    do {
      _ = try await join(exchangeOf: try current())
    } catch is Overtaken {
      // A user who has signed in since has new tokens, so this is not an error.
      if session == nil { throw .authentication(.notSignedIn) }
    } catch {
      throw error as? AppError ?? .unknown(error)
    }
  }

  /// Exchanges the tokens of a session for a call that continues with it.
  private func exchange(_ session: SignedInSession) async throws(AppError) -> SignedInSession {
    do {
      return try await join(exchangeOf: session)
    } catch is Overtaken {
      throw .network(.unauthorized)
    } catch {
      throw error as? AppError ?? .unknown(error)
    }
  }

  /// Starts the exchange of a session's tokens, or joins the one in progress.
  private func join(exchangeOf session: SignedInSession) async throws -> SignedInSession {
    waiters += 1
    let id = waiters
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        if Task.isCancelled { return waiter.resume(throwing: AppError.cancelled) }
        let isUnderWay = exchanges[session.number] != nil
        exchanges[session.number, default: [:]][id] = waiter
        if !isUnderWay { startExchange(of: session) }
      }
    } onCancel: {
      Task { await self.leave(session.number, id) }
    }
  }

  private func leave(_ number: Int, _ id: Int) {
    exchanges[number]?.removeValue(forKey: id)?.resume(throwing: AppError.cancelled)
  }

  private func startExchange(of old: SignedInSession) {
    Task {
      let outcome: Result<SignedInSession, AppError>
      do throws(AppError) {
        let tokens = try await wire.tokens(grant: "refresh_token", proof: ["refresh_token": old.refreshToken])
        outcome = .success(tokens.session(number: old.number, now: wire.time.now))
      } catch {
        outcome = .failure(error)
      }
      finishExchange(of: old, outcome)
    }
  }

  private func finishExchange(of old: SignedInSession, _ outcome: Result<SignedInSession, AppError>) {
    let waiting = exchanges.removeValue(forKey: old.number) ?? [:]
    var result = outcome.mapError { $0 as any Error }
    if session?.number == old.number {
      switch outcome {
      case .success(let renewed): session = renewed
      // The server has ended the session, with one of the codes or a 401 (`AuthService.refresh`). After any other
      // failure the exchange can be repeated.
      case .failure(.network(.unauthorized)): session = nil
      case .failure: break
      }
    } else if let session, session.userID == old.userID {
      result = .success(session)
    } else {
      result = .failure(Overtaken())
    }
    for waiter in waiting.values { waiter.resume(with: result) }
  }
}

/// The session ended on the device, or another user's replaced it, during the exchange of its tokens.
private struct Overtaken: Error {}

/// The tokens of a signed-in user.
struct SignedInSession: Sendable, Hashable {
  /// The number of the sign-in; a token exchange keeps it.
  let number: Int
  let userID: UUID
  var accessToken: String
  var refreshToken: String
  var expiresAt: Date

  /// The time before expiry at which tokens are exchanged, in seconds, as in supabase-swift.
  static let margin: TimeInterval = 30

  func isFresh(at now: Date) -> Bool {
    expiresAt.timeIntervalSince(now) > Self.margin
  }
}

/// A watch for the changes of a session.
final class SessionWatch: Sendable {
  private let state: Guarded<SignedInSession?>
  /// The session with its current token and with each later one; finishes when the session ends.
  let sessions: AsyncStream<SignedInSession>
  private let news: AsyncStream<SignedInSession>.Continuation
  private let userID: UUID

  init(_ session: SignedInSession) {
    state = Guarded(session)
    userID = session.userID
    (sessions, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    news.yield(session)
  }

  /// The session; `nil` once it has ended, which is visible as soon as the call that ended it returns.
  var session: SignedInSession? { state.withLock { $0 } }

  /// - Returns: Whether the session still belongs to the same user.
  func goesOn(with session: SignedInSession?) -> Bool {
    guard let session, session.userID == userID else {
      state.withLock { $0 = nil }
      news.finish()
      return false
    }
    let isNew = state.withLock { state in
      defer { state = session }
      return state?.accessToken != session.accessToken
    }
    if isNew { news.yield(session) }
    return true
  }
}

extension ErrorResponse {
  /// Whether the server has ended the session permanently, by the error codes that supabase-swift checks.
  var endsSession: Bool {
    switch code {
    case "session_not_found", "session_expired", "refresh_token_not_found", "refresh_token_already_used": true
    default: false
    }
  }
}
