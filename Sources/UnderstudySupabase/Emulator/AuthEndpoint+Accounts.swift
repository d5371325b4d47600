import Foundation
import UnderstudyHTTP

/// Making, closing and removing accounts: by their users, or by the backend itself.
extension AuthEndpoint {
  /// `POST /signup`: an account and its first session, as in a project that confirms no addresses.
  func signUp(_ request: HTTPRequest) throws(AuthAPIError) -> AuthSession {
    var account = try NewAccount(in: request)
    // Only the backend itself chooses ids.
    account.id = nil
    _ = try make(account, whenTaken: .userAlreadyExists)
    return try auth.signIn(email: account.email, password: account.password)
  }

  /// Everything below `/admin/users`, which the service key opens.
  func administer(_ request: HTTPRequest, path: [String]) throws(AuthAPIError) -> HTTPResponse {
    guard try bearerToken(request) == serviceKey else { throw .notAdmin }
    guard path.first == "users", path.count <= 2 else { return notFound }
    guard let text = path.dropFirst().first else {
      try expect(.post, request)
      return try userResponse(make(try NewAccount(in: request), whenTaken: .emailExists))
    }
    guard let id = UUID(uuidString: text) else {
      throw .validationFailed("user_id must be an UUID")
    }
    let user = try auth.user(id)
    switch request.method {
    case .get: break
    case .put:
      if let ban = try JSONValue(objectIn: request)["ban_duration"]?.stringValue {
        auth.setBanned(ban != "none", user: id)
      }
    case .delete:
      do throws(PostgRESTError) { try auth.removeUser(id) } catch {
        throw AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error deleting user")
      }
      return HTTPResponse(status: 200, body: Data("{}".utf8), contentType: "application/json")
    default: try expect(.get, request)
    }
    return json(.object(members(of: user)))
  }

  private func userResponse(_ id: UUID) throws(AuthAPIError) -> HTTPResponse {
    json(.object(members(of: try auth.user(id))))
  }

  private func make(_ account: NewAccount, whenTaken refusal: AuthAPIError) throws(AuthAPIError) -> UUID {
    do throws(PostgRESTError) {
      return try auth.addUser(id: account.id, email: account.email, password: account.password)
    } catch {
      throw error.code == "23505"
        ? refusal
        : AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error creating new user")
    }
  }

  /// What a request says of an account that is to be made.
  private struct NewAccount {
    var id: UUID?
    let email: String
    let password: String

    init(in request: HTTPRequest) throws(AuthAPIError) {
      let body = try JSONValue(objectIn: request)
      let written = body["id"]?.stringValue
      id = written.flatMap(UUID.init(uuidString:))
      guard written == nil || id != nil else {
        throw .validationFailed("ID must conform to the uuid v4 format")
      }
      email = body["email"]?.stringValue ?? ""
      guard email.contains("@") else {
        throw .validationFailed("Unable to validate email address: invalid format")
      }
      password = body["password"]?.stringValue ?? ""
      guard !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
      guard password.count >= 6 else { throw .weakPassword }
    }
  }
}

extension JSONValue {
  /// The object that is the body of a request.
  init(objectIn request: HTTPRequest) throws(AuthAPIError) {
    guard let body = request.body.flatMap({ try? JSONValue(parsing: $0) }), case .object = body else {
      throw AuthAPIError(status: 400, code: "bad_json", message: "Could not parse request body as JSON")
    }
    self = body
  }
}
