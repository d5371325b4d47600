import Foundation
import UnderstudyHTTP

/// The redirection with which GoTrue responds to a link.
struct Redirection {
  private let address: String

  init(to address: String) {
    self.address = address
  }

  /// The session in the fragment, which browsers do not send to servers (`AsRedirectURL`).
  func response(with session: AuthSession, type: String) -> HTTP.Response {
    let fragment = FormEncoding.text(of: [
      "access_token": session.accessToken, "token_type": "bearer",
      "expires_in": String(session.lifetime.components.seconds),
      "expires_at": String(Int64(session.expiresAt.timeIntervalSince1970)),
      "refresh_token": session.refreshToken, "type": type, "sb": "",
    ])
    return response(to: address + "#" + fragment)
  }

  /// An error in the fragment, and in the PKCE flow also in the query (`prepErrorRedirectURL`).
  func response(reporting error: AuthAPIError, inQuery: Bool) -> HTTP.Response {
    let names = [
      400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 500: "server_error",
      503: "temporarily_unavailable",
    ]
    var parameters = ["error_code": error.code, "error_description": error.message]
    parameters["error"] = names[error.status]
    return response(
      query: inQuery ? parameters : [:], fragment: parameters.merging(["sb": ""]) { $1 })
  }

  /// Adds parameters to the query and replaces the fragment.
  func response(query: [String: String], fragment: [String: String] = [:]) -> HTTP.Response {
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let halves = (parts.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var text = String(parts.first ?? "")
    if !query.isEmpty {
      var all: [String: String] = [:]
      for item in URLComponents(string: address)?.queryItems ?? [] { all[item.name] = item.value ?? "" }
      text = (halves.first ?? "") + "?" + FormEncoding.text(of: all.merging(query) { $1 })
    }
    // Go encodes the percent signs of a fragment once more.
    if !fragment.isEmpty {
      text += "#" + FormEncoding.text(of: fragment).replacing("%", with: "%25")
    } else if parts.count > 1 {
      text += "#" + parts[1]
    }
    return response(to: text)
  }

  private func response(to location: String) -> HTTP.Response {
    HTTP.Response(status: 303, fields: ["Location": location])
  }
}

extension AuthSettings {
  /// Whether a link may lead to an address (`IsRedirectURLValid`).
  func allowsRedirection(to address: String) -> Bool {
    guard !address.isEmpty, let url = URL(string: address), let own = URL(string: siteURL) else {
      return false
    }
    let host = url.host(percentEncoded: false) ?? ""
    let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(host)
    // The port of a native application's server is not known beforehand (RFC 8252 §7.3).
    if own.host(percentEncoded: false) ?? "" == host, own.scheme == url.scheme,
      isLoopback || own.port == url.port
    {
      return true
    }
    if host.wholeMatch(of: /[0-9]+/) != nil { return false }
    if host.wholeMatch(of: /[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*/) != nil {
      return host.hasPrefix("127.") || host == "::1"
    }
    let matched = address.prefix { $0 != "#" }
    return redirectURLs.contains { Self.matches(Array(matched.utf8), Array($0.utf8)) }
  }

  /// Whether a pattern matches a whole text, from the end of the pattern to its start.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    // For each place, whether the rest of the text matches the rest of the pattern.
    var rest = [Bool](repeating: false, count: text.count) + [true]
    var place = pattern.count
    while place > 0 {
      place -= 1
      var next = [Bool](repeating: false, count: text.count + 1)
      let byte = pattern[place]
      let isAny = byte == UInt8(ascii: "*") && place > 0 && pattern[place - 1] == byte
      if isAny { place -= 1 }
      for index in stride(from: text.count, through: 0, by: -1) {
        let isSeparator = index < text.count && [UInt8(ascii: "."), UInt8(ascii: "/")].contains(text[index])
        switch byte {
        case UInt8(ascii: "*"):
          next[index] = rest[index] || index < text.count && next[index + 1] && (isAny || !isSeparator)
        case UInt8(ascii: "?"): next[index] = index < text.count && rest[index + 1] && !isSeparator
        default: next[index] = index < text.count && rest[index + 1] && text[index] == byte
        }
      }
      rest = next
    }
    return rest[0]
  }
}
