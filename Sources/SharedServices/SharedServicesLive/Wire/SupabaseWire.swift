import Foundation
import SharedServices
import UnderstudyTransport

/// Sends calls to a project, retries reads and returns complete responses; independent of the session.
struct SupabaseWire: Sendable {
  let configuration: SupabaseConfiguration
  let transport: any HTTPTransport
  let time: ServiceTime

  /// The maximum size of a response, in bytes: far more than these services send.
  private static let bodyLimit = 16 << 20

  /// The version of Auth's error format that the services decode, in `X-Supabase-Api-Version`.
  static let authVersion = "2024-01-01"

  /// Returns the response, whatever its status.
  func answer(to call: SupabaseCall, token: String?) async throws(AppError) -> Answer {
    var request = HTTP.Request(call, configuration, token: token)
    let delays = [.get, .head].contains(call.method) ? configuration.backOff.delays : []
    do {
      for (count, delay) in delays.enumerated() {
        if let answer = try await settledAnswer(to: request) { return answer }
        try await time.sleep(for: delay)
        request.fields["X-Retry-Count"] = String(count + 1)
      }
      return try await self.answer(to: request)
    } catch let error as TransportError {
      throw AppError(error)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .unknown(error)
    }
  }

  /// Returns the head of the response, whatever its status, and a body that is still to be read; sent once.
  func response(to call: SupabaseCall, token: String?) async throws(AppError) -> HTTP.Response {
    if Task.isCancelled { throw .cancelled }
    do throws(TransportError) {
      return try await transport.send(HTTP.Request(call, configuration, token: token))
    } catch {
      throw AppError(error)
    }
  }

  /// Reads the complete body of a response.
  func whole(_ response: HTTP.Response) async throws(AppError) -> Answer {
    do throws(TransportError) {
      let body = try await response.body.collect(upTo: Self.bodyLimit)
      return Answer(status: response.status, fields: response.fields, body: body)
    } catch {
      throw AppError(error)
    }
  }

  /// Returns the response, or `nil` if another attempt may succeed.
  private func settledAnswer(to request: HTTP.Request) async throws -> Answer? {
    do {
      let answer = try await self.answer(to: request)
      return [503, 520].contains(answer.status) ? nil : answer
    } catch let error as TransportError
      where [.connectionLost, .connectionRefused, .hostNotFound].contains(error.code)
    {
      return nil
    }
  }

  private func answer(to request: HTTP.Request) async throws -> Answer {
    try Task.checkCancellation()
    let (body, response) = try await transport.data(for: request, upTo: Self.bodyLimit)
    return Answer(status: response.status, fields: response.fields, body: body)
  }
}

/// The parts of a request that differ between calls.
struct SupabaseCall: Sendable {
  var method: HTTP.Method
  /// The path below the project's URL, such as `rest/v1/children`.
  var path: String
  var query: [URLQueryItem] = []
  var fields: HTTP.Fields = [:]
  var body: Data?

  /// The media type for exactly one row; PostgREST responds with 406 otherwise (PostgREST, "Singular or Plural").
  static let singleObject = "application/vnd.pgrst.object+json"
}

extension Data {
  /// A value as JSON with sorted keys, so that equal values have equal bytes.
  static func json(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only strings, integers, booleans and null are encoded here, and encoding them cannot fail.
    return (try? encoder.encode(value)) ?? Data()
  }
}

extension HTTP.Request {
  /// Creates the request that supabase-swift sends for a call.
  ///
  /// Reads include `Content-Type` too, and without a session the key is used as the token.
  init(_ call: SupabaseCall, _ configuration: SupabaseConfiguration, token: String?) {
    var url = configuration.projectURL.appending(path: call.path)
    if !call.query.isEmpty { url.append(queryItems: call.query) }
    var fields: HTTP.Fields = [
      "apikey": configuration.apiKey,
      "Authorization": "Bearer \(token ?? configuration.apiKey)",
      "X-Client-Info": "understudy/0.1.0",
      "Accept": "application/json",
      "Content-Type": "application/json",
    ]
    for field in call.fields { fields[field.name] = field.value }
    self.init(call.method, url, fields: fields, body: call.body, timeout: configuration.timeout)
  }
}
