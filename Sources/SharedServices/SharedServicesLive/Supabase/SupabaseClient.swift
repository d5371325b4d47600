public import Foundation
import SharedServices
public import UnderstudyTransport

/// A user's connection to a Supabase project: the session, and calls on its behalf.
///
/// The services created from one client share its session. A call whose token expires within 30 seconds, or is refused
/// with a 401, waits for new tokens and is then sent, or sent again once. All calls that wait at the same time share
/// one exchange of tokens.
///
/// ```swift
/// let client = SupabaseClient(.init(projectURL: url, apiKey: key), over: URLSessionTransport())
/// let (auth, children) = (SupabaseAuthService(client), SupabaseChildrenService(client))
/// ```
///
/// Reads are retried after a 503, a 520 and a failed connection, as in supabase-swift. Writes are never retried,
/// because they may have been performed. A time-out is not retried, because it has already taken the maximum time of a
/// call. A missing network is not retried, because the app can report it at once. Every other response is final.
public final class SupabaseClient: Sendable {
  // Neither a shared instance nor bound to the main actor, as the service of seed 001 is: tests have several at once,
  // and decoding a long list would stop the screen.

  let wire: SupabaseWire
  let sessions: SessionHolder

  /// Creates a client without a session.
  ///
  /// - Parameters:
  ///   - configuration: The project and its key.
  ///   - transport: The transport that sends the requests; in an app, `URLSessionTransport()`.
  ///   - clock: The clock of back-offs, heartbeats and timeouts.
  ///   - now: The date for the expiry of tokens.
  public init(
    _ configuration: SupabaseConfiguration, over transport: any HTTPTransport,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    wire = SupabaseWire(
      configuration: configuration, transport: transport, time: ServiceTime(clock: clock, date: now))
    sessions = SessionHolder(wire: wire)
  }

  /// Sends a call as the signed-in user and returns the body of a successful response.
  ///
  /// - Parameter meaning: Maps a refusal to an error where the call is more specific than the common mapping.
  func send(
    _ call: SupabaseCall, refusedAs meaning: (ErrorResponse) -> AppError = { AppError($0) }
  ) async throws(AppError) -> Answer {
    var session = try await sessions.fresh()
    var answer = try await wire.answer(to: call, token: session.accessToken)
    if answer.status == 401 {
      session = try await sessions.replacement(for: session)
      answer = try await wire.answer(to: call, token: session.accessToken)
    }
    guard let refusal = answer.errorResponse(now: wire.time.now) else { return answer }
    if refusal.endsSession { await sessions.end(session) }
    throw meaning(refusal)
  }

  /// Selects rows as the signed-in user, in as many requests as the server's own limit requires.
  ///
  /// A server returns at most a certain number of rows (PostgREST, `db-max-rows`; 1000 in a new project of Supabase) and
  /// reports the total in `Content-Range`.
  ///
  /// - Parameter call: A selection with an order, so that no page repeats or omits a row.
  func rows<Row: Decodable>(_ type: Row.Type, of call: SupabaseCall) async throws(AppError) -> [Row] {
    var rows: [Row] = []
    while true {
      var page = call
      page.fields["Prefer"] = "count=exact"
      if !rows.isEmpty { page.query.append(URLQueryItem(name: "offset", value: String(rows.count))) }
      let answer = try await send(page)
      let found = try answer.decoded([Row].self)
      rows += found
      guard !found.isEmpty, let total = answer.totalOfRows, rows.count < total else { return rows }
    }
  }

  /// Calls an edge function as the signed-in user and returns a successful response, whose body is still to be read.
  ///
  /// It is retried only once, with new tokens after a 401.
  func callFunction(_ call: SupabaseCall) async throws(AppError) -> HTTP.Response {
    var session = try await sessions.fresh()
    var response = try await wire.response(to: call, token: session.accessToken)
    if response.status == 401, !response.isOfRelay {
      session = try await sessions.replacement(for: session)
      response = try await wire.response(to: call, token: session.accessToken)
    }
    // supabase-swift checks this before the status: the relay before the function failed. A function that is not
    // deployed is treated the same way, because the missing resource is not the one that the caller requested.
    if response.isOfRelay || response.fields["sb-error-code"] == "NOT_FOUND" { throw .network(.serverError) }
    if response.isSuccess { return response }
    let answer = try await wire.whole(response)
    let refusal =
      answer.errorResponse(now: wire.time.now) ?? ErrorResponse(status: answer.status, code: nil, message: "")
    if refusal.endsSession { await sessions.end(session) }
    throw AppError(refusal)
  }
}

extension HTTP.Response {
  /// Whether the response is from the relay before the edge functions.
  fileprivate var isOfRelay: Bool { fields["x-relay-error"] == "true" }
}

/// The location and the time limits of a Supabase project.
public struct SupabaseConfiguration: Sendable, Hashable {
  /// The root URL of the project, such as `https://abc.supabase.co`; the paths of the services are appended to it.
  public var projectURL: URL
  /// The public (anonymous or publishable) key, sent as `apikey`.
  public var apiKey: String
  /// The maximum time without any data in an exchange (default: 30 seconds).
  public var timeout: Duration
  /// The delays between the attempts of a read.
  public var backOff: BackOff

  /// Creates the configuration of a project.
  public init(
    projectURL: URL, apiKey: String, timeout: Duration = .seconds(30), backOff: BackOff = .standard
  ) {
    self.projectURL = projectURL
    self.apiKey = apiKey
    self.timeout = timeout
    self.backOff = backOff
  }
}

/// The number of retries of a call and the delays before them.
public struct BackOff: Sendable, Hashable {
  /// The delays in order, one for each retry.
  public var delays: [Duration]

  /// Creates a back-off with delays; an empty list means a single attempt.
  public init(delays: [Duration]) {
    self.delays = delays
  }

  /// A back-off of 1, 2 and 4 seconds, as in supabase-swift.
  public static let standard: BackOff = BackOff(delays: [.seconds(1), .seconds(2), .seconds(4)])

  /// A single attempt.
  public static let none: BackOff = BackOff(delays: [])
}
