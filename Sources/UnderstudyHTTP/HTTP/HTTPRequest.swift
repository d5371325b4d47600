public import Foundation

/// The values of HTTP (RFC 9110): requests, responses, header fields and bodies.
public enum HTTP {}

extension HTTP {
  /// A request, its body in memory.
  public struct Request: Sendable, Hashable {
    /// The method.
    public var method: HTTP.Method
    /// An absolute URL, of which a fragment is not sent (RFC 9110 §4.2.5).
    public var url: URL
    /// The header fields.
    public var fields: HTTP.Fields
    /// The bytes of the body; `nil` is no body, which differs from an empty one by `Content-Length: 0`.
    public var body: Data?
    /// The longest silence that is borne: before the head, and between two chunks of the body.
    ///
    /// The same meaning as `URLRequest.timeoutInterval`. URLSession on Linux cuts it to whole seconds, so
    /// `URLSessionTransport` rounds a fraction up. `nil` waits for ever.
    public var timeout: Duration?

    /// A request; silence is borne for a minute unless said otherwise.
    public init(
      _ method: HTTP.Method, _ url: URL, fields: HTTP.Fields = [:], body: Data? = nil,
      timeout: Duration? = .seconds(60)
    ) {
      self.method = method
      self.url = url
      self.fields = fields
      self.body = body
      self.timeout = timeout
    }
  }
}
