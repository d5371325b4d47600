public import UnderstudyTransport

// The same members for the two seams that carry requests. On `Operation` itself they would be offered for services.

extension Intercepted.Operation where Base: HTTPTransport {
  /// The requests with this method, or with any, and this path; a segment `*` stands for any one segment.
  public static func request(_ method: HTTPMethod?, _ path: String) -> Self { Self(method, path: path) }
  /// The GET requests to a path; a segment `*` stands for any one segment.
  public static func get(_ path: String) -> Self { Self(.get, path: path) }
  /// The POST requests to a path; a segment `*` stands for any one segment.
  public static func post(_ path: String) -> Self { Self(.post, path: path) }
  /// The PUT requests to a path; a segment `*` stands for any one segment.
  public static func put(_ path: String) -> Self { Self(.put, path: path) }
  /// The PATCH requests to a path; a segment `*` stands for any one segment.
  public static func patch(_ path: String) -> Self { Self(.patch, path: path) }
  /// The DELETE requests to a path; a segment `*` stands for any one segment.
  public static func delete(_ path: String) -> Self { Self(.delete, path: path) }
}

extension Intercepted.Operation where Base: HTTPHandler {
  /// The requests with this method, or with any, and this path; a segment `*` stands for any one segment.
  public static func request(_ method: HTTPMethod?, _ path: String) -> Self { Self(method, path: path) }
  /// The GET requests to a path; a segment `*` stands for any one segment.
  public static func get(_ path: String) -> Self { Self(.get, path: path) }
  /// The POST requests to a path; a segment `*` stands for any one segment.
  public static func post(_ path: String) -> Self { Self(.post, path: path) }
  /// The PUT requests to a path; a segment `*` stands for any one segment.
  public static func put(_ path: String) -> Self { Self(.put, path: path) }
  /// The PATCH requests to a path; a segment `*` stands for any one segment.
  public static func patch(_ path: String) -> Self { Self(.patch, path: path) }
  /// The DELETE requests to a path; a segment `*` stands for any one segment.
  public static func delete(_ path: String) -> Self { Self(.delete, path: path) }
}
