import Foundation

/// The head of an HTTP/1.1 response, parsed strictly (RFC 9112 §4 and §5).
package struct HTTPResponseHead: Sendable, Hashable {
  /// The status code.
  package let status: Int
  /// The header fields.
  package let fields: HTTP.Fields

  /// Parses a head without the blank line that ends it.
  ///
  /// - Throws: `.unreadableResponse`.
  package init(_ bytes: [UInt8]) throws(TransportError) {
    var lines = Self.lines(of: bytes)
    let statusLine = lines.removeFirst()
    // HTTP/1.1 SP 3DIGIT SP [ reason-phrase ]; the space before an absent reason is often omitted.
    let digits = statusLine.dropFirst(9).prefix(3)
    guard statusLine.starts(with: Array("HTTP/1.1 ".utf8)), digits.count == 3,
      digits.allSatisfy(Self.isDigit),
      let status = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(status),
      statusLine.count == 12 || statusLine.dropFirst(12).first == UInt8(ascii: " "),
      statusLine.allSatisfy(Self.isText)
    else { throw Self.unreadable("its first line", statusLine) }
    self.status = status
    var fields: [HTTP.Fields.Field] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy(HTTP.isTokenCharacter), line.allSatisfy(Self.isText)
      else { throw Self.unreadable("a field", line) }
      fields.append(
        HTTP.Fields.Field(
          name: String(decoding: line[..<colon], as: UTF8.self), bytes: Self.trimmed(line[(colon + 1)...])))
    }
    self.fields = HTTP.Fields(fields)
  }

  /// The lines, at least one; only CRLF ends a line.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices.dropFirst()
    where bytes[index] == UInt8(ascii: "\n") && bytes[index - 1] == UInt8(ascii: "\r") {
      lines.append(bytes[start..<max(start, index - 1)])
      start = index + 1
    }
    return lines + [bytes[start...]]
  }

  private static func unreadable(_ part: String, _ line: ArraySlice<UInt8>) -> TransportError {
    let line = String(decoding: line.prefix(80), as: UTF8.self)
    return TransportError(
      .unreadableResponse, "The head of the response is invalid: \(part) is \(line.debugDescription).")
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value.drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return value
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether a line may contain a byte (RFC 9110 §5.5): no CR, LF or NUL, nor another control character.
  private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }
}

extension HTTP.Fields.Field {
  /// Creates a field line from the bytes of its value: UTF-8, or otherwise ISO 8859-1 (RFC 9110 §5.5).
  package init(name: String, bytes: ArraySlice<UInt8>) {
    // Most values are ASCII, which needs no check.
    for byte in bytes where byte >= 0x80 {
      let text = String(exactlyUTF8: bytes)
      self.init(
        name: name, value: text ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })),
        isLatin1: text == nil)
      return
    }
    self.init(name: name, value: String(decoding: bytes, as: UTF8.self))
  }
}

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
    var head = Array("\(method.rawValue) \(target) HTTP/1.1\r\n".utf8)
    if fields["Host"] == nil {
      head += "Host: \(host)\(parts.port.map { ":\($0)" } ?? "")\r\n".utf8
    }
    for field in fields {
      let isToken = !field.name.isEmpty && field.name.utf8.allSatisfy(HTTP.isTokenCharacter)
      guard isToken, field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        throw TransportError(
          .invalidRequest,
          "The field \(field.name.debugDescription) contains a character that is not allowed in a field (RFC 9110 §5.5)."
        )
      }
      head += "\(field.name): ".utf8
      head += field.bytes
      head += "\r\n".utf8
    }
    return head + Array("\r\n".utf8)
  }
}
