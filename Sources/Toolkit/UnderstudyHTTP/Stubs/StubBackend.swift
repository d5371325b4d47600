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
/// Use it with an `InProcessTransport` or a server. The response for a path without a stub is 404. For a path whose
/// stubs have other methods, it is 405 with `Allow` (RFC 9110 §15.5.6). Both have a text that lists the stubs. The stub
/// for GET also answers HEAD.
public struct StubBackend: HTTPHandler {
  /// The stubs, in order.
  package let stubs: [Stub]
  /// The form of error answers for injected faults.
  public let errorStyle: HTTPErrorStyle
  private let fallback: (any HTTPHandler)?
  /// Which stubs were used; `nil` if they need not be.
  private let use: StubUse?

  /// Creates a backend with stubs.
  ///
  /// - Parameters:
  ///   - requiresUse: Whether each stub must answer a request (default: it need not). In a test that links
  ///     `UnderstudyTesting`, a stub that never did is then an issue of the test that made the backend, recorded when
  ///     the backend has been released.
  ///   - fallback: The handler of requests that match no stub (default: one that answers 404 or 405).
  ///   - errorStyle: The form of error answers for injected faults (default: ``HTTPErrorStyle/problemDetails``).
  ///   - stubs: The stubs; the first that matches a request answers it. One that can never answer, because an earlier
  ///     one matches all of its requests, is an issue of the test.
  public init(
    requiringUse requiresUse: Bool = false, otherwise fallback: (any HTTPHandler)? = nil,
    errorStyle: HTTPErrorStyle = .problemDetails,
    @StubBuilder _ stubs: () -> [Stub]
  ) {
    self.stubs = stubs()
    for (place, stub) in self.stubs.enumerated() {
      guard let earlier = self.stubs[..<place].first(where: { $0.hides(stub) }) else { continue }
      PathPattern.report(
        "The stub \(stub) can never answer, because \(earlier) before it answers its requests. Move it up.",
        at: stub.place)
    }
    use = requiresUse ? StubUse(self.stubs) : nil
    self.errorStyle = errorStyle
    self.fallback = fallback
  }

  /// Creates a backend with stubs that share a state.
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
  ///   - state: The initial state.
  ///   - requiresUse: Whether each stub must answer a request (default: it need not).
  ///   - fallback: The handler of requests that match no stub (default: one that answers 404 or 405).
  ///   - errorStyle: The form of error answers for injected faults (default: ``HTTPErrorStyle/problemDetails``).
  ///   - stubs: The stubs; the first that matches a request answers it.
  public init<State: Sendable>(
    state: State, requiringUse requiresUse: Bool = false, otherwise fallback: (any HTTPHandler)? = nil,
    errorStyle: HTTPErrorStyle = .problemDetails,
    @StubBuilder _ stubs: (StubState<State>) -> [Stub]
  ) {
    let state = StubState(state)
    self.init(requiringUse: requiresUse, otherwise: fallback, errorStyle: errorStyle) { stubs(state) }
  }

  /// Answers a request with the first stub that matches.
  ///
  /// - Throws: The error of the stub, which breaks the exchange; see ``HTTPHandler``.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    use?.note(request)
    let path = PathPattern.segments(of: request.url.path(percentEncoded: true))
    let method = request.method == .head ? .get : request.method
    var allowed: [HTTP.Method] = []
    var differences: [String] = []
    for place in stubs.indices where stubs[place].pattern.matches(path) {
      let stub = stubs[place]
      guard stub.method == method || stub.method == request.method else {
        allowed.append(stub.method)
        continue
      }
      let stubRequest = StubRequest(request: request, pattern: stub.pattern, path: path)
      if let difference = stub.difference(from: stubRequest) {
        differences.append("\(stub): \(difference)")
        continue
      }
      use?.noteAnswer(of: place)
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
      stubs.isEmpty
      ? "The backend has no stubs." : "Stubs: \(stubs.map(\.description).joined(separator: ", "))."
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

/// A canned response to matching requests.
public struct Stub: Sendable, CustomStringConvertible {
  /// The method.
  package let method: HTTP.Method
  let pattern: PathPattern
  let framing: EventFraming?
  /// Where the stub was made.
  let place: CodePlace
  let respond: @Sendable (_ request: StubRequest) async throws -> HTTP.Response
  private let query: [String: String]
  private let fields: [String: String]
  private let matchesBody: (@Sendable (StubRequest) throws -> Bool)?

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - method: The method of the requests.
  ///   - path: The path of the requests. `{name}` matches one segment, and a final `*` matches all remaining segments.
  ///     A pattern that can never match is an issue of the test, at the caller's line.
  ///   - query: The query items that the request must have, decoded. It may have others.
  ///   - fields: The header fields that the request must have. It may have others.
  ///   - framing: How the body of the response is divided into events, if its `Content-Type` does not name the framing.
  ///   - matches: Whether the body matches; an error counts as a mismatch.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - respond: Makes the response; an error breaks the exchange.
  public init(
    _ method: HTTP.Method, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
    framing: EventFraming? = nil, where matches: (@Sendable (StubRequest) throws -> Bool)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    respond: @escaping @Sendable (_ request: StubRequest) async throws -> HTTP.Response
  ) {
    self.method = method
    place = CodePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let mistake = method.mistake { PathPattern.report(mistake, at: place) }
    pattern = PathPattern(path, at: place)
    self.framing = framing
    self.query = query
    self.fields = fields
    matchesBody = matches
    self.respond = respond
  }

  /// Creates a stub with a sequence of answers: each request receives the next one, and the last one repeats.
  ///
  /// - Parameters:
  ///   - method: The method of the requests.
  ///   - path: The path of the requests, such as `/todos/{id}`.
  ///   - query: The query items that the request must have.
  ///   - fields: The header fields that the request must have.
  ///   - first: The first answer.
  ///   - others: Further answers.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    _ method: HTTP.Method, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
    answers first: HTTP.Response, _ others: HTTP.Response...,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let answers = Locked([first] + others)
    self.init(
      method, path, query: query, fields: fields, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { _ in
      answers.withLock { answers in answers.count > 1 ? answers.removeFirst() : answers[0] }
    }
  }

  /// The method and the path.
  public var description: String { "\(method) \(pattern)" }

  /// Whether the stub answers every request that a later one matches.
  func hides(_ later: Stub) -> Bool {
    (method == later.method || method == .get && later.method == .head)
      && query.isEmpty && fields.isEmpty && matchesBody == nil && pattern.covers(later.pattern)
  }

  /// The reason why a request with this method and path does not match; `nil` if it does.
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

/// The use of the stubs of a backend, whose copies share it.
private final class StubUse: Sendable {
  private struct State: Sendable {
    var used: Set<Int> = []
    var seen = SeenCalls()
  }

  private let state: Locked<State>
  /// The report about stubs that are never used.
  private let report: ReleaseReport?

  init(_ stubs: [Stub]) {
    let state = Locked(State())
    self.state = state
    report = ReleaseReport { Self.unusedStubs(of: stubs, state) }
  }

  private static func unusedStubs(of stubs: [Stub], _ state: Locked<State>) -> [ReleaseReport.Issue] {
    let (used, seen) = state.withLock { ($0.used, $0.seen) }
    return stubs.enumerated().filter { !used.contains($0.offset) }.map { _, stub in
      let operation = OperationCore.pattern(method: stub.method.rawValue, stub.pattern)
      let nearest = seen.nearest(to: operation).map { "\n  nearest request: \($0)" } ?? ""
      return ReleaseReport.Issue(
        """
        A stub was never used: \(stub)\(nearest)
          requests: \(seen)
        Correct the stub or remove it.
        """, at: stub.place)
    }
  }

  func note(_ request: HTTP.Request) {
    state.withLock { $0.seen.count(request.operation) }
  }

  func noteAnswer(of place: Int) {
    state.withLock { _ = $0.used.insert(place) }
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

  /// The query items, decoded; the last one if a name occurs several times.
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

  /// Decodes the body; a request without a body has empty data.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder.
  /// - Throws: The error of the decoder.
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

  /// The current state.
  public var value: Value { state.withLock { $0 } }

  /// Changes the state.
  ///
  /// - Returns: The result of `body`.
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
  /// All stubs of a block, in order.
  public static func buildBlock(_ stubs: [Stub]...) -> [Stub] { stubs.flatMap { $0 } }
  /// The stubs of a condition, if it holds.
  public static func buildOptional(_ stubs: [Stub]?) -> [Stub] { stubs ?? [] }
  /// The stubs of the first branch of a condition.
  public static func buildEither(first stubs: [Stub]) -> [Stub] { stubs }
  /// The stubs of the second branch of a condition.
  public static func buildEither(second stubs: [Stub]) -> [Stub] { stubs }
  /// The stubs of a loop, in order.
  public static func buildArray(_ stubs: [[Stub]]) -> [Stub] { stubs.flatMap { $0 } }
}
