import SharedServices
public import Understudy
public import UnderstudyHTTP

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
/// since nobody can know whether they have been done. A time-out is not tried again, because it has already cost
/// the user as long as one call may take, nor is a device without a network, because nothing is different a second
/// later: the app can say so at once. Every other answer of a server is final.
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
  ///
  /// - Parameter meaning: What a refusal means to the app, where the call knows more than the common rule.
  func send(
    _ call: SupabaseCall, refusedAs meaning: (Refusal) -> AppError = { AppError($0) }
  ) async throws(AppError) -> Answer {
    var session = try await sessions.fresh()
    var answer = try await wire.answer(to: call, token: session.accessToken)
    if answer.status == 401 {
      session = try await sessions.replacement(for: session)
      answer = try await wire.answer(to: call, token: session.accessToken)
    }
    guard let refusal = answer.refusal(now: wire.time.now) else { return answer }
    if refusal.endsSession { await sessions.end(session) }
    throw meaning(refusal)
  }

  /// Calls an edge function as the user who is signed in and returns its success, whose body is still to come.
  ///
  /// Never tried again, but once with new tokens.
  func callFunction(_ call: SupabaseCall) async throws(AppError) -> HTTP.Response {
    var session = try await sessions.fresh()
    var response = try await wire.response(to: call, token: session.accessToken)
    if response.status == 401, !response.isOfRelay {
      session = try await sessions.replacement(for: session)
      response = try await wire.response(to: call, token: session.accessToken)
    }
    // supabase-swift looks at this before the status: what stands before the function has failed. A function that
    // is not deployed is no better; it is not what the caller asked about that was not found.
    if response.isOfRelay || response.fields["sb-error-code"] == "NOT_FOUND" { throw .network(.serverError) }
    if response.isSuccess { return response }
    let answer = try await wire.whole(response)
    let refusal =
      answer.refusal(now: wire.time.now) ?? Refusal(status: answer.status, code: nil, message: "")
    if refusal.endsSession { await sessions.end(session) }
    throw AppError(refusal)
  }
}

extension HTTP.Response {
  /// Whether the relay before the edge functions answers for itself.
  fileprivate var isOfRelay: Bool { fields["x-relay-error"] == "true" }
}
