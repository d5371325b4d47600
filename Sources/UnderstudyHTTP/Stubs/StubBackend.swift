import Foundation
import Understudy

/// A stub of a server: answers each request by the first of its routes that fits.
///
/// ```swift
/// let router = StubBackend {
///   Stub(.get, "/todos/{id}") { call in try .json(["id": call["id"]]) }
///   Stub(.post, "/todos") { _ in HTTP.Response(status: 201) }
/// }
/// ```
///
/// Put an `InProcessTransport` or a server before it. A path that no route has is answered 404, and one whose route has
/// another method 405 with `Allow` (RFC 9110 §15.5.6), each with a body that tells a developer which routes there are.
/// HEAD is answered by the route for GET.
public struct StubBackend: HTTPHandler {
  /// The routes, the first that fits wins.
  public let routes: [Stub]
  private let fallback: (any HTTPHandler)?

  /// A stub of these routes.
  ///
  /// - Parameters:
  ///   - fallback: Answers what no route does; `nil` is 404 and 405.
  ///   - routes: The first that fits wins.
  public init(otherwise fallback: (any HTTPHandler)? = nil, @StubBuilder _ routes: () -> [Stub]) {
    self.routes = routes()
    self.fallback = fallback
  }

  /// Answers a request by the first route that fits.
  ///
  /// - Throws: What the route throws, which breaks the exchange off; see `HTTPHandler`.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let segments = PathPattern.segments(of: request.url.path(percentEncoded: true))
    let method = request.method == .head ? .get : request.method
    var allowed: [HTTP.Method] = []
    for route in routes {
      guard route.pattern.matches(segments) else { continue }
      if route.method == method || route.method == request.method {
        return try await route.respond(
          StubRequest(request: request, pattern: route.pattern, segments: segments))
      }
      allowed.append(route.method)
    }
    if let fallback { return try await fallback.respond(to: request) }
    return refusal(of: request, allowed: allowed)
  }

  private func refusal(of request: HTTP.Request, allowed: [HTTP.Method]) -> HTTP.Response {
    let known =
      routes.isEmpty ? "There are none." : "Routes: \(routes.map(\.description).joined(separator: ", "))."
    let message = "No route answers \(request.method) \(request.url.path(percentEncoded: true)). \(known)\n"
    var response = HTTP.Response(
      status: allowed.isEmpty ? 404 : 405, body: Data(message.utf8), contentType: "text/plain; charset=utf-8")
    if !allowed.isEmpty {
      response.fields["Allow"] = allowed.reduce(into: [String]()) { names, method in
        if !names.contains(method.rawValue) { names.append(method.rawValue) }
      }.joined(separator: ", ")
    }
    return response
  }
}

/// One kind of request, and how it is answered.
public struct Stub: Sendable, CustomStringConvertible {
  /// Answers a request that the route fits.
  public typealias Responder = @Sendable (_ call: StubRequest) async throws -> HTTP.Response

  /// The method.
  public let method: HTTP.Method
  let pattern: PathPattern
  let respond: Responder

  /// A route.
  ///
  /// - Parameters:
  ///   - method: The method that it fits.
  ///   - path: Segments; `{name}` fits any one segment and names it, `*` as the last one fits all that follow.
  ///   - respond: Answers; what it throws breaks the exchange off.
  public init(_ method: HTTP.Method, _ path: String, respond: @escaping Responder) {
    self.method = method
    pattern = PathPattern(path)
    self.respond = respond
  }

  /// The method and the path.
  public var description: String { "\(method) \(pattern)" }
}

/// A request, and what its path says by the names of its route.
public struct StubRequest: Sendable {
  /// The request.
  public let request: HTTP.Request
  /// The segments that the route names, decoded.
  public var parameters: [String: String] { pattern.parameters(in: segments) }
  let pattern: PathPattern
  let segments: [String]

  /// A segment by its name; empty if the route has no such name.
  public subscript(name: String) -> String { parameters[name] ?? "" }
}

/// Collects the routes of a ``StubBackend``.
@resultBuilder public enum StubBuilder {
  /// One route.
  public static func buildExpression(_ route: Stub) -> [Stub] { [route] }
  /// A list of routes.
  public static func buildExpression(_ routes: [Stub]) -> [Stub] { routes }
  /// All of them, in order.
  public static func buildBlock(_ routes: [Stub]...) -> [Stub] { routes.flatMap { $0 } }
  /// Those of a condition that holds.
  public static func buildOptional(_ routes: [Stub]?) -> [Stub] { routes ?? [] }
  /// Those of the first branch.
  public static func buildEither(first routes: [Stub]) -> [Stub] { routes }
  /// Those of the second branch.
  public static func buildEither(second routes: [Stub]) -> [Stub] { routes }
  /// Those of a loop.
  public static func buildArray(_ routes: [[Stub]]) -> [Stub] { routes.flatMap { $0 } }
}
