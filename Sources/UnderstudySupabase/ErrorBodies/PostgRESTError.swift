import Foundation
public import UnderstudyHTTP

/// A refusal as PostgREST writes it: PostgreSQL's SQLSTATE or a `PGRST…` code, with message, details and hint.
///
/// One table of statuses and bodies for everything that speaks this dialect: an emulator answers with it, a fault
/// injects it, and a document of exchanges quotes it.
public struct PostgRESTError: Error, Hashable, Sendable {
  /// A five-character SQLSTATE (PostgreSQL, appendix A) or a code of PostgREST's own (`PostgREST Error.hs`).
  public let code: String
  /// What is wrong, in one sentence for developers.
  public let message: String
  /// The values that it is about, if there is more to say.
  public let details: String?
  /// What to do about it, if somebody knows.
  public let hint: String?

  /// A refusal with these members.
  package init(code: String, message: String, details: String? = nil, hint: String? = nil) {
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
  }

  /// The status that goes with the code (`PostgREST Error.hs`).
  ///
  /// - Parameter isAuthenticated: Whether the request came with a valid token; 42501 is 403 if so, else 401.
  package func status(isAuthenticated: Bool) -> Int {
    switch code {
    case "PGRST000", "PGRST001", "PGRST002": return 503
    case "PGRST003": return 504
    case "PGRST100", "PGRST102", "PGRST108", "PGRST200", "PGRST204": return 400
    case "PGRST103": return 416
    case "PGRST106", "PGRST107", "PGRST116": return 406
    case "PGRST117": return 405
    case "PGRST201", "PGRST203": return 300
    case "PGRST125", "PGRST202", "PGRST205": return 404
    case "PGRST300": return 500
    case "PGRST301", "PGRST302", "PGRST303": return 401
    case "23503", "23505": return 409
    case "42501": return isAuthenticated ? 403 : 401
    case "42P01", "42883": return 404
    case "42P17", "53400", "21000": return 500
    case "P0001": return 400
    case "57P01": return 503
    case "25006": return 405
    default: break
    }
    switch code.prefix(2) {
    case "PT": return Int(code.dropFirst(2)).flatMap { (100..<600).contains($0) ? $0 : nil } ?? 500
    case "22", "23": return 400
    case "25", "40", "54", "55", "57", "58", "P0", "XX": return 500
    case "08", "53": return 503
    case "28", "0L", "0P": return 403
    default: return 400
    }
  }

  /// The whole answer: status, `Proxy-Status`, `WWW-Authenticate` where it is a 401, and the JSON body.
  package func response(isAuthenticated: Bool) -> HTTP.Response {
    let status = status(isAuthenticated: isAuthenticated)
    var fields: HTTP.Fields = ["Proxy-Status": "PostgREST; error=\(code)"]
    if status == 401 {
      fields["WWW-Authenticate"] =
        switch code {
        case "PGRST301", "PGRST303": #"Bearer error="invalid_token", error_description="\#(message)""#
        default: "Bearer"
        }
    }
    return HTTP.Response(
      status: status, fields: fields, body: .json(of: self), contentType: "application/json; charset=utf-8")
  }
}

extension PostgRESTError: Codable {
  private enum CodingKeys: String, CodingKey {
    case code, message, details, hint
  }

  /// Writes all four members; an absent one is `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
    try container.encode(details, forKey: .details)
    try container.encode(hint, forKey: .hint)
  }
}

extension PostgRESTError {
  /// The token's time is over (PGRST303).
  package static let tokenExpired = PostgRESTError(code: "PGRST303", message: "JWT expired")

  /// A new or changed row that the policies refuse (42501).
  package static func refusedByPolicy(table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501", message: "new row violates row-level security policy for table \"\(table)\"")
  }

  /// A value that is there already, where it must be unique (23505).
  package static func duplicateKey(
    constraint: String, columns: [String], values: [String]
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23505", message: "duplicate key value violates unique constraint \"\(constraint)\"",
      details: "Key (\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", "))) already exists.")
  }

  /// A single row was asked for, and this many were found (PGRST116).
  package static func notSingular(rows: Int) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST116", message: "Cannot coerce the result to a single JSON object",
      details: "The result contains \(rows) rows")
  }

  /// No table has this name (PGRST205).
  package static func unknownTable(_ table: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST205", message: "Could not find the table 'public.\(table)' in the schema cache")
  }

  /// A statement ran longer than the server lets it (57014).
  package static let statementTimeout = PostgRESTError(
    code: "57014", message: "canceling statement due to statement timeout")

  /// The database cannot be reached (PGRST001).
  package static let databaseUnavailable = PostgRESTError(
    code: "PGRST001", message: "Database client error. Retrying the connection.")

  /// No connection of the pool became free (PGRST003).
  package static let poolTimeout = PostgRESTError(
    code: "PGRST003", message: "Timed out acquiring connection from connection pool.")

  /// What a function of the database raises to be answered with a status of its choice (`PTxyz`).
  package static func raised(status: Int, message: String) -> PostgRESTError {
    PostgRESTError(code: "PT\(status)", message: message)
  }
}
