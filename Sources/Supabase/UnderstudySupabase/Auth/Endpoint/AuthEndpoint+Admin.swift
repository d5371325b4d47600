import Foundation
import UnderstudyHTTP

/// The creation, change and removal of accounts by the backend, under `/admin`.
extension AuthEndpoint {
  func administer(_ request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    guard isServiceKey(try request.bearerToken) else { throw .notAdmin }
    switch path.first {
    case "users" where path.count == 1:
      if request.method == .get { return try list(request) }
      try request.expect(.post)
      return .json(try makeUser(try request.body).members)
    case "users" where path.count == 2: return try administerUser(request, path[1])
    case "users" where path.count > 2: return try administerProofs(request, path)
    case "generate_link" where path.count == 1:
      try request.expect(.post)
      return .json(try generateLink(request))
    case "oauth": return try administerClients(request, path: Array(path.dropFirst()))
    case "audit", "sso", "users", "custom-providers":
      throw .notSupported("/admin/\(path.joined(separator: "/"))")
    default: return .authNotFound
    }
  }

  private func administerUser(
    _ request: AuthRequest, _ text: String
  ) throws(AuthAPIError) -> HTTP.Response {
    guard let id = UUID(uuidString: text) else { throw .notAnID }
    let user = try auth.user(id)
    switch request.method {
    case .get: return .json(user.members)
    case .put: return .json(try auth.updateUser(id, try changes(in: try request.body)).members)
    case .delete:
      if request.hasBody, try request.body.flag("should_soft_delete") {
        try auth.obscureUser(id)
      } else {
        do throws(PostgRESTError) { try auth.removeUser(id) } catch { throw .databaseError("deleting user") }
      }
      return .json([])
    default:
      try request.expect(.get)
      return .authNotFound
    }
  }

  /// Responds to `/admin/users/<id>/factors` and `/admin/users/<id>/passkeys`; no user has a passkey.
  private func administerProofs(
    _ request: AuthRequest, _ path: [String]
  ) throws(AuthAPIError) -> HTTP.Response {
    guard let id = UUID(uuidString: path[1]) else { throw .notAnID }
    let user = try auth.user(id)
    switch (path[2], path.count) {
    case ("factors", 3):
      try request.expect(.get)
      return .json(.array(user.factors.map(\.json)))
    case ("factors", 4):
      guard let factor = UUID(uuidString: path[3]) else {
        throw AuthAPIError(status: 404, code: "validation_failed", message: "factor_id must be an UUID")
      }
      if request.method == .put { throw .notSupported("renaming a factor") }
      try request.expect(.delete)
      return .json(try auth.removeFactor(factor, of: id).json)
    case ("passkeys", 3):
      try request.expect(.get)
      return .json(.array([]))
    case ("passkeys", 4):
      try request.expect(.delete)
      throw AuthAPIError(status: 404, code: "validation_failed", message: "Passkey not found")
    default: return .authNotFound
    }
  }

  /// Returns a page of the accounts, the newest first (`adminUsers`).
  private func list(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    func number(_ name: String, default value: Int) throws(AuthAPIError) -> Int {
      guard let text = request.target[name], !text.isEmpty else { return value }
      guard let number = UInt64(text) else {
        throw .validationFailed(
          "Bad Pagination Parameters: strconv.ParseUint: parsing \"\(text)\": invalid syntax")
      }
      return Int(min(number, 1 << 30))
    }
    let filter = request.target["filter"] ?? ""
    let users = auth.users.filter { user in
      filter.isEmpty || user.email.contains(filter)
        || JSONValue.object(user.userMetadata)["full_name"]?.stringValue?.lowercased()
          .contains(filter.lowercased()) ?? false
    }
    let (page, size) = (max(1, try number("page", default: 1)), max(1, try number("per_page", default: 50)))
    let (start, overflows) = (page - 1).multipliedReportingOverflow(by: size)
    let shown = overflows ? [] : users.dropFirst(start).prefix(size).map(\.json)
    var response = HTTP.Response.json([
      .init("users", .array(shown)), .init("aud", .string("authenticated")),
    ])
    response.fields["X-Total-Count"] = String(users.count)
    response.fields["Link"] = links(from: page, of: (users.count + size - 1) / size, request)
    return response
  }

  /// Returns the links to the next and the last page (`addPaginationHeaders`).
  private func links(from page: Int, of count: Int, _ request: AuthRequest) -> String {
    func link(_ page: Int, _ relation: String) -> String {
      var query: [String: String] = [:]
      for item in request.target.query.reversed() { query[item.name] = item.value }
      query["page"] = String(page)
      return "<\(request.pathAfterGateway)?\(FormEncoding.text(of: query))>; rel=\"\(relation)\""
    }
    return (count > page ? [link(page + 1, "next")] + [link(count, "last")] : [link(count, "last")])
      .joined(separator: ", ")
  }

  private func makeUser(_ body: AuthBody) throws(AuthAPIError) -> AuthUser {
    let changes = try changes(in: body)
    let written = try body.text("id")
    let id = UUID(uuidString: written)
    guard written.isEmpty || id != nil else {
      throw .validationFailed("ID must conform to the uuid v4 format")
    }
    return try auth.createUser(id: id, changes)
  }

  /// Reads the members of a request that creates or changes an account (`AdminUserParams`).
  private func changes(in body: AuthBody) throws(AuthAPIError) -> AuthServer.Changes {
    var changes = AuthServer.Changes()
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    if !email.isEmpty { changes.email = try AuthBody.address(email) }
    if !phone.isEmpty { changes.phone = try AuthBody.number(phone) }
    if try !body.text("password_hash").isEmpty { throw .notSupported("hashed passwords") }
    let role = try body.text("role")
    guard ["", "authenticated"].contains(role) else { throw .notSupported("the role \(role)") }
    let password = try body.text("password")
    if !password.isEmpty {
      try auth.settings.check(password: password)
      changes.password = password
    }
    changes.userMetadata = try body.members("user_metadata") ?? []
    changes.appMetadata = try body.members("app_metadata") ?? []
    changes.confirmsEmail = try body.flag("email_confirm")
    changes.confirmsPhone = try body.flag("phone_confirm")
    let ban = try body.text("ban_duration")
    if !ban.isEmpty {
      guard let duration = ban == "none" ? .zero : Duration(goNotation: ban) else {
        throw .validationFailed("invalid format for ban duration: time: invalid duration \"\(ban)\"")
      }
      changes.ban = duration
    }
    return changes
  }

  /// Responds to `POST /admin/generate_link` with the user and the link (`GenerateLinkResponse`).
  private func generateLink(_ request: AuthRequest) throws(AuthAPIError) -> [JSONValue.Member] {
    let body = try request.body
    let email = try AuthBody.address(try body.text("email"))
    let type = try body.text("type")
    guard let kind = GeneratedLink.Kind(rawValue: type) else {
      throw .validationFailed("Invalid email action link type requested: \(type)")
    }
    let password = try body.text("password")
    if kind == .signup, !password.isEmpty { try auth.settings.check(password: password) }
    let changesAddress = kind == .emailChangeNew || kind == .emailChangeCurrent
    let target = request.linkTarget(try body.text("redirect_to"))
    let link = try auth.generateLink(
      GeneratedLink.Request(
        kind: kind, email: email,
        newEmail: changesAddress ? try AuthBody.address(try body.text("new_email")) : "",
        password: kind == .signup && !password.isEmpty ? password : nil,
        data: try body.members("data") ?? [], target: target))
    return link.user.members + [
      .init("action_link", .string(link.message.link?.absoluteString ?? "")),
      .init("email_otp", .string(link.message.code)),
      .init("hashed_token", .string(link.message.tokenHash)),
      .init("verification_type", .string(link.kind.rawValue)),
      .init("redirect_to", .string(target.redirection)),
    ]
  }
}

extension AuthAPIError {
  fileprivate static let notAnID = AuthAPIError(
    status: 404, code: "validation_failed", message: "user_id must be an UUID")
}

extension Duration {
  /// Reads a duration in Go's notation, such as `1h30m` (`time.ParseDuration`); `nil` for another text.
  package init?(goNotation text: String) {
    let units: [String: Double] = [
      "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
    let isNegative = text.hasPrefix("-")
    var rest = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if rest == "0" {
      self = .zero
      return
    }
    guard !rest.isEmpty else { return nil }
    var seconds = 0.0
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: /([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/),
        let number = Double(match.1.hasPrefix(".") ? "0" + match.1 : String(match.1)),
        let unit = units[String(match.2)]
      else { return nil }
      seconds += number * unit
      rest = rest[match.range.upperBound...]
    }
    // 64 bits of nanoseconds.
    guard seconds < 9.2e9 else { return nil }
    self = .seconds(isNegative ? -seconds : seconds)
  }
}
