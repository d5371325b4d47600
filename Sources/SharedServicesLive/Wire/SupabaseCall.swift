import Foundation
import UnderstudyHTTP

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
