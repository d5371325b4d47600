import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A request with its parsed fields and query, and the definitions of the database.
struct PostgRESTExchange {
  let request: HTTP.Request
  /// The relation or the function.
  let name: QualifiedName
  let role: DatabaseRole
  let query: RequestQuery
  let preferences: Preferences
  let form: ResponseForm
  let catalogue: Catalogue
  private let path: String
  private let endpoint: PostgRESTEndpoint

  init(
    _ endpoint: PostgRESTEndpoint, _ request: HTTP.Request, _ target: RequestTarget, name: QualifiedName,
    role: DatabaseRole, isCall: Bool
  ) throws(PostgRESTError) {
    self.endpoint = endpoint
    self.request = request
    self.name = name
    self.role = role
    path = "/" + target.path.dropFirst(2).joined(separator: "/")
    catalogue = endpoint.database.catalogue
    query = try RequestQuery(
      target.query, takesArguments: isCall && (request.method == .get || request.method == .head))
    preferences = Preferences(
      request.fields, allowsTransactionOverride: endpoint.settings.allowsTransactionOverride)
    form = try ResponseForm(accept: request.fields["Accept"], allowsPlans: endpoint.settings.allowsPlans)
  }

  var relationships: Relationships { Relationships(catalogue, schema: name.schema ?? "public") }

  var allowsAggregates: Bool { endpoint.settings.allowsAggregates }

  /// The name of a table for injected refusals: without its schema if that is `public`.
  var subject: String { name.schema == "public" ? name.name : name.description }

  // MARK: Running

  /// The result of a statement, with what its functions set for the response.
  struct Outcome: Sendable {
    var body = Data()
    /// The number of rows in the result, or of changed rows.
    var rows = 0
    /// The number of rows that a selection has without its limit.
    var total: Int?
    /// The key of the new row.
    var location: [(name: String, value: String)] = []
    /// The number of rows that an upsert inserted, instead of updating them.
    var inserted: Int?
    var status: Int?
    var fields: [HTTP.Fields.Field] = []
  }

  /// Runs a statement in a transaction, and rolls it back if `body` throws.
  func transaction(
    reads: Bool, subject: (kind: StatementKind, table: String)?,
    _ body: (Session) throws(PostgRESTError) -> Outcome
  ) throws(PostgRESTError) -> Outcome {
    // `Plan.hs` checks them once the request is planned.
    try preferences.check()
    // `MainTx.hs`, `optionalRollback`.
    let rollsBack =
      preferences.transaction == .rollback
      || endpoint.settings.rollsBack && preferences.transaction != .commit
    return try endpoint.database.transaction(
      as: role, reads ? .read : rollsBack ? .trial : .write, settings: settings, subject: subject
    ) { (session) throws(PostgRESTError) -> Outcome in
      session.isReadOnly = reads
      let schema = name.schema ?? "public"
      let schemas = [schema] + endpoint.settings.extraSearchPath.filter { $0 != schema }
      session.set("search_path", to: schemas.map { "\"\($0)\"" }.joined(separator: ", "), isLocal: true)
      // `Query/PreQuery.hs`, `txVarQuery`: the settings of the role, and then the preferences of the request.
      let zones = [role.name, "authenticator"].compactMap { catalogue.roles[$0]?.settings["timezone"] }
      if let zone = preferences.timeZone ?? zones.first { session.set("timezone", to: zone, isLocal: true) }
      var outcome = try body(session)
      try readSettings(session, into: &outcome)
      return outcome
    }
  }

  /// The settings that functions can read (`Query/PreQuery.hs`).
  private var settings: [String: String] {
    var headers: [String: String] = [:]
    for field in request.fields where field.name.lowercased() != "cookie" {
      headers[field.name.lowercased()] = field.value
    }
    var cookies: [String: String] = [:]
    for part in (request.fields["Cookie"] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if pair.count == 2 { cookies[pair[0]] = pair[1] }
    }
    func json(_ members: [String: String]) -> String {
      JSONValue.object(members.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        .compactText
    }
    // The connection is the authenticator's, and begins with its settings.
    var settings = catalogue.roles["authenticator"]?.settings ?? [:]
    settings["search_path"] = nil
    return settings.merging([
      "request.method": request.method.rawValue, "request.path": path, "request.headers": json(headers),
      "request.cookies": json(cookies),
    ]) { $1 }
  }

  /// Reads `response.status` and `response.headers` (`Response.hs`, `overrideStatusHeaders`).
  private func readSettings(_ session: Session, into outcome: inout Outcome) throws(PostgRESTError) {
    if let status = session.setting("response.status"), !status.isEmpty {
      guard let number = Int(status.prefix { $0.isNumber }) else {
        throw PostgRESTError(
          code: "PGRST112", message: "response.status guc must be a valid status code")
      }
      outcome.status = number
    }
    guard let headers = session.setting("response.headers"), !headers.isEmpty else { return }
    let invalid = PostgRESTError(
      code: "PGRST111",
      message:
        "response.headers guc must be a JSON array composed of objects with a single key and a string value")
    guard case .array(let elements)? = try? JSONValue(parsing: Data(headers.utf8)) else { throw invalid }
    for element in elements {
      guard case .object(let members) = element, members.count == 1,
        case .string(let value) = members[0].value
      else { throw invalid }
      outcome.fields.append(HTTP.Fields.Field(name: members[0].name, value: value))
    }
  }

  // MARK: Responding

  /// Checks the number of rows in a result (`MainTx.hs`).
  ///
  /// - Parameter isLimited: Whether `max-affected` applies.
  /// - Throws: PGRST116 if a single object was requested and the number is not 1; PGRST124.
  func checkCount(_ rows: Int, isLimited: Bool = false) throws(PostgRESTError) {
    if form.isSingular, rows != 1 { throw .notSingular(rows: rows) }
    if isLimited, preferences.isStrict, let most = preferences.maximumAffected, rows > most {
      throw .tooManyAffected(rows: rows)
    }
  }

  /// Returns a response, with the status and the fields that functions set.
  ///
  /// - Parameter hasBody: Whether the rows are returned.
  func response(
    _ outcome: Outcome, status: Int, _ fields: HTTP.Fields, hasBody: Bool
  ) -> HTTP.Response {
    var fields = fields
    if hasBody, endpoint.settings.schemas.count > 1 || request.fields["Accept-Profile"] != nil {
      fields["Content-Profile"] = name.schema
    }
    // Fields of functions replace those of PostgREST.
    for field in outcome.fields { fields[field.name] = nil }
    for field in outcome.fields { fields.append(name: field.name, value: field.value) }
    let status = outcome.status ?? status
    guard hasBody else { return HTTP.Response(status: status, fields: fields) }
    let type = fields["Content-Type"] ?? form.contentType
    fields["Content-Type"] = nil
    return HTTP.Response(
      status: status, fields: fields, body: request.method == .head ? Data() : outcome.body, contentType: type
    )
  }
}

/// The response that a function raises as a whole with the SQLSTATE `PGRST` (`Error.hs`, `parseRaisePGRST`).
enum RaisedResponse {
  static func response(to error: PostgRESTError) -> HTTP.Response? {
    guard error.code == "PGRST" else { return nil }
    func refused(_ details: String, hint: String) -> HTTP.Response {
      PostgRESTError(
        code: "PGRST121", message: "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
        details: details,
        hint: hint
      ).response(isAuthenticated: true)
    }
    let message = try? JSONValue(parsing: Data(error.message.utf8))
    guard let code = message?["code"]?.stringValue, let text = message?["message"]?.stringValue else {
      return refused(
        "Invalid JSON value for MESSAGE: '\(error.message)'",
        hint:
          "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details',"
          + " 'hint'.")
    }
    let hint =
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
    guard let detail = error.details else {
      return refused("DETAIL is missing in the RAISE statement", hint: hint)
    }
    let parsed = try? JSONValue(parsing: Data(detail.utf8))
    guard let status = parsed?["status"]?.integerValue, case .object(let headers)? = parsed?["headers"] else {
      return refused("Invalid JSON value for DETAIL: '\(detail)'", hint: hint)
    }
    let raised = PostgRESTError(
      code: code, message: text, details: message?["details"]?.stringValue,
      hint: message?["hint"]?.stringValue)
    var response = raised.response(isAuthenticated: true)
    response.status = status
    for header in headers { response.fields[header.name] = header.value.stringValue }
    return response
  }
}
