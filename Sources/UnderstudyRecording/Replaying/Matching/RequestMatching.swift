public import UnderstudyHTTP

/// What of a request must be the same for a recorded answer to be its answer.
///
/// Secrets are compared apart: see ``ReplayingTransport``. The fields of the handshake of a WebSocket
/// (RFC 6455 §4.1), such as `Sec-WebSocket-Key`, never count, nor does a fragment.
///
/// ```swift
/// RequestMatching(body: .json(ignoring: ["$.requestId"]))
/// RequestMatching(parts: .all.subtracting(.origin), ignoredQueryItems: ["timestamp"])
/// RequestMatching(rules: [.init("tenant") { $0.fields["X-Tenant"]?.lowercased() }])
/// ```
public struct RequestMatching: Sendable {
  /// The method and the parts of a URL (RFC 3986 §3).
  public struct Parts: OptionSet, Sendable, Hashable {
    /// A bit for each part.
    public let rawValue: Int

    /// Parts by their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The method.
    public static let method: Parts = Parts(rawValue: 1)
    /// The scheme; `ws` is the same as `http`, and `wss` as `https`.
    public static let scheme: Parts = Parts(rawValue: 2)
    /// The host, in any case.
    public static let host: Parts = Parts(rawValue: 4)
    /// The port; one that is not said is the scheme's own.
    public static let port: Parts = Parts(rawValue: 8)
    /// The path, as it is percent-encoded.
    public static let path: Parts = Parts(rawValue: 16)
    /// The items of the query, in any order.
    public static let query: Parts = Parts(rawValue: 32)
    /// Where a request is sent: scheme, host and port.
    public static let origin: Parts = [.scheme, .host, .port]
    /// Every part.
    public static let all: Parts = [.method, .origin, .path, .query]
  }

  /// A rule of the adopter's: a text that must be the same.
  public struct Rule: Sendable {
    /// What the text is, for messages.
    public let name: String
    let text: @Sendable (HTTP.Request) -> String?

    /// A rule.
    ///
    /// - Parameters:
    ///   - name: What the text is, for messages.
    ///   - text: Makes the text of a request, of a recorded one (in which placeholders stand for secrets) as of one
    ///     that is asked; the same request must have the same text at any time. `nil` equals `nil` alone.
    public init(_ name: String, _ text: @escaping @Sendable (HTTP.Request) -> String?) {
      self.name = name
      self.text = text
    }
  }

  /// The parts of the first line that count.
  public var parts: Parts
  /// The header fields that count.
  public var fieldNames: Set<String>
  /// Items of the query that do not count.
  public var ignoredQueryItems: Set<String>
  /// What of a body counts, and of a message that a client sends over a WebSocket.
  public var body: BodyMatching
  /// What else must be the same.
  public var rules: [Rule]

  /// Rules of these parts; `Authorization` counts, because a token decides the answer.
  public init(
    parts: Parts = .all, fieldNames: Set<String> = ["Authorization"], ignoredQueryItems: Set<String> = [],
    body: BodyMatching = .automatic, rules: [Rule] = []
  ) {
    self.parts = parts
    self.fieldNames = fieldNames
    self.ignoredQueryItems = ignoredQueryItems
    self.body = body
    self.rules = rules
  }
}
