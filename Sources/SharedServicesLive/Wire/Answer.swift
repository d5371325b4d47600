package import Foundation
package import SharedServices
package import UnderstudyHTTP

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

  /// Returns the refusal in the response; `nil` for a success.
  ///
  /// - Parameter now: The date from which a `Retry-After` date counts.
  package func refusal(now: Date) -> Refusal? {
    guard !(200..<300).contains(status) else { return nil }
    let said = try? JSONDecoder().decode(ErrorBody.self, from: body)
    return Refusal(
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
