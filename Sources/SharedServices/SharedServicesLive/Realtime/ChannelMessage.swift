import Foundation
import SharedServices
import UnderstudyTransport

/// A message to the server in version 2.0.0 of the protocol: an array of five elements.
struct ChannelMessage<Payload: Encodable & Sendable>: Encodable, Sendable {
  var joinRef: String?
  var ref: String?
  var topic: String
  var event: String
  var payload: Payload

  func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(joinRef)
    try parts.encode(ref)
    try parts.encode(topic)
    try parts.encode(event)
    try parts.encode(payload)
  }

  var text: String { String(decoding: Data.json(of: self), as: UTF8.self) }
}

/// The payload of a join: subscribes to every change of the children that the user may see.
struct ChannelJoin: Encodable, Sendable {
  struct Config: Encodable, Sendable {
    struct Binding: Encodable, Sendable {
      var event = "*"
      var schema = "public"
      var table = "children"
    }

    var postgresChanges = [Binding()]

    private enum CodingKeys: String, CodingKey {
      case postgresChanges = "postgres_changes"
    }
  }

  var config = Config()
  var token: AccessTokenPayload

  func encode(to encoder: any Encoder) throws {
    try token.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(config, forKey: .config)
  }

  private enum CodingKeys: String, CodingKey {
    case config
  }
}

/// The payload that replaces a channel's access token.
struct AccessTokenPayload: Encodable, Sendable {
  var accessToken: String

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
  }
}

/// An empty payload.
struct EmptyPayload: Encodable, Sendable {}

/// A message from the server.
struct ServerMessage: Decodable, Sendable {
  enum Content: Sendable {
    /// `phx_reply`, with a reason in case of an error.
    case reply(isOK: Bool, reason: String)
    /// `system`: the state of a part of the channel.
    case system(sender: String, isOK: Bool, message: String)
    /// `postgres_changes`.
    case change(RowChangeMessage)
    /// `phx_close` or `phx_error`: the channel has ended.
    case end
    /// A message of another type, which is ignored.
    case other
  }

  let ref: String?
  let topic: String
  let content: Content

  init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    _ = try parts.decodeIfPresent(String.self)
    ref = try parts.decodeIfPresent(String.self)
    topic = try parts.decode(String.self)
    switch try parts.decode(String.self) {
    case "phx_reply":
      let reply = try parts.decode(Reply.self)
      content = .reply(isOK: reply.status == "ok", reason: reply.response.reason ?? "")
    case "system":
      let system = try parts.decode(System.self)
      content = .system(sender: system.extension, isOK: system.status == "ok", message: system.message)
    case "postgres_changes": content = .change(try parts.decode(Change.self).data)
    case "phx_close", "phx_error": content = .end
    default: content = .other
    }
  }

  private struct Reply: Decodable {
    struct Response: Decodable {
      let reason: String?
    }

    let status: String
    let response: Response
  }

  private struct System: Decodable {
    let `extension`: String
    let status: String
    let message: String
  }

  private struct Change: Decodable {
    let data: RowChangeMessage
  }
}

/// A change of a row of the table `children`.
enum RowChangeMessage: Decodable, Sendable {
  case inserted(Child)
  case updated(Child)
  /// A deleted row.
  ///
  /// The server reports only the primary key, not the owner.
  case deleted(id: UUID)

  init(from decoder: any Decoder) throws {
    let change = try decoder.container(keyedBy: CodingKeys.self)
    // The server reports errors with a change that it could not send completely.
    if let errors = try change.decodeIfPresent([String].self, forKey: .errors), !errors.isEmpty {
      throw DecodingError.dataCorruptedError(
        forKey: .errors, in: change, debugDescription: errors.joined(separator: " "))
    }
    switch try change.decode(String.self, forKey: .type) {
    case "INSERT": self = .inserted(try change.decode(ChildRow.self, forKey: .record).child)
    case "UPDATE": self = .updated(try change.decode(ChildRow.self, forKey: .record).child)
    case "DELETE": self = .deleted(id: try change.decode(RowID.self, forKey: .oldRecord).id)
    case let type:
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: change, debugDescription: "Unknown type of change: \(type).")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case type, record, errors
    case oldRecord = "old_record"
  }
}

/// The id of a row; other columns are ignored.
struct RowID: Decodable, Sendable {
  let id: UUID
}

/// The server's reason for refusing a join or shutting down a channel.
///
/// The only code is the first word of a join's reason (`RealtimeChannel.join`); the message of a shutdown has none
/// (`RealtimeChannel.shutdown_response`).
struct ChannelRefusal: Error, Sendable {
  let message: String

  /// Whether the server might accept another token.
  var concernsToken: Bool {
    switch code {
    case "InvalidJWTToken", "MalformedJWT", "JwtSignatureError", "JwtSignerError": true
    default:
      ["Token has expired", "The token provided", "Fields `role` and `exp`", ":signature_error"]
        .contains { message.hasPrefix($0) }
    }
  }

  /// The app's error for the refusal.
  var error: AppError {
    if concernsToken { return .network(.unauthorized) }
    switch code {
    case "Unauthorized", "PrivateOnly": return .network(.forbidden)
    case "ChannelRateLimitReached", "ConnectionRateLimitReached", "ClientJoinRateLimitReached",
      "DatabaseConnectionRateLimitReached":
      return .network(.rateLimited(retryAfter: nil))
    default: return .network(.serverError)
    }
  }

  private var code: Substring { message.prefix { $0 != ":" } }
}
