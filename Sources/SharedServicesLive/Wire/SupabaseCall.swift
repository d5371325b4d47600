import Foundation
import UnderstudyHTTP

/// One call, without what every call has in common.
struct SupabaseCall: Sendable {
  var method: HTTP.Method
  /// Below the project's URL, such as `rest/v1/children`.
  var path: String
  var query: [URLQueryItem] = []
  var fields: HTTP.Fields = [:]
  var body: Data?

  /// What PostgREST answers with exactly one row, or 406 (PostgREST, "Singular or Plural").
  static let singleObject = "application/vnd.pgrst.object+json"
}

extension HTTP.Request {
  /// The call as supabase-swift sends it.
  ///
  /// `Content-Type` goes with reads too, and without a session the key is the token.
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
