import SharedServices
public import UnderstudyTransport

/// One user's connection to a Supabase project: the session, and calls on its behalf.
///
/// The services made from one client share its session: signing in with the one lets the other read. A call
/// whose token is about to expire (30 seconds ahead), or is refused with a 401, waits for new tokens; then it
/// is sent, or sent again once. All calls that wait at the same time share one exchange of tokens.
///
/// ```swift
/// let client = SupabaseClient(.init(projectURL: url, apiKey: key), over: URLSessionTransport())
/// let (auth, children) = (SupabaseAuthService(client), SupabaseChildrenService(client))
/// ```
///
/// Reads are tried again after 503, 520 and a failed connection, as supabase-swift does; writes never are,
/// since nobody can know whether they have been done.
public final class SupabaseClient: Sendable {
  let wire: SupabaseWire
  let sessions: SessionHolder

  /// A client without a session.
  ///
  /// - Parameters:
  ///   - configuration: The project and its key.
  ///   - transport: What carries the requests; in an app, `URLSessionTransport()`.
  ///   - time: What tokens expire by and back-offs wait on.
  public init(
    _ configuration: SupabaseConfiguration, over transport: any HTTPTransport, time: Time = .system
  ) {
    wire = SupabaseWire(configuration: configuration, transport: transport, time: time)
    sessions = SessionHolder(wire: wire)
  }

  /// Makes a call as the user who is signed in and returns the body of its success.
  func send(_ call: SupabaseCall) async throws(AppError) -> Answer {
    var session = try await sessions.fresh()
    var answer = try await wire.answer(to: call, token: session.accessToken)
    if answer.status == 401 {
      session = try await sessions.replacement(for: session)
      answer = try await wire.answer(to: call, token: session.accessToken)
    }
    guard let refusal = answer.refusal(now: wire.time.now) else { return answer }
    if refusal.endsSession { await sessions.end(session) }
    throw AppError(refusal)
  }
}
