package import Foundation
package import SharedServices
package import UnderstudyTransport

/// A response with its complete body.
package struct Answer: Sendable {
  var status: Int
  var fields: HTTP.Fields
  package let body: Data

  package init(status: Int, fields: HTTP.Fields, body: Data) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Decodes the body.
  ///
  /// - Throws: `.network(.unreadableAnswer)` if the body is not JSON of the expected type.
  func decoded<Value: Decodable>(_ type: Value.Type) throws(AppError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: body)
    } catch {
      throw .network(.unreadableAnswer)
    }
  }

  /// The number of all rows of a selection, of which the body may have fewer; `nil` if it was not requested.
  var totalOfRows: Int? {
    fields["Content-Range"].flatMap { $0.split(separator: "/").last }.flatMap { Int($0) }
  }

  /// Returns the response as an error response; `nil` for a success.
  ///
  /// - Parameter now: The date from which a `Retry-After` date counts.
  package func errorResponse(now: Date) -> ErrorResponse? {
    guard !(200..<300).contains(status) else { return nil }
    let said = try? JSONDecoder().decode(ErrorBody.self, from: body)
    return ErrorResponse(
      status: status,
      code: said?.code ?? fields["x-sb-error-code"] ?? codeInProxyStatus,
      message: said?.message ?? "",
      retryAfter: fields["Retry-After"].flatMap { RetryAfter($0, now: now)?.delay })
  }

  /// PostgREST repeats its code in `Proxy-Status: PostgREST; error=<code>`, which survives a lost body.
  private var codeInProxyStatus: String? {
    guard let status = fields["Proxy-Status"], let place = status.range(of: "; error=") else { return nil }
    return String(status[place.upperBound...].prefix { $0 != ";" })
  }
}

/// The error bodies of PostgREST, of GoTrue in both its forms, and of the gateway.
private struct ErrorBody: Decodable {
  let code: String?
  let message: String?

  private enum CodingKeys: String, CodingKey {
    case code, message
    case errorCode = "error_code"
    case legacyMessage = "msg"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) -> String? { try? container.decode(String.self, forKey: key) }
    // In GoTrue's legacy form `code` is the status as a number, which does not decode as a string.
    code = text(.errorCode) ?? text(.code)
    message = text(.message) ?? text(.legacyMessage)
  }
}

/// The value of a `Retry-After` field (RFC 9110 §10.2.3): seconds, or a date.
struct RetryAfter: Hashable {
  /// The delay, from zero for a past date to one day at most.
  let delay: Duration

  /// Parses the value of a field; `nil` if it is neither seconds nor a date.
  init?(_ text: String, now: Date) {
    let longest = 86_400
    let text = text.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number that overflows `Int` exceeds the maximum.
      delay = .seconds(min(Int(text) ?? longest, longest))
      return
    }
    guard let date = Self.date(text) else { return nil }
    delay = .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
  }

  /// Parses all three date formats of HTTP (RFC 9110 §5.6.7).
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in [
      "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}

extension AppError {
  /// Creates the app's error for a transport error: the only place that maps them.
  ///
  /// An untrusted server counts as a missing connection, because the user cannot act differently. The transport's error
  /// is kept only for a mistake of the app itself.
  package init(_ error: TransportError) {
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .network(.timeout)
    case .offline, .hostNotFound, .connectionRefused, .untrusted: self = .network(.noConnection)
    case .connectionLost: self = .network(.connectionLost)
    case .unreadableResponse, .bodyTooLarge, .tooManyRedirects: self = .network(.unreadableAnswer)
    case .webSocketRefused:
      // A success or a redirect is an unexpected response to a WebSocket request.
      if let refusal = error.cause as? WebSocketRefusal, refusal.status >= 400 {
        self.init(ErrorResponse(status: refusal.status, code: nil, message: error.message))
      } else {
        self = .network(.unreadableAnswer)
      }
    default: self = .unknown(error)
    }
  }
}

extension AppError {
  /// Creates the app's error for a WebSocket that could not be opened, with the delay that the server asks for.
  ///
  /// - Parameter now: The date from which a `Retry-After` date counts.
  init(connecting error: TransportError, now: Date) {
    guard let refusal = error.cause as? WebSocketRefusal, refusal.status == 429 else {
      self.init(error)
      return
    }
    let delay = refusal.fields["Retry-After"].flatMap { RetryAfter($0, now: now)?.delay }
    self = .network(.rateLimited(retryAfter: delay))
  }
}
