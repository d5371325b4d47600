public import UnderstudyHTTP
import Foundation

/// A Supabase project in memory: its gateway, PostgREST, GoTrue, Storage, Realtime and edge functions over HTTP.
///
/// Other code may use its database and its auth server at the same time. Use it behind an `InProcessTransport` or a
/// server:
///
/// ```swift
/// let emulator = SupabaseEmulator(database: database, auth: auth)
/// let transport = InProcessTransport(to: emulator)
/// ```
///
/// - `/rest/v1/<table>` and `/rest/v1/rpc/<function>`: the tables, views and functions of the schema `public`, with
///   embedded relations, as PostgREST 13 with the settings of Supabase and those that the SQL sets for it (`ALTER ROLE
///   authenticator SET pgrst.db_tx_end TO …`). Not supported: the description of the API (OpenAPI), GeoJSON, plans. Such a request is refused with status 501 and the code `UNDERSTUDY`.
/// - `/auth/v1`: signing up, signing in with a password, a one-time code, a link or anonymously, recovery, verification,
///   the user, reauthentication, identities, authenticator apps as second factors, the redirection to providers of OAuth,
///   the project as such a provider, settings and health, and with the service key invitations and `/auth/v1/admin`. Not
///   supported: the answer of a provider, id tokens, the tokens of the project as a provider, SAML, Web3, passkeys and
///   second factors other than apps, which are refused as GoTrue refuses them, or with status 501; asymmetric keys. Mails
///   are kept in ``AuthServer/messages``.
/// - `/api/v1/messages`: the mails as the mail catcher of `supabase start` returns them.
/// - `/storage/v1`: buckets and objects, with the policies of `storage.buckets` and `storage.objects`, public and signed
///   URLs. Not supported: resumable uploads, the S3 protocol, the transformation of images that are not SVG, and buckets
///   of vectors and for analytics. Such a request is refused with status 501 and the code `NotSupported`.
/// - `/functions/v1/<name>`: the registered functions.
/// - `/realtime/v1/websocket`: a WebSocket, versions 1.0.0 and 2.0.0, with `postgres_changes` of every table of the
///   schema `public`. A change is sent to clients that may select it. A deletion is sent to all clients, with its key,
///   as in the real service. Broadcasts reach the other channels of their topic, also those of `POST
///   /realtime/v1/api/broadcast`, of `realtime.send` and of `realtime.broadcast_changes`. Presence is tracked for each
///   topic. The policies of `realtime.messages` decide about private channels.
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
  /// The schemas whose tables and functions have endpoints, the default one first (`schemas` of `[api]`).
  package var exposedSchemas = ["public", "graphql_public"]
  /// The schemas in which names are looked up after the requested one (`extra_search_path` of `[api]`).
  package var extraSearchPath = ["public", "extensions"]
  /// The edge functions by their names.
  package var functions: [String: EdgeFunction]

  /// The error style of Supabase.
  public var errorStyle: HTTPErrorStyle { .supabase }

  /// Creates an emulator over a database and an auth server.
  ///
  /// - Parameters:
  ///   - database: The tables.
  ///   - auth: The accounts, over the same database.
  ///   - apiKey: The key that a client sends; as a bearer token it grants the anonymous role. A token of the role `anon`
  ///     that is signed with the secret of `auth` is accepted too.
  ///   - serviceKey: The key of the backend itself; as a bearer token it grants the service role. A token of the role
  ///     `service_role` is accepted too.
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
    let service = target.path.prefix(2)
    // Functions respond to the requests of browsers themselves.
    guard service != ["functions", "v1"], let origin = CrossOrigin(request) else {
      return try await respond(to: request, target, isPreflight: CrossOrigin(request)?.isPreflight == true)
    }
    if origin.isPreflight { return origin.preflightResponse }
    return origin.sharing(try await respond(to: request, target, isPreflight: false))
  }

  private func respond(
    to request: HTTP.Request, _ target: RequestTarget, isPreflight: Bool
  ) async throws -> HTTP.Response {
    // The gateway checks no key for Storage, whose public and signed URLs have none.
    if target.path.prefix(2) == ["storage", "v1"] {
      let key = request.fields["apikey"] ?? apiKey
      return StorageEndpoint(database: database, auth: auth, caller: caller(of: request, key)).respond(
        to: request, target, path: Array(target.path.dropFirst(2)))
    }
    if target.path.prefix(2) == ["api", "v1"] {
      return MailCatcher(auth: auth).respond(to: request, target, path: Array(target.path.dropFirst(2)))
    }
    let key: String
    do throws(GatewayError) {
      key = isPreflight || Self.isOpen(target.path) ? apiKey : try self.key(of: request, target)
    } catch {
      return error.response
    }
    let path = target.path
    switch (path.first, path.dropFirst().first) {
    case ("rest", "v1"):
      let settings = RESTSettings(
        schemas: exposedSchemas, extraSearchPath: extraSearchPath, maximumRows: maximumRows)
      return PostgRESTEndpoint(database: database, settings: settings).respond(
        to: request, target, path: Array(path.dropFirst(2)), caller: caller(of: request, key))
    case ("auth", "v1"):
      return AuthEndpoint(auth: auth) { role(ofKey: $0) == .service }.respond(
        to: request, target, path: Array(path.dropFirst(2)))
    case ("functions", "v1"):
      return try await callFunction(named: path.dropFirst(2).joined(separator: "/"), request, key)
    case ("realtime", "v1"):
      return RealtimeEndpoint(emulator: self).respond(
        to: request, target, path: Array(path.dropFirst(2)), key: key)
    default:
      return HTTP.Response(
        status: 404, body: .json(of: ["message": "no Stub matched with those values"]),
        contentType: "application/json; charset=utf-8")
    }
  }

  /// Whether a path requires no key, because it is that of a link (`kong.yml` of `supabase start`).
  private static func isOpen(_ path: [String]) -> Bool {
    path.prefix(2) == ["auth", "v1"] && path.count > 2
      && ["verify", "callback", "authorize", ".well-known"].contains(path[2])
  }

  /// Returns the project's key in a request.
  private func key(of request: HTTP.Request, _ target: RequestTarget) throws(GatewayError) -> String {
    guard let key = request.fields["apikey"] ?? target["apikey"]
    else {
      throw .missingAPIKey
    }
    guard role(ofKey: key) != nil else { throw .invalidAPIKey }
    return key
  }

  /// Returns the role of a key of the project: one of the two, or a token of the role `anon` or `service_role` that is
  /// signed with the project's secret, as the keys of `supabase start` are; `nil` for any other text.
  func role(ofKey key: String) -> DatabaseRole? {
    switch key {
    case serviceKey: return .service
    case apiKey: return .anonymous
    default:
      guard let role = try? auth.role(for: key), role == .anonymous || role == .service else { return nil }
      return role
    }
  }

  /// Returns the role of the bearer token, otherwise that of the key.
  private func caller(of request: HTTP.Request, _ key: String) -> Result<DatabaseRole, PostgRESTError> {
    guard let field = request.fields["Authorization"] else {
      return .success(role(ofKey: key) ?? .anonymous)
    }
    switch BearerToken.token(in: field) {
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

  private func callFunction(
    named name: String, _ request: HTTP.Request, _ key: String
  ) async throws -> HTTP.Response {
    guard let function = functions[name] else { return EdgeFunctionError.unknownFunction.response }
    switch caller(of: request, key) {
    case .success(let role): return try await function(request, role)
    case .failure: return EdgeFunctionError.invalidToken.response
    }
  }
}

/// A request from a page of another origin (Fetch §3.2), which the gateway allows to every page.
struct CrossOrigin {
  private let request: HTTP.Request

  /// - Returns: `nil` for a request without `Origin`.
  init?(_ request: HTTP.Request) {
    guard request.fields["Origin"] != nil else { return nil }
    self.request = request
  }

  /// Whether the browser asks for permission, which takes no key.
  var isPreflight: Bool {
    request.method == .options && request.fields["Access-Control-Request-Method"] != nil
  }

  /// The response of the plugin `cors` of Kong, the gateway of `supabase start`.
  var preflightResponse: HTTP.Response {
    var fields: HTTP.Fields = [
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT",
    ]
    fields["Access-Control-Allow-Headers"] = request.fields["Access-Control-Request-Headers"]
    return HTTP.Response(status: 200, fields: fields)
  }

  /// Returns a response that the page may read, with the fields that clients use (PostgREST, `Cors.hs`).
  func sharing(_ response: HTTP.Response) -> HTTP.Response {
    var response = response
    response.fields["Access-Control-Allow-Origin"] = "*"
    response.fields["Access-Control-Expose-Headers"] =
      "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Preference-Applied, "
      + "Link, Retry-After, X-Total-Count, x-sb-error-code, X-Supabase-Api-Version"
    return response
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
