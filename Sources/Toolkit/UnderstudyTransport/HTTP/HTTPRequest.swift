public import Foundation

/// A namespace for the values of HTTP (RFC 9110): requests, responses, header fields and bodies.
public enum HTTP {}

extension HTTP {
  /// An HTTP request with its body in memory.
  public struct Request: Sendable, Hashable {
    /// The method.
    public var method: HTTP.Method
    /// The absolute URL; its fragment is not sent (RFC 9110 §4.2.5).
    public var url: URL
    /// The header fields.
    public var fields: HTTP.Fields
    /// The bytes of the body; `nil` if the request has none, which differs from an empty body by `Content-Length: 0`.
    public var body: Data?
    /// The maximum silence before the head, and between two chunks of the body; `nil` for no limit.
    ///
    /// It has the same meaning as `URLRequest.timeoutInterval`. URLSession on Linux truncates it to whole seconds, so
    /// `URLSessionTransport` rounds a fraction up.
    public var timeout: Duration?

    /// Creates a request (default timeout: 60 seconds).
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

extension HTTP.Request {
  /// Checks that a transport can send to the URL.
  ///
  /// - Throws: `.invalidRequest` if not.
  package func checkTarget() throws(TransportError) {
    guard ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty else {
      throw TransportError(
        .invalidRequest, "Invalid URL \"\(url)\". Expected an absolute http or https URL.")
    }
  }
}

extension HTTP {
  /// The method of a request (RFC 9110 §9), which is case-sensitive.
  public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Retrieves a resource.
    public static let get = HTTP.Method(rawValue: "GET")
    /// Retrieves only the head.
    public static let head = HTTP.Method(rawValue: "HEAD")
    /// Submits data to a resource.
    public static let post = HTTP.Method(rawValue: "POST")
    /// Creates or replaces a resource.
    public static let put = HTTP.Method(rawValue: "PUT")
    /// Changes a part of a resource (RFC 5789).
    public static let patch = HTTP.Method(rawValue: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTP.Method(rawValue: "DELETE")
    /// Retrieves the communication options of a resource.
    package static let options = HTTP.Method(rawValue: "OPTIONS")
    /// Opens a tunnel through a proxy.
    package static let connect = HTTP.Method(rawValue: "CONNECT")

    /// The method as it is sent.
    public var description: String { rawValue }
  }
}
