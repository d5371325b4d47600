public import UnderstudyHTTP
import Foundation

/// A Supabase project in memory: its gateway, PostgREST, GoTrue, Realtime and edge functions over HTTP.
///
/// Other code may use its database and its auth server at the same time. Use it behind an `InProcessTransport` or a
/// server:
///
/// ```swift
/// let emulator = SupabaseEmulator(database: database, auth: auth)
/// let transport = InProcessTransport(to: emulator)
/// ```
///
/// - `/rest/v1/<table>`: every table of the schema `public`. Not supported: embedding other tables, casts,
///   aggregates, full-text search, `PUT`, functions.
/// - `/auth/v1/token`, `/auth/v1/user`, `/auth/v1/logout`, `/auth/v1/signup`, and with the service key
///   `/auth/v1/admin/users`.
/// - `/functions/v1/<name>`: the registered functions.
/// - `/realtime/v1/websocket`: a WebSocket, versions 1.0.0 and 2.0.0, with `postgres_changes` of every table of the
///   schema `public`. A change is sent to clients that may select it. A deletion is sent to all clients, with its key,
///   as in the real service. Broadcast, presence and private channels are refused.
public struct SupabaseEmulator: HTTPHandler {
  /// An edge function, which responds to a request of a role.
  public typealias EdgeFunction =
    @Sendable (_ request: HTTP.Request, _ caller: DatabaseRole) async throws -> HTTP.Response

  /// The tables.
  package let database: InMemoryDatabase
  /// The accounts.
  package let auth: AuthServer
  /// The key that a client sends; as a bearer token it grants the anonymous role.
  public let apiKey: String
  /// The key of the backend itself; as a bearer token it grants the service role.
  public let serviceKey: String
  /// The number of rows that a selection returns at most; `nil` for no limit.
  package let maximumRows: Int?
  /// The edge functions by their names.
  package var functions: [String: EdgeFunction]

  /// The error style of Supabase.
  public var errorStyle: HTTPErrorStyle { .supabase }

  /// Creates an emulator over a database and an auth server.
  ///
  /// - Parameters:
  ///   - database: The tables.
  ///   - auth: The accounts, over the same database.
  ///   - apiKey: The key that a client sends; as a bearer token it grants the anonymous role.
  ///   - serviceKey: The key of the backend itself; as a bearer token it grants the service role.
  ///   - maximumRows: The number of rows that a selection returns at most (`max_rows` in `supabase/config.toml`,
  ///     1,000 in a new project); `nil` for no limit.
  ///   - functions: The edge functions by their names.
  public init(
    database: InMemoryDatabase, auth: AuthServer, apiKey: String = "anon-key",
    serviceKey: String = "service-key", maximumRows: Int? = 1_000, functions: [String: EdgeFunction] = [:]
  ) {
    self.database = database
    self.auth = auth
    self.apiKey = apiKey
    self.serviceKey = serviceKey
    self.maximumRows = maximumRows.map { max(0, $0) }
    self.functions = functions
  }

  /// Responds to a request; only an edge function can throw.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let target = RequestTarget(request.url)
    let key: String
    do throws(GatewayError) {
      key = try self.key(of: request, target)
    } catch {
      return error.response
    }
    let path = target.path
    switch (path.first, path.dropFirst().first) {
    case ("rest", "v1"):
      return PostgRESTEndpoint(database: database, maximumRows: maximumRows).respond(
        to: request, target, path: Array(path.dropFirst(2)), caller: caller(of: request))
    case ("auth", "v1"):
      return AuthEndpoint(auth: auth, serviceKey: serviceKey).respond(
        to: request, target, path: Array(path.dropFirst(2)))
    case ("functions", "v1"):
      return try await callFunction(named: path.dropFirst(2).joined(separator: "/"), request)
    case ("realtime", "v1"):
      return RealtimeEndpoint(emulator: self).respond(target, path: Array(path.dropFirst(2)), key: key)
    default:
      return HTTP.Response(
        status: 404, body: .json(of: ["message": "no Stub matched with those values"]),
        contentType: "application/json; charset=utf-8")
    }
  }

  /// Returns the project's key in a request.
  private func key(of request: HTTP.Request, _ target: RequestTarget) throws(GatewayError) -> String {
    guard let key = request.fields["apikey"] ?? target["apikey"]
    else {
      throw .missingAPIKey
    }
    guard key == apiKey || key == serviceKey else { throw .invalidAPIKey }
    return key
  }

  /// Returns the role of the bearer token, otherwise that of the key.
  private func caller(of request: HTTP.Request) -> Result<DatabaseRole, PostgRESTError> {
    guard let field = request.fields["Authorization"] else {
      return .success(request.fields["apikey"] == serviceKey ? .service : .anonymous)
    }
    let token = BearerToken.token(in: field)
    switch token {
    case nil, apiKey: return .success(.anonymous)
    case serviceKey: return .success(.service)
    case ""?: return .failure(.malformedToken("Empty JWT is sent in Authorization header"))
    case let token?:
      do throws(PostgRESTError) {
        return .success(try auth.role(for: token))
      } catch {
        return .failure(error)
      }
    }
  }

  private func callFunction(named name: String, _ request: HTTP.Request) async throws -> HTTP.Response {
    guard let function = functions[name] else { return EdgeFunctionError.unknownFunction.response }
    switch caller(of: request) {
    case .success(let role): return try await function(request, role)
    case .failure: return EdgeFunctionError.invalidToken.response
    }
  }
}

/// The token of an `Authorization` field (RFC 6750 §2.1).
enum BearerToken {
  /// Returns the token; `nil` if the field has another scheme.
  static func token(in field: String) -> String? {
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first?.lowercased() == "bearer" else { return nil }
    return parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
  }
}

/// The path and the query of a request, decoded.
struct RequestTarget {
  struct Item {
    let name: String
    let value: String
  }

  /// The path segments that are not empty.
  let path: [String]
  /// The query items in the order of the request; `+` is a space, as in a form.
  let query: [Item]

  init(_ url: URL) {
    path = url.path(percentEncoded: true).split(separator: "/").map { Self.decoded(String($0)) }
    query = (url.query(percentEncoded: true) ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { Self.decoded(String($0.replacing("+", with: " "))) }
      return Item(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }

  /// The value of the first item with a name.
  subscript(name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  private static func decoded(_ text: String) -> String {
    text.removingPercentEncoding ?? text
  }
}
