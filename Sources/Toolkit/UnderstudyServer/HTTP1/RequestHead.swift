package import Foundation
package import UnderstudyHTTP

/// The head of a request: its request line, its fields and their meaning for the exchange.
package struct RequestHead: Sendable {
  package var method: HTTP.Method
  package var url: URL
  /// The minor version of HTTP/1 (RFC 9112 §2.3).
  package var minorVersion: Int
  package var fields: HTTP.Fields
  package var framing: Framing
  /// Whether the client may send another request on the connection (RFC 9112 §9.3).
  package var keepsAlive: Bool
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package var expectsContinue: Bool

  /// The framing of the body (RFC 9112 §6.3).
  package enum Framing: Sendable, Hashable {
    case none
    case sized(Int)
    case chunked
  }
}

/// The request line (RFC 9112 §3).
struct RequestLine: Sendable {
  let method: HTTP.Method
  let target: ArraySlice<UInt8>
  /// The minor version of HTTP/1.
  let minorVersion: Int

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let methodEnd = line.firstIndex(of: .space), methodEnd > line.startIndex,
      line[..<methodEnd].allSatisfy(\.isToken)
    else {
      throw .malformed("A request begins with its method and a space (RFC 9112 §3).")
    }
    let rest = line[(methodEnd + 1)...]
    guard let targetEnd = rest.firstIndex(of: .space), targetEnd > rest.startIndex else {
      throw .malformed("The request line has no target, or no version after it (RFC 9112 §3).")
    }
    minorVersion = try Self.minorVersion(rest[(targetEnd + 1)...])
    method = Self.method(line[..<methodEnd])
    target = rest[..<targetEnd]
  }

  private static func method(_ name: ArraySlice<UInt8>) -> HTTP.Method {
    HTTP.Method(rawValue: String(decoding: name, as: UTF8.self))
  }

  /// Parses `HTTP/1.` and a digit (RFC 9112 §2.3).
  private static func minorVersion(_ version: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
    let start = version.startIndex
    guard version.count == 8, version.prefix(5).elementsEqual("HTTP/".utf8), version[start + 5].isDigit,
      version[start + 6] == UInt8(ascii: "."), version[start + 7].isDigit
    else {
      throw .malformed("The request line does not end with a version such as HTTP/1.1 (RFC 9112 §2.3).")
    }
    guard version[start + 5] == UInt8(ascii: "1") else {
      // HTTP/2 with prior knowledge begins with "PRI * HTTP/2.0" (RFC 9113 §3.4).
      throw RequestRefusal(
        505, "\(version.text) is not supported. Supported versions: HTTP/1.1, HTTP/1.0.")
    }
    return Int(version[start + 7] - UInt8(ascii: "0"))
  }
}

/// The reason why a request does not reach the handler, with the status of the response.
package struct RequestRefusal: Error, Sendable, Hashable {
  package let status: Int
  /// The reason in one sentence, for the author of the client.
  package let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
