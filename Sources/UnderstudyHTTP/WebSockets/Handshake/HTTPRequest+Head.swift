import Foundation

extension HTTP.Request {
  /// The HTTP/1.1 head for an origin server (RFC 9112 §3.2.1), including the blank line.
  ///
  /// - Throws: `.invalidRequest` for a field that contains line breaks or other invalid characters.
  package func head() throws(TransportError) -> [UInt8] {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let host = parts.percentEncodedHost, !host.isEmpty
    else { throw TransportError(.invalidRequest, "\(url) has no host.") }
    let path = parts.percentEncodedPath
    let target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard (target + host).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw TransportError(.invalidRequest, "\(url) is not a valid URL for a request.")
    }
    var lines = ["\(method.rawValue) \(target) HTTP/1.1"]
    if fields["Host"] == nil { lines.append("Host: " + host + (parts.port.map { ":\($0)" } ?? "")) }
    for field in fields {
      let isToken = !field.name.isEmpty && field.name.utf8.allSatisfy(HTTPResponseHead.isTokenCharacter)
      guard isToken, field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        throw TransportError(
          .invalidRequest,
          "The field \(field.name.debugDescription) contains a character that is not allowed in a field (RFC 9110 §5.5)."
        )
      }
      lines.append("\(field.name): \(field.value)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
