public import UnderstudyHTTP

/// Rules for matching a request with a recorded one.
///
/// Secrets are compared separately: see ``ReplayingTransport``. The fields of a WebSocket handshake (RFC 6455 §4.1),
/// such as `Sec-WebSocket-Key`, and fragments are always ignored.
///
/// ```swift
/// RequestMatching(body: .json(ignoring: ["$.requestId"]))
/// RequestMatching(parts: .all.subtracting(.origin), ignoredQueryItems: ["timestamp"])
/// RequestMatching(rules: [.init("tenant") { $0.fields["X-Tenant"]?.lowercased() }])
/// ```
public struct RequestMatching: Sendable {
  /// The method and the parts of a URL (RFC 3986 §3).
  public struct Parts: OptionSet, Sendable, Hashable {
    /// One bit for each part.
    public let rawValue: Int

    /// Creates a set of parts from its bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The method.
    public static let method: Parts = Parts(rawValue: 1)
    /// The scheme; `ws` equals `http`, and `wss` equals `https`.
    public static let scheme: Parts = Parts(rawValue: 2)
    /// The host, compared without case.
    public static let host: Parts = Parts(rawValue: 4)
    /// The port (default: the scheme's own).
    public static let port: Parts = Parts(rawValue: 8)
    /// The percent-encoded path.
    public static let path: Parts = Parts(rawValue: 16)
    /// The query items, in any order.
    public static let query: Parts = Parts(rawValue: 32)
    /// The order of query items with the same name, as of `sort=name&sort=date`; not part of ``all``.
    public static let queryOrder: Parts = Parts(rawValue: 64)
    /// The scheme, the host and the port.
    public static let origin: Parts = [.scheme, .host, .port]
    /// All parts, in which query items may have any order.
    public static let all: Parts = [.method, .origin, .path, .query]
  }

  /// A custom rule: a text that must be equal.
  public struct Rule: Sendable {
    /// A description of the text, for messages.
    package let name: String
    let text: @Sendable (HTTP.Request) -> String?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: A description of the text, for messages.
    ///   - text: A function that returns the text of a new or a recorded request; the latter has placeholders in place
    ///     of secrets. It must return the same text for the same request at any time. `nil` only equals `nil`.
    public init(_ name: String, _ text: @escaping @Sendable (HTTP.Request) -> String?) {
      self.name = name
      self.text = text
    }
  }

  /// The compared parts of the request line.
  package var parts: Parts
  /// The names of the compared header fields.
  package var fieldNames: Set<String>
  /// The names of query items that are ignored.
  package var ignoredQueryItems: Set<String>
  /// The rules for bodies, and for WebSocket messages of the client.
  package var body: BodyMatching
  /// Custom rules.
  package var rules: [Rule]

  /// Creates rules.
  ///
  /// By default the fields that determine the response are compared: `Authorization`, the conditions of RFC 9110 §13.1
  /// (such as `If-None-Match`), `Range` (§14.2), `Last-Event-ID` (WHATWG HTML §9.2.4) and `Prefer` (RFC 7240 §2).
  ///
  /// - Parameters:
  ///   - parts: The compared parts of the request line.
  ///   - fieldNames: The names of the compared header fields.
  ///   - ignoredQueryItems: The names of query items that are ignored.
  ///   - body: The rules for bodies, and for WebSocket messages of the client.
  ///   - rules: Custom rules.
  public init(
    parts: Parts = .all,
    fieldNames: Set<String> = [
      "Authorization", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
      "Range", "Last-Event-ID", "Prefer",
    ],
    ignoredQueryItems: Set<String> = [],
    body: BodyMatching = .automatic, rules: [Rule] = []
  ) {
    self.parts = parts
    self.fieldNames = fieldNames
    self.ignoredQueryItems = ignoredQueryItems
    self.body = body
    self.rules = rules
  }
}
