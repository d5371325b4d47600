public import Foundation
import Understudy

/// A backend of canned responses: it answers each request with the first stub that matches.
///
/// ```swift
/// let backend = StubBackend {
///   Stub(.get, "/todos/{id}") { request in try .json(["id": request["id"]]) }
///   Stub(.get, "/todos", query: ["done": "true"]) { _ in try .json([String]()) }
///   Stub(.post, "/todos", answers: HTTP.Response(status: 201), HTTP.Response(status: 409))
/// }
/// ```
///
/// Put an `InProcessTransport` or a server before it. A path without a stub is answered 404, and one whose stubs have
/// another method 405 with `Allow` (RFC 9110 §15.5.6), each with a text that lists the stubs. HEAD is answered by the stub
/// for GET.
public struct StubBackend: HTTPHandler {
  /// The stubs, the first that matches first.
  package let stubs: [Stub]
  /// How refusals that faults inject are written.
  public let errorStyle: HTTPErrorStyle
  private let fallback: (any HTTPHandler)?

  /// A backend of these stubs.
  ///
  /// - Parameters:
  ///   - fallback: Answers requests that match no stub; by default they are answered 404 and 405.
  ///   - errorStyle: How refusals that faults inject are written (default: ``HTTPErrorStyle/problemDetails``).
  ///   - stubs: The first that matches answers.
  public init(
    otherwise fallback: (any HTTPHandler)? = nil, errorStyle: HTTPErrorStyle = .problemDetails,
    @StubBuilder _ stubs: () -> [Stub]
  ) {
    self.stubs = stubs()
    self.errorStyle = errorStyle
    self.fallback = fallback
  }

  /// A backend of stubs that share a state.
  ///
  /// ```swift
  /// let backend = StubBackend(state: [String]()) { titles in
  ///   Stub(.get, "/titles") { _ in try .json(titles.value) }
  ///   Stub(.put, "/titles/{title}") { request in
  ///     titles.update { $0.append(request["title"]) }
  ///     return HTTP.Response(status: 204)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state at first.
  ///   - fallback: Answers requests that match no stub; by default they are answered 404 and 405.
  ///   - errorStyle: How refusals that faults inject are written (default: ``HTTPErrorStyle/problemDetails``).
  ///   - stubs: The first that matches answers.
  public init<State: Sendable>(
    state: State, otherwise fallback: (any HTTPHandler)? = nil, errorStyle: HTTPErrorStyle = .problemDetails,
    @StubBuilder _ stubs: (StubState<State>) -> [Stub]
  ) {
    let state = StubState(state)
    self.init(otherwise: fallback, errorStyle: errorStyle) { stubs(state) }
  }

  /// Answers a request with the first stub that matches.
  ///
  /// - Throws: What the stub throws, which breaks the exchange; see ``HTTPHandler``.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let path = PathPattern.segments(of: request.url.path(percentEncoded: true))
    let method = request.method == .head ? .get : request.method
    var allowed: [HTTP.Method] = []
    var differences: [String] = []
    for stub in stubs where stub.pattern.matches(path) {
      guard stub.method == method || stub.method == request.method else {
        allowed.append(stub.method)
        continue
      }
      let stubRequest = StubRequest(request: request, pattern: stub.pattern, path: path)
      if let difference = stub.difference(from: stubRequest) {
        differences.append("\(stub): \(difference)")
        continue
      }
      var response = try await stub.respond(stubRequest)
      if let framing = stub.framing { response.eventFraming = framing }
      return response
    }
    if let fallback { return try await fallback.respond(to: request) }
    return refusal(of: request, allowed: allowed, differences: differences)
  }

  private func refusal(
    of request: HTTP.Request, allowed: [HTTP.Method], differences: [String]
  ) -> HTTP.Response {
    let known =
      stubs.isEmpty ? "There are no stubs." : "Stubs: \(stubs.map(\.description).joined(separator: ", "))."
    let nearest = differences.isEmpty ? known : differences.joined(separator: "\n")
    let message =
      "No stub matches \(request.method) \(request.url.path(percentEncoded: true)). \(nearest)\n"
    let isMethod = !allowed.isEmpty && differences.isEmpty
    var response = HTTP.Response(
      status: isMethod ? 405 : 404, body: Data(message.utf8), contentType: "text/plain; charset=utf-8")
    if isMethod {
      response.fields["Allow"] = allowed.reduce(into: [String]()) { names, method in
        if !names.contains(method.rawValue) { names.append(method.rawValue) }
      }.joined(separator: ", ")
    }
    return response
  }
}

/// A canned response to one kind of request.
public struct Stub: Sendable, CustomStringConvertible {
  /// The method.
  package let method: HTTP.Method
  let pattern: PathPattern
  let framing: EventFraming?
  let respond: @Sendable (_ request: StubRequest) async throws -> HTTP.Response
  private let query: [String: String]
  private let fields: [String: String]
  private let matchesBody: (@Sendable (StubRequest) throws -> Bool)?

  /// A stub.
  ///
  /// - Parameters:
  ///   - method: The method of the requests.
  ///   - path: Their path: `{name}` stands for one segment and names it, and `*` as the last segment for all that follow. A
  ///     pattern that could never match traps.
  ///   - query: Query items that the request must have, decoded; others may be there too.
  ///   - fields: Header fields that the request must have; others may be there too.
  ///   - framing: How the body of the response is divided into events, where its `Content-Type` does not say so.
  ///   - matches: Whether the body matches; one that throws does not.
  ///   - respond: Answers; what it throws breaks the exchange.
  public init(
    _ method: HTTP.Method, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
    framing: EventFraming? = nil, where matches: (@Sendable (StubRequest) throws -> Bool)? = nil,
    respond: @escaping @Sendable (_ request: StubRequest) async throws -> HTTP.Response
  ) {
    self.method = method
    pattern = PathPattern(path)
    self.framing = framing
    self.query = query
    self.fields = fields
    matchesBody = matches
    self.respond = respond
  }

  /// A stub with a sequence of answers: each request takes the next one, and the last one repeats.
  ///
  /// - Parameters:
  ///   - method: The method of the requests.
  ///   - path: Their path, such as `/todos/{id}`.
  ///   - query: Query items that the request must have.
  ///   - fields: Header fields that the request must have.
  ///   - first: The first answer.
  ///   - others: Further answers.
  public init(
    _ method: HTTP.Method, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
    answers first: HTTP.Response, _ others: HTTP.Response...
  ) {
    let answers = Locked([first] + others)
    self.init(method, path, query: query, fields: fields) { _ in
      answers.withLock { answers in answers.count > 1 ? answers.removeFirst() : answers[0] }
    }
  }

  /// The method and the path.
  public var description: String { "\(method) \(pattern)" }

  /// Why a request on the path does not match; `nil` if it does.
  func difference(from request: StubRequest) -> String? {
    let items = query.isEmpty ? [:] : request.query
    for (name, value) in query.sorted(by: { $0.key < $1.key }) where items[name] != value {
      return "query \(name): expected \"\(value)\", found \(items[name].map { "\"\($0)\"" } ?? "nothing")"
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where request.request.fields[name] != value {
      let found = request.request.fields[name].map { "\"\($0)\"" } ?? "nothing"
      return "field \(name): expected \"\(value)\", found \(found)"
    }
    if let matchesBody, (try? matchesBody(request)) != true { return "the body does not match" }
    return nil
  }
}

/// A request that matches a stub.
public struct StubRequest: Sendable {
  /// The request.
  public let request: HTTP.Request
  let pattern: PathPattern
  let path: [String]

  /// The parameters of the path, decoded.
  package var parameters: [String: String] { pattern.parameters(in: path) }

  /// The query items, decoded; of several with one name the last.
  public var query: [String: String] {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  /// A parameter of the path, decoded.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` if the stub's path has no parameter with this name.
  public subscript(name: String) -> String {
    get throws(TransportError) {
      guard let value = parameters[name] else {
        let names = pattern.parameterNames.map { "{\($0)}" }.joined(separator: ", ")
        throw TransportError(
          .invalidRequest,
          "The path \(pattern) has no parameter {\(name)}. Its parameters: \(names.isEmpty ? "none" : names)."
        )
      }
      return value
    }
  }

  /// The body as a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: Reads it.
  /// - Throws: What the decoder throws; a request without a body is decoded as empty data.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: request.body ?? Data())
  }
}

/// The state that the stubs of a ``StubBackend`` share.
public final class StubState<Value: Sendable>: Sendable {
  private let state: Locked<Value>

  init(_ value: Value) {
    state = Locked(value)
  }

  /// The state now.
  public var value: Value { state.withLock { $0 } }

  /// Changes the state.
  ///
  /// - Returns: What `body` returns.
  @discardableResult public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}

/// Collects the stubs of a ``StubBackend``.
@resultBuilder public enum StubBuilder {
  /// One stub.
  public static func buildExpression(_ stub: Stub) -> [Stub] { [stub] }
  /// A list of stubs.
  public static func buildExpression(_ stubs: [Stub]) -> [Stub] { stubs }
  /// All of them, in order.
  public static func buildBlock(_ stubs: [Stub]...) -> [Stub] { stubs.flatMap { $0 } }
  /// Those of a condition that holds.
  public static func buildOptional(_ stubs: [Stub]?) -> [Stub] { stubs ?? [] }
}
