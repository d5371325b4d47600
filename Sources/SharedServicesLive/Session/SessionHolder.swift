import Foundation
import SharedServices
import UnderstudyHTTP
import Understudy

/// The one session of a client, and the exchange of its tokens for new ones.
///
/// An exchange runs in a task of its own and is never cancelled: the server hands out a refresh token once,
/// and an answer that nobody waits for any more would lose it. Whoever waits can leave at any time.
actor SessionHolder {
  private typealias Waiter = CheckedContinuation<Session, any Error>

  private let wire: SupabaseWire
  private var session: Session? {
    didSet { tellWatches() }
  }
  private var signIns = 0
  /// Who goes on with the session for a while.
  private var watches: [SessionWatch] = []
  /// Who waits for the exchange that is under way, for each session that has one.
  private var exchanges: [Int: [Int: Waiter]] = [:]
  private var waiters = 0

  init(wire: SupabaseWire) {
    self.wire = wire
  }

  // MARK: The session

  /// The session as it is.
  func current() throws(AppError) -> Session {
    guard let session else { throw .authentication(.notSignedIn) }
    return session
  }

  /// Starts a session in the place of any other.
  func start(_ tokens: TokenAnswer) {
    signIns += 1
    session = tokens.session(number: signIns, now: wire.time.now)
  }

  /// Ends whatever session there is, and returns it.
  func end() -> Session? {
    defer { session = nil }
    return session
  }

  /// Ends this session, unless another one has been started since.
  func end(_ ended: Session) {
    if session?.number == ended.number { session = nil }
  }

  // MARK: Whoever goes on with it

  /// Begins to tell somebody what becomes of this session.
  ///
  /// - Throws: `.network(.unauthorized)` if its user is not signed in any more.
  func watch(_ session: Session) throws(AppError) -> SessionWatch {
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

  /// The session with a token that is good for a while.
  func fresh() async throws(AppError) -> Session {
    let session = try current()
    return session.isFresh(at: wire.time.now) ? session : try await exchange(session)
  }

  /// The session after the server has refused its token with a 401.
  ///
  /// The token may have been replaced since the call was sent, and then nothing is exchanged. A call never
  /// goes on as another user.
  func replacement(for refused: Session) async throws(AppError) -> Session {
    guard let session, session.userID == refused.userID else { throw .network(.unauthorized) }
    return session.accessToken == refused.accessToken ? try await exchange(session) : session
  }

  /// New tokens for the session there is.
  func refresh() async throws(AppError) {
    do {
      _ = try await join(exchangeOf: try current())
    } catch is Overtaken {
      // Nothing is wrong with whoever has signed in since, and their tokens are new.
      if session == nil { throw .authentication(.notSignedIn) }
    } catch {
      throw error as? AppError ?? .unknown(error)
    }
  }

  /// The session with new tokens, for a call that goes on with it.
  private func exchange(_ session: Session) async throws(AppError) -> Session {
    do {
      return try await join(exchangeOf: session)
    } catch is Overtaken {
      throw .network(.unauthorized)
    } catch {
      throw error as? AppError ?? .unknown(error)
    }
  }

  /// Starts the exchange of this session's tokens, or joins the one under way.
  private func join(exchangeOf session: Session) async throws -> Session {
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

  private func startExchange(of old: Session) {
    Task {
      let outcome: Result<Session, AppError>
      do throws(AppError) {
        let tokens = try await wire.tokens(grant: "refresh_token", proof: ["refresh_token": old.refreshToken])
        outcome = .success(tokens.session(number: old.number, now: wire.time.now))
      } catch {
        outcome = .failure(error)
      }
      finishExchange(of: old, outcome)
    }
  }

  private func finishExchange(of old: Session, _ outcome: Result<Session, AppError>) {
    let waiting = exchanges.removeValue(forKey: old.number) ?? [:]
    var result = outcome.mapError { $0 as any Error }
    if session?.number == old.number {
      switch outcome {
      case .success(let renewed): session = renewed
      // The server has ended it, by one of the codes or with a 401 (AuthService.refresh); after any other
      // failure it can be tried again.
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

/// The session whose tokens were exchanged was ended on the device, or another user's has taken its place, meanwhile.
private struct Overtaken: Error {}
