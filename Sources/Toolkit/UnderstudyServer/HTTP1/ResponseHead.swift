import Foundation
import UnderstudyHTTP

/// The framing of a response and its effect on the connection.
struct ResponseHead: Sendable {
  /// The way in which the client detects the end of the body (RFC 9112 §6).
  enum Framing: Sendable, Hashable {
    /// No body is sent, even if the handler returned one.
    case none
    case sized(Int)
    case chunked
    /// The body ends when the connection is closed.
    case untilClose
  }

  let framing: Framing
  /// Whether the connection closes after the response.
  let closes: Bool
  private let response: HTTP.Response
  private let request: RequestHead
  /// The content length to add to the handler's fields.
  private let addedLength: Int?

  /// Creates the head of a response.
  ///
  /// - Parameters:
  ///   - response: A response that HTTP/1.1 can carry.
  ///   - request: The request that it answers.
  ///   - isLast: Whether the server accepts no further requests.
  init(_ response: HTTP.Response, to request: RequestHead, isLast: Bool) {
    self.response = response
    self.request = request
    var closes =
      response.status != 101 && (isLast || !request.keepsAlive || Self.asksToClose(response.fields))
    var addedLength: Int?
    let chunks = response.body.chunksInMemory
    // Several chunks are sent as separate chunks.
    let known = chunks.flatMap { $0.count <= 1 ? $0.first?.count ?? 0 : nil }
    let declared = response.fields["Content-Length"]
    if !response.mayHaveBody || request.method == .head {
      framing = .none
      if response.mayHaveBody, declared == nil { addedLength = known }
    } else if let declared {
      framing = Self.length(declared).map { .sized($0) } ?? .untilClose
      if framing == .untilClose { closes = true }
    } else if let known, response.trailers?.fields.isEmpty ?? true {
      framing = .sized(known)
      addedLength = known
    } else if request.minorVersion > 0 {
      framing = .chunked
    } else {
      framing = .untilClose
      closes = true
    }
    self.closes = closes
    self.addedLength = addedLength
  }

  /// Writes the status line, the fields and the blank line.
  func write(date: [UInt8], to output: inout [UInt8]) {
    StatusLine.write(response.status, response.reason, to: &output)
    var hasDate = false
    var upgrades = false
    for field in response.fields {
      switch field.name.utf8.count {
      case 4 where field.isNamed("date"):
        hasDate = true
      case 7 where field.isNamed("upgrade"):
        upgrades = true
      case 10 where field.isNamed("connection"), 17 where field.isNamed("transfer-encoding"):
        // Connection-specific fields are the server's responsibility (RFC 9110 §7.6.1).
        continue
      case 14 where field.isNamed("content-length"):
        // Not allowed in a response that never has a body (RFC 9110 §8.6).
        if response.status < 200 || response.status == 204 { continue }
      default:
        break
      }
      output.append(contentsOf: field.name.utf8)
      output.append(contentsOf: ": ".utf8)
      if field.isLatin1 {
        output.append(contentsOf: field.bytes)
      } else {
        output.append(contentsOf: field.value.utf8)
      }
      output.append(contentsOf: "\r\n".utf8)
    }
    if !hasDate { output.append(contentsOf: date) }
    if let addedLength {
      output.append(contentsOf: "Content-Length: ".utf8)
      output.appendDecimal(addedLength)
      output.append(contentsOf: "\r\n".utf8)
    }
    if framing == .chunked { output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8) }
    // A sender of `Upgrade` must also send it as a connection option (RFC 9110 §7.8).
    if upgrades { output.append(contentsOf: "Connection: Upgrade\r\n".utf8) }
    if closes {
      // A server that dies does not announce it, and some clients take the end of a connection that was announced for
      // the end of the body.
      if !response.body.breaksOff { output.append(contentsOf: "Connection: close\r\n".utf8) }
    } else if request.minorVersion == 0 {
      output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    }
    output.append(contentsOf: "\r\n".utf8)
  }

  private static func asksToClose(_ fields: HTTP.Fields) -> Bool {
    fields.contains { field in
      field.isNamed("connection") && ArraySlice(field.value.utf8).listElements.contains { $0.isWord("close") }
    }
  }

  /// The value of a `Content-Length`; `nil` if it is invalid.
  static func length(_ text: String) -> Int? {
    text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

extension HTTP.Response {
  /// Whether a response with this status can have a body (RFC 9110 §6.4.1).
  var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }
}

extension HTTP.Fields.Field {
  /// Whether the field has a name, given in lower case.
  func isNamed(_ name: StaticString) -> Bool {
    guard self.name.utf8.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in zip(self.name.utf8, name).allSatisfy { $0.lowercased == $1 } }
  }
}

extension HTTP.Fields.Field {
  /// Whether the field is valid, and allowed in trailers: not one that concerns the framing (RFC 9110 §6.5.1).
  var isSendableTrailer: Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isToken) && value.utf8.allSatisfy(\.isFieldContent)
      && !["content-length", "transfer-encoding", "connection", "trailer"].contains(name.lowercased())
  }
}

extension [UInt8] {
  /// Appends a non-negative number in decimal.
  mutating func appendDecimal(_ number: Int) {
    append(contentsOf: String(number).utf8)
  }

  /// Appends the line before a chunk (RFC 9112 §7.1).
  ///
  /// The chunk must not be empty, because it would end the body.
  mutating func appendChunkSize(_ count: Int) {
    append(contentsOf: String(count, radix: 16).utf8)
    append(contentsOf: "\r\n".utf8)
  }
}
