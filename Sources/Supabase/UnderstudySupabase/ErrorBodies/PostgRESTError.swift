import Foundation
package import UnderstudyHTTP

/// An error response of PostgREST: an SQLSTATE of PostgreSQL or a `PGRST…` code, with a message, details and a hint.
///
/// It is the only source of the statuses and bodies of PostgREST, for emulators, faults and recordings.
public struct PostgRESTError: Error, Hashable, Sendable {
  /// The five-character SQLSTATE (PostgreSQL, appendix A), or the code of PostgREST itself (`PostgREST Error.hs`).
  public let code: String
  /// The message for developers, in one sentence.
  public let message: String
  /// The affected values, if any.
  package let details: String?
  /// The suggested remedy, if any.
  package let hint: String?
  /// The relationships among which an embedding does not choose (PGRST201); they are the details then.
  package let candidates: [Candidate]?

  /// A relationship that an embedding could mean.
  package struct Candidate: Hashable, Sendable, Codable {
    package let cardinality: String
    package let embedding: String
    package let relationship: String

    package init(cardinality: String, embedding: String, relationship: String) {
      self.cardinality = cardinality
      self.embedding = embedding
      self.relationship = relationship
    }
  }

  /// Creates an error from its members.
  package init(
    code: String, message: String, details: String? = nil, hint: String? = nil, candidates: [Candidate]? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
    self.candidates = candidates
  }

  /// Returns the HTTP status of the code (`PostgREST Error.hs`).
  ///
  /// - Parameter isAuthenticated: Whether the request had a valid token; 42501 then has status 403, otherwise 401.
  package func status(isAuthenticated: Bool) -> Int {
    switch code {
    case "PGRST000", "PGRST001", "PGRST002": return 503
    case "PGRST003": return 504
    case "PGRST100", "PGRST102", "PGRST108", "PGRST114", "PGRST115", "PGRST118", "PGRST120", "PGRST122",
      "PGRST123", "PGRST124", "PGRST127", "PGRST128", "PGRST200", "PGRST204":
      return 400
    case "PGRST101", "PGRST105": return 405
    case "PGRST111", "PGRST112", "PGRST121": return 500
    case "PGRST103": return 416
    case "PGRST106", "PGRST107", "PGRST116": return 406
    case "PGRST117": return 405
    case "PGRST201", "PGRST203": return 300
    case "PGRST125", "PGRST202", "PGRST205": return 404
    case "PGRST300": return 500
    case Self.notSupportedCode: return 501
    case "PGRST301", "PGRST302", "PGRST303": return 401
    case "23503", "23505": return 409
    case "42501": return isAuthenticated ? 403 : 401
    case "42P01", "42883": return 404
    // One of `safeupdate` is the fault of the client.
    case "21000": return message.hasSuffix("requires a WHERE clause") ? 400 : 500
    case "42P17", "53400": return 500
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

  /// Returns the response: the status, `Proxy-Status`, `WWW-Authenticate` for status 401, and the JSON body.
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
      status: status, fields: fields, body: .json(of: PostgRESTErrorBody(error: self)),
      contentType: "application/json; charset=utf-8")
  }
}

extension PostgRESTError: Decodable {
  private enum CodingKeys: String, CodingKey {
    case code, message, details, hint
  }

  /// Reads the body of an error response.
  ///
  /// Details that list candidates are kept as such.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let candidates = try? container.decodeIfPresent([Candidate].self, forKey: .details)
    self.init(
      code: try container.decode(String.self, forKey: .code),
      message: try container.decode(String.self, forKey: .message),
      details: candidates == nil ? try container.decodeIfPresent(String.self, forKey: .details) : nil,
      hint: try container.decodeIfPresent(String.self, forKey: .hint), candidates: candidates)
  }
}

extension PostgRESTError {
  /// The code of every request that the real service would answer and the emulator cannot.
  package static let notSupportedCode = "UNDERSTUDY"

  /// Returns the error for a request that the real service would answer and the emulator cannot (status 501).
  ///
  /// It is never one of the service's own errors, which a client could take for the truth.
  ///
  /// - Parameter feature: What is not supported, as the end of a sentence.
  package static func notSupported(_ feature: String) -> PostgRESTError {
    PostgRESTError(
      code: notSupportedCode, message: "The emulator does not support \(feature).",
      hint: "The real service may. Test this against a real project.")
  }
}

/// The body of the response: all four members; a missing one is `null`.
private struct PostgRESTErrorBody: Encodable {
  let error: PostgRESTError

  private enum CodingKeys: String, CodingKey {
    case code, message, details, hint
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(error.code, forKey: .code)
    try container.encode(error.message, forKey: .message)
    if let candidates = error.candidates {
      try container.encode(candidates, forKey: .details)
    } else {
      try container.encode(error.details, forKey: .details)
    }
    try container.encode(error.hint, forKey: .hint)
  }
}

extension PostgRESTError {
  /// The error for an expired token (PGRST303).
  package static let tokenExpired = PostgRESTError(code: "PGRST303", message: "JWT expired")

  /// Returns the error for a new or changed row that the policies refuse (42501).
  package static func refusedByPolicy(table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501", message: "new row violates row-level security policy for table \"\(table)\"")
  }

  /// Returns the error for a duplicate of a unique value (23505).
  package static func duplicateKey(
    constraint: String, columns: [String], values: [String]
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23505", message: "duplicate key value violates unique constraint \"\(constraint)\"",
      details: "Key (\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", "))) already exists.")
  }

  /// Returns the error for another number of rows than the requested single row (PGRST116).
  package static func notSingular(rows: Int) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST116", message: "Cannot coerce the result to a single JSON object",
      details: "The result contains \(rows) rows")
  }

  /// Returns the error for an unknown table (PGRST205).
  package static func unknownTable(
    _ table: String, schema: String = "public", suggestion: String? = nil
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST205", message: "Could not find the table '\(schema).\(table)' in the schema cache",
      hint: suggestion)
  }

  /// The error for a statement that exceeds the time limit of the server (57014).
  package static let statementTimeout = PostgRESTError(
    code: "57014", message: "canceling statement due to statement timeout")

  /// The error for a database that cannot be reached (PGRST001).
  package static let databaseUnavailable = PostgRESTError(
    code: "PGRST001", message: "Database client error. Retrying the connection.")

  /// The error for a connection pool without a free connection (PGRST003).
  package static let poolTimeout = PostgRESTError(
    code: "PGRST003", message: "Timed out acquiring connection from connection pool.")

  /// Returns the error that a database function raises to select the status of the response (`PTxyz`).
  package static func raised(status: Int, message: String) -> PostgRESTError {
    PostgRESTError(code: "PT\(status)", message: message)
  }
}
