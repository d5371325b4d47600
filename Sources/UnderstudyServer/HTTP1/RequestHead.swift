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
