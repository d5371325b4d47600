import Foundation
public import Understudy

// The same members for the two injection points that carry requests. On `Operation` itself they would be offered for
// services.

extension Intercepted.Operation where Base: HTTPTransport {
  /// The requests with a method, or with any, and a path such as `/todos/{id}`.
  ///
  /// `{name}` stands for one segment, and `*` as the last segment for all that follow. The path has no query; a trailing
  /// slash counts. A pattern that could never match traps.
  public static func request(_ method: HTTP.Method?, _ path: String) -> Self { Self(method, path) }
  /// The GET requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func get(_ path: String) -> Self { Self(.get, path) }
  /// The POST requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func post(_ path: String) -> Self { Self(.post, path) }
  /// The PUT requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func put(_ path: String) -> Self { Self(.put, path) }
  /// The PATCH requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func patch(_ path: String) -> Self { Self(.patch, path) }
  /// The DELETE requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func delete(_ path: String) -> Self { Self(.delete, path) }
}

extension Intercepted.Operation where Base: HTTPHandler {
  /// The requests with a method, or with any, and a path such as `/todos/{id}`.
  ///
  /// `{name}` stands for one segment, and `*` as the last segment for all that follow. The path has no query; a trailing
  /// slash counts. A pattern that could never match traps.
  public static func request(_ method: HTTP.Method?, _ path: String) -> Self { Self(method, path) }
  /// The GET requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func get(_ path: String) -> Self { Self(.get, path) }
  /// The POST requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func post(_ path: String) -> Self { Self(.post, path) }
  /// The PUT requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func put(_ path: String) -> Self { Self(.put, path) }
  /// The PATCH requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func patch(_ path: String) -> Self { Self(.patch, path) }
  /// The DELETE requests to a path such as `/todos/{id}`; see ``request(_:_:)``.
  public static func delete(_ path: String) -> Self { Self(.delete, path) }
}

extension Intercepted.Operation where Base: WebSocketTransport {
  /// The handshakes at a path such as `/rooms/{id}`; see ``request(_:_:)``.
  public static func connect(_ path: String) -> Self { Self(.get, path) }
}

extension Intercepted.Operation {
  fileprivate init(_ method: HTTP.Method?, _ path: String) {
    self.init(Site.pattern(method: method?.rawValue, PathPattern(path)))
  }
}

extension Intercepted.Call where Base: HTTPTransport {
  /// The request that is sent.
  public var request: HTTP.Request? { arguments(as: HTTP.Request.self) }
}

extension Intercepted.Call where Base: HTTPHandler {
  /// The request that is to be answered.
  public var request: HTTP.Request? { arguments(as: HTTP.Request.self) }
}

extension HTTP.Request: RequestArguments {
  package var site: Site {
    .request(method: method.rawValue, path: PathPattern.segments(of: url.path(percentEncoded: true)))
  }

  /// A stream if it accepts a stream of events first, such as server-sent events (WHATWG HTML §9.2.2).
  package var interaction: Fault.Interaction {
    let first = fields["Accept"]?.prefix { $0 != "," }
    return EventFraming(mediaType: first.map(String.init)) == nil ? .call : .stream
  }

  package var callDescription: String { "\(method) \(url)" }
}
