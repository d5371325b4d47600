import Foundation
import Understudy

/// A stub of a server, which answers each request with the first matching route.
///
/// ```swift
/// let router = StubBackend {
///   Stub(.get, "/todos/{id}") { call in try .json(["id": call["id"]]) }
///   Stub(.post, "/todos") { _ in HTTP.Response(status: 201) }
/// }
/// ```
///
/// Clients use it through an `InProcessTransport` or a server. A path without a route is answered with 404. A path
/// whose routes have other methods is answered with 405 and `Allow` (RFC 9110 §15.5.6). The body of both lists the
/// routes for a developer. HEAD is answered by the route for GET.
public struct StubBackend: HTTPHandler {
  /// The routes; the first that matches answers.
  public let routes: [Stub]
  private let fallback: (any HTTPHandler)?

  /// Creates a stub from routes.
  ///
  /// - Parameters:
  ///   - fallback: Answers requests without a matching route; `nil` for 404 and 405.
  ///   - routes: The routes; the first that matches answers.
  public init(otherwise fallback: (any HTTPHandler)? = nil, @StubBuilder _ routes: () -> [Stub]) {
    self.routes = routes()
    self.fallback = fallback
  }

  /// Answers a request with the first matching route.
  ///
  /// - Throws: The error of the route, which breaks the exchange; see `HTTPHandler`.
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

/// A route: a pattern of requests, and the closure that answers them.
public struct Stub: Sendable, CustomStringConvertible {
  /// A closure that answers a request that matches the route.
  public typealias Responder = @Sendable (_ call: StubRequest) async throws -> HTTP.Response

  /// The method.
  public let method: HTTP.Method
  let pattern: PathPattern
  let respond: Responder

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - method: The method of matching requests.
  ///   - path: The pattern of their path; `{name}` matches one segment and names it, and a final `*` matches all
  ///     remaining segments.
  ///   - respond: Answers a request; an error that it throws breaks the exchange.
  public init(_ method: HTTP.Method, _ path: String, respond: @escaping Responder) {
    self.method = method
    pattern = PathPattern(path)
    self.respond = respond
  }

  /// The method and the path.
  public var description: String { "\(method) \(pattern)" }
}

/// A request, and the parameters of its path.
public struct StubRequest: Sendable {
  /// The request.
  public let request: HTTP.Request
  /// The named segments of the path, decoded.
  public var parameters: [String: String] { pattern.parameters(in: segments) }
  let pattern: PathPattern
  let segments: [String]

  /// A segment by its name; empty if the route does not have the name.
  public subscript(name: String) -> String { parameters[name] ?? "" }
}

/// Collects the routes of a ``StubBackend``.
@resultBuilder public enum StubBuilder {
  /// A single route.
  public static func buildExpression(_ route: Stub) -> [Stub] { [route] }
  /// A list of routes.
  public static func buildExpression(_ routes: [Stub]) -> [Stub] { routes }
  /// The routes of a block, in order.
  public static func buildBlock(_ routes: [Stub]...) -> [Stub] { routes.flatMap { $0 } }
  /// The routes of a condition, or an empty list.
  public static func buildOptional(_ routes: [Stub]?) -> [Stub] { routes ?? [] }
  /// The routes of the first branch.
  public static func buildEither(first routes: [Stub]) -> [Stub] { routes }
  /// The routes of the second branch.
  public static func buildEither(second routes: [Stub]) -> [Stub] { routes }
  /// The routes of a loop, in order.
  public static func buildArray(_ routes: [[Stub]]) -> [Stub] { routes.flatMap { $0 } }
}
