public import Foundation

extension HTTP {
  /// An HTTP response: the head, and a body that arrives chunk by chunk.
  public struct Response: Sendable {
    /// The status code (RFC 9110 §15), 100 to 599.
    public var status: Int
    /// The header fields.
    public var fields: HTTP.Fields
    /// The body, which may still be arriving.
    public var body: HTTP.Body
    /// How the body is divided into events, for faults in its stream.
    ///
    /// It is `nil` if `Content-Type` names the framing, or if the body is not a stream of events. It is not sent.
    public var eventFraming: EventFraming?
    /// The reason phrase (RFC 9112 §4); `nil` for that of the status.
    package var reason: String?
    /// The trailers, which a server sends after a body in chunks; `nil` without trailers.
    package var trailers: Trailers?
    /// Whether the body still has the coding of its `Content-Encoding`, because the transport cannot decode it.
    package var hasEncodedBody = false
    /// What follows an accepted WebSocket handshake.
    package var webSocketSession: WebSocketSession?

    /// Creates a response.
    public init(status: Int, fields: HTTP.Fields = [:], body: HTTP.Body = .empty) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    /// Whether the status is successful (RFC 9110 §15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }
  }
}

extension HTTP.Response {
  /// Creates a response with a body in memory and its `Content-Type`.
  public init(status: Int, fields: HTTP.Fields = [:], body: Data, contentType: String) {
    self.init(status: status, fields: fields, body: HTTP.Body(body))
    self.fields["Content-Type"] = contentType
  }
}

extension HTTP.Response {
  /// Creates a response with a value as its JSON body.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - status: The status code.
  ///   - encoder: The encoder.
  /// - Throws: The error of the encoder.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
  ) throws -> HTTP.Response {
    let sorting = JSONEncoder()
    sorting.outputFormatting = .sortedKeys
    return HTTP.Response(
      status: status, body: try (encoder ?? sorting).encode(value), contentType: "application/json")
  }
}

extension HTTP {
  /// The reason phrase of a status (RFC 9110 §15, RFC 6585); empty if it has none.
  package static func reasonPhrase(of status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 418: "I'm a teapot"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    // The phrase may be empty (RFC 9112 §4).
    default: ""
    }
  }
}
