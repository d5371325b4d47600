// Checks what supabase-swift throws for each fault that `understudy serve` can inject into a response.
//
// `client_suites` copies this file into the integration tests of a checkout of the client. It requires the program and
// a schema with the table `children` in the environment: UNDERSTUDY, UNDERSTUDY_SCHEMA.
//
// What to expect is what the client's documentation and source say: an error answer is the error type of its part, with
// the code of the body; a failure of the transport is the `URLError` of the session, because no part wraps it; Realtime
// throws nothing and reports its status.

import Foundation
import Supabase
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A fault with a status, and what each part of the client throws for it.
struct StatusFault: Sendable, CustomTestStringConvertible {
  let name: String
  let status: Int
  /// The code in the body of PostgREST and of Auth; `nil` if the body has none.
  let rest: String?
  let auth: String
  /// The short name of an error of Storage, and the status in its body.
  let storage: String?
  /// The code in the body of a function; `nil` if the relay in front of it reports the failure.
  let function: String?
  var testDescription: String { name }

  init(
    _ name: String, _ status: Int, _ rest: String?, _ auth: String, _ storage: String?, _ function: String?
  ) {
    (self.name, self.status, self.rest, self.auth) = (name, status, rest, auth)
    (self.storage, self.function) = (storage, function)
  }

  static let all = [
    StatusFault(
      "unauthorized", 401, "PGRST303", "no_authorization", "Unauthorized", "UNAUTHORIZED_INVALID_JWT"),
    StatusFault("forbidden", 403, "42501", "not_admin", "Unauthorized", "FORBIDDEN"),
    StatusFault("not-found", 404, "PGRST205", "user_not_found", "not_found", "NOT_FOUND"),
    StatusFault("not-acceptable", 406, "PGRST116", "unexpected_failure", "InvalidRequest", "NOT_ACCEPTABLE"),
    StatusFault("conflict", 409, "23505", "conflict", "Duplicate", "CONFLICT"),
    StatusFault("unprocessable", 422, "PT422", "validation_failed", "InvalidRequest", "UNPROCESSABLE"),
    StatusFault(
      "rate-limited", 429, "PT429", "over_request_rate_limit", "too_many_connections", "RATE_LIMIT"),
    StatusFault(
      "rate-limited:30s", 429, "PT429", "over_request_rate_limit", "too_many_connections", "RATE_LIMIT"),
    StatusFault("server-error", 500, "57014", "unexpected_failure", "InternalError", nil),
    StatusFault("unavailable", 503, "PGRST001", "unexpected_failure", "DatabaseError", nil),
    StatusFault("gateway-timeout", 504, "PGRST003", "request_timeout", "DatabaseTimeout", nil),
    // Statuses without a fault of their own.
    StatusFault("status:400", 400, "PT400", "unknown", "InvalidRequest", "ERROR"),
    StatusFault("status:418", 418, "PT418", "unknown", "InvalidRequest", "ERROR"),
    StatusFault("status:501", 501, "PT501", "unknown", "InternalError", "ERROR"),
  ]
}

/// A fault of the transport, and the code of the session's error.
struct TransportFault: Sendable, CustomTestStringConvertible {
  let name: String
  /// The codes that the documentation of `URLError` gives for the failure.
  let codes: Set<URLError.Code>
  let isSilent: Bool
  var testDescription: String { name }

  /// - Parameter linux: What FoundationNetworking reports instead, as it does not distinguish some failures.
  init(_ name: String, _ codes: Set<URLError.Code>, linux: URLError.Code? = nil) {
    self.name = name
    isSilent = codes == [.timedOut]
    #if canImport(FoundationNetworking)
      self.codes = linux.map { [$0] } ?? codes
    #else
      self.codes = codes
    #endif
  }

  static let all = [
    TransportFault("timeout", [.timedOut]), TransportFault("answer-lost", [.timedOut]),
    TransportFault("timeout-in-body:1", [.timedOut]),
    TransportFault("connection-refused", [.cannotConnectToHost]),
    // A server cannot cause these two; a client that does not reach it is the nearest.
    TransportFault("offline", [.cannotConnectToHost]),
    TransportFault("host-not-found", [.cannotConnectToHost]),
    TransportFault("connection-lost", [.networkConnectionLost]),
    TransportFault("reset-in-body:1", [.networkConnectionLost]),
    TransportFault("empty-reply", [.networkConnectionLost], linux: .badServerResponse),
    TransportFault("truncated-body:1", [.networkConnectionLost], linux: .unknown),
    TransportFault("truncated-chunk:1", [.networkConnectionLost], linux: .unknown),
    TransportFault("malformed-chunk:1", [.networkConnectionLost, .cannotParseResponse], linux: .unknown),
    TransportFault("garbage", [.cannotParseResponse, .badServerResponse], linux: .unsupportedURL),
    TransportFault("broken-gzip", [.cannotDecodeContentData, .cannotDecodeRawData], linux: .unknown),
    TransportFault("redirect-loop", [.httpTooManyRedirects]),
  ]
}

/// `understudy serve` with a fault at every request.
final class FaultyServer {
  let url: URL
  private let process = Process()
  private let output = Pipe()
  private var rest = Data()

  init(_ fault: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let program = try #require(environment["UNDERSTUDY"])
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "serve", "--schema", try #require(environment["UNDERSTUDY_SCHEMA"]), "--port", "0", "--fault", fault,
    ]
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      line += byte
    }
    url = try #require(URL(string: String(decoding: line, as: UTF8.self)))
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Reads the log up to a text.
  func wait(for text: String) throws {
    var read = Data()
    while read.firstRange(of: Data(text.utf8)) == nil {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "The server ended: \(String(decoding: read, as: UTF8.self))")
      read += more
    }
  }
}

/// The parts of the client over HTTP, each with one call.
struct FaultyClient: Sendable {
  let url: URL
  private let fetch: @Sendable (URLRequest) async throws -> (Data, URLResponse)
  private let headers = ["apikey": "anon-key", "Authorization": "Bearer anon-key"]

  /// - Parameter timeout: In whole seconds, as FoundationNetworking measures it.
  init(_ url: URL, timeout: TimeInterval) {
    self.url = url
    let session = URLSession(configuration: .ephemeral)
    fetch = { request in
      // The client sets 60 seconds for each request, which outweigh the time of the session.
      var request = request
      request.timeoutInterval = timeout
      return try await session.data(for: request)
    }
  }

  struct Child: Decodable {
    let name: String
  }

  /// Inserts a row.
  ///
  /// The client repeats GET and HEAD, but not this.
  func rest() async throws {
    try await postgrest.from("children").insert(["name": "Robin"]).execute()
  }

  /// Reads rows, which any client may.
  func list() async throws {
    let _: [Child] = try await postgrest.from("children").select("name").execute().value
  }

  private var postgrest: PostgrestClient {
    PostgrestClient(url: url.appendingPathComponent("rest/v1"), headers: headers, fetch: fetch)
  }

  /// Signs up.
  ///
  /// The client sends it twice after a status that may pass, and after some failures of the transport.
  func auth() async throws {
    let client = AuthClient(
      url: url.appendingPathComponent("auth/v1"), headers: headers, localStorage: NoStorage(), fetch: fetch,
      autoRefreshToken: false)
    _ = try await client.signUp(email: "\(UUID().uuidString)@example.com", password: "correct horse")
  }

  func storage() async throws {
    let fetch = fetch
    let client = SupabaseStorageClient(
      configuration: StorageClientConfiguration(
        url: url.appendingPathComponent("storage/v1"), headers: headers,
        session: StorageHTTPSession(fetch: fetch, upload: { request, _ in try await fetch(request) })))
    _ = try await client.listBuckets()
  }

  func functions() async throws {
    let client = FunctionsClient(
      url: url.appendingPathComponent("functions/v1"), headers: headers, fetch: fetch)
    try await client.invoke("send-message")
  }

  private struct NoStorage: AuthLocalStorage {
    func store(key: String, value: Data) throws {}
    func retrieve(key: String) throws -> Data? { nil }
    func remove(key: String) throws {}
  }
}

/// One case is one fault at one part of the client.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY"] != nil))
struct UnderstudyFaultsTests {
  /// The error of a call, with a server that has a fault.
  func error(
    _ fault: String, timeout: TimeInterval = 60, _ call: (FaultyClient) async throws -> Void
  ) async throws -> any Error {
    let server = try FaultyServer(fault)
    defer { withExtendedLifetime(server) {} }
    do {
      try await call(FaultyClient(server.url, timeout: timeout))
    } catch {
      return error
    }
    struct Succeeded: Error {}
    return Succeeded()
  }

  // MARK: - Statuses

  @Test(arguments: StatusFault.all) func statusOfRest(_ fault: StatusFault) async throws {
    let error = try #require(try await error(fault.name) { try await $0.rest() } as? PostgrestError)
    #expect(error.code == fault.rest)
    #expect(!error.message.isEmpty)
  }

  @Test(arguments: StatusFault.all) func statusOfAuth(_ fault: StatusFault) async throws {
    let error = try await error(fault.name) { try await $0.auth() }
    guard case AuthError.api(let message, let code, _, let response)? = error as? AuthError else {
      Issue.record("\(error)")
      return
    }
    #expect(code.rawValue == fault.auth && !message.isEmpty && message != "Unexpected error")
    #expect(response.statusCode == fault.status)
  }

  @Test(arguments: StatusFault.all) func statusOfStorage(_ fault: StatusFault) async throws {
    let error = try #require(try await error(fault.name) { try await $0.storage() } as? StorageError)
    #expect(error.error == fault.storage)
    #expect(error.statusCode == "\(fault.status)" && !error.message.isEmpty)
  }

  @Test(arguments: StatusFault.all) func statusOfFunctions(_ fault: StatusFault) async throws {
    let error = try #require(try await error(fault.name) { try await $0.functions() } as? FunctionsError)
    switch error {
    case .relayError: #expect(fault.function == nil)
    case .httpError(let code, let data):
      let body = try JSONDecoder().decode([String: String].self, from: data)
      #expect(code == fault.status && body["code"] == fault.function)
    }
  }

  @Test(arguments: StatusFault.all) func statusOfRealtime(_ fault: StatusFault) async throws {
    try await expectDisconnected(fault.name)
  }

  // MARK: - Statuses of the gateway, which no service sends

  /// Kong answers in JSON without a code.
  @Test func badGateway() async throws {
    let rest = try await error("status:502") { try await $0.rest() } as? PostgrestError
    #expect(rest?.message == "An invalid response was received from the upstream server" && rest?.code == nil)
    let auth = try await error("status:502") { try await $0.auth() } as? AuthError
    #expect(auth?.errorCode == .unknown && auth?.message == rest?.message)
    let storage = try await error("status:502") { try await $0.storage() } as? StorageError
    #expect(storage?.message == rest?.message && storage?.statusCode == nil)
    let functions = try await error("status:502") { try await $0.functions() } as? FunctionsError
    guard case .httpError(code: 502, _)? = functions else {
      Issue.record("\(String(describing: functions))")
      return
    }
    try await expectDisconnected("status:502")
  }

  /// Cloudflare answers with a text, which no part of the client decodes.
  @Test func unreachableProject() async throws {
    let rest = try await error("status:520") { try await $0.rest() } as? HTTPError
    #expect(rest?.response.statusCode == 520 && rest?.data == Data("error code: 520".utf8))
    let auth = try await error("status:520") { try await $0.auth() } as? AuthError
    #expect(auth?.errorCode == .unexpectedFailure && auth?.message == "Unexpected error")
    let storage = try await error("status:520") { try await $0.storage() } as? HTTPError
    #expect(storage?.response.statusCode == 520)
    let functions = try await error("status:520") { try await $0.functions() } as? FunctionsError
    guard case .httpError(code: 520, _)? = functions else {
      Issue.record("\(String(describing: functions))")
      return
    }
    try await expectDisconnected("status:520")
  }

  // MARK: - The transport

  @Test(arguments: TransportFault.all) func transportOfRest(_ fault: TransportFault) async throws {
    try await expect(fault) { try await $0.rest() }
  }

  @Test(arguments: TransportFault.all) func transportOfAuth(_ fault: TransportFault) async throws {
    try await expect(fault) { try await $0.auth() }
  }

  @Test(arguments: TransportFault.all) func transportOfStorage(_ fault: TransportFault) async throws {
    try await expect(fault) { try await $0.storage() }
  }

  @Test(arguments: TransportFault.all) func transportOfFunctions(_ fault: TransportFault) async throws {
    try await expect(fault) { try await $0.functions() }
  }

  @Test(arguments: TransportFault.all) func transportOfRealtime(_ fault: TransportFault) async throws {
    try await expectDisconnected(fault.name, isSilent: fault.isSilent)
  }

  private func expect(_ fault: TransportFault, of call: (FaultyClient) async throws -> Void) async throws {
    // A busy machine must not cause a timeout where none is expected.
    let error = try await error(fault.name, timeout: fault.isSilent ? 1 : 60, call)
    let code = try #require((error as? URLError)?.code, "\(error)")
    #expect(fault.codes.contains(code))
  }

  // MARK: - A body that is not JSON

  @Test func unreadableAnswer() async throws {
    #expect(try await error("unreadable-answer") { try await $0.list() } is DecodingError)
    #expect(try await error("unreadable-answer") { try await $0.auth() } is DecodingError)
    #expect(try await error("unreadable-answer") { try await $0.storage() } is DecodingError)
    // There is no function, and its status is kept.
    guard
      case .httpError(code: 404, _)? = try await error(
        "unreadable-answer", { try await $0.functions() }) as? FunctionsError
    else {
      Issue.record("The function was found.")
      return
    }
    try await expectDisconnected("unreadable-answer")
  }

  // MARK: - Realtime

  /// `connect()` throws nothing: a handshake that fails ends in the status, and one without an answer stays in it.
  private func expectDisconnected(_ fault: String, isSilent: Bool = false) async throws {
    let server = try FaultyServer(fault)
    let client = RealtimeClientV2(
      url: server.url.appendingPathComponent("realtime/v1"),
      options: RealtimeClientOptions(headers: ["apikey": "anon-key"]))
    #expect(client.status == .disconnected)
    if isSilent {
      let connecting = Task { await client.connect() }
      try server.wait(for: "the connection stays silent")
      #expect(client.status == .connecting)
      client.disconnect()
      connecting.cancel()
    } else {
      await client.connect()
    }
    #expect(client.status == .disconnected)
  }
}
