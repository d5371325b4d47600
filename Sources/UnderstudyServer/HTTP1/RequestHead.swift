package import Foundation
package import UnderstudyHTTP

/// The head of a request: its request line and fields, and what they say about the exchange.
package struct RequestHead: Sendable {
  package var method: HTTP.Method
  package var url: URL
  /// The version is 1 and this (RFC 9112 §2.3).
  package var minorVersion: Int
  package var fields: HTTP.Fields
  package var framing: Framing
  /// Whether the client wants to send another request afterwards (RFC 9112 §9.3).
  package var keepsAlive: Bool
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package var expectsContinue: Bool

  /// How long the body is (RFC 9112 §6.3).
  package enum Framing: Sendable, Hashable {
    case none
    case sized(Int)
    case chunked
  }
}
