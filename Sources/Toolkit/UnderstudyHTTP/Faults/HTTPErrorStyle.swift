import Foundation
public import Understudy

/// The form of a backend's error answers: the HTTP answer for a neutral ``/Understudy/Fault``.
///
/// A handler has one in ``HTTPHandler/errorStyle``; the default is ``problemDetails``. A transport over the network gets it
/// with ``UnderstudyTransport/HTTPTransport/withErrorStyle(_:)``. A custom style:
///
/// ```swift
/// extension HTTPErrorStyle {
///   static let todos = HTTPErrorStyle { rejected in
///     try .json(["error": rejected.title], status: rejected.status)
///   }
/// }
/// ```
public struct HTTPErrorStyle: Sendable {
  private let write: @Sendable (RejectedRequest) throws -> HTTP.Response

  /// Creates a style.
  ///
  /// - Parameter write: Makes the answer to a rejected request. `Retry-After` is added if the fault has a delay. If it
  ///   throws, the answer is that of ``problemDetails``.
  public init(_ write: @escaping @Sendable (_ rejected: RejectedRequest) throws -> HTTP.Response) {
    self.write = write
  }

  /// Plain problem details: `application/problem+json` with a title and the status (RFC 9457 §3).
  public static let problemDetails = HTTPErrorStyle { $0.problemDetails }

  package func response(to rejected: RejectedRequest) -> HTTP.Response {
    var response = (try? write(rejected)) ?? rejected.problemDetails
    if let seconds = rejected.retryAfter?.components.seconds, response.fields["Retry-After"] == nil {
      response.fields["Retry-After"] = "\(seconds)"
    }
    return response
  }
}

/// A base of an interception that knows its backend's error style.
package protocol ErrorStyled {
  var errorStyle: HTTPErrorStyle { get }
}

extension HTTPErrorStyle {
  /// The error style of a handler or a transport; problem details if it has none.
  package init(of base: Any) {
    self =
      (base as? any HTTPHandler)?.errorStyle ?? (base as? any ErrorStyled)?.errorStyle ?? .problemDetails
  }
}

extension HTTPTransport {
  /// The same transport to a backend with an error style, for faults that are injected before it.
  ///
  /// ```swift
  /// let transport = trial.intercept(URLSessionTransport().withErrorStyle(.supabase))
  /// ```
  public func withErrorStyle(_ style: HTTPErrorStyle) -> StyledTransport<Self> {
    StyledTransport(base: self, errorStyle: style)
  }
}

/// A transport to a backend with an error style of its own.
public struct StyledTransport<Base: HTTPTransport>: HTTPTransport, ErrorStyled {
  fileprivate let base: Base
  package let errorStyle: HTTPErrorStyle

  /// Sends a request with the base.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await base.send(request)
  }
}

extension StyledTransport: WebSocketTransport where Base: WebSocketTransport {
  /// Opens a WebSocket with the base.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await base.connect(to: request)
  }
}

/// A request that a fault rejects.
public struct RejectedRequest: Sendable {
  /// The reason for the rejection.
  package let reason: Fault.Refusal
  /// The request; `nil` if a double requests the HTTP form of a fault.
  public let request: HTTP.Request?

  package init(_ reason: Fault.Refusal, of request: HTTP.Request?) {
    self.reason = reason
    self.request = request
  }

  /// The status (RFC 9110 §15.5, §15.6; RFC 6585 §4).
  public var status: Int {
    switch reason {
    case .unauthorized: 401
    case .forbidden: 403
    case .notFound: 404
    case .notAcceptable: 406
    case .conflict: 409
    case .unprocessable: 422
    case .rateLimited: 429
    case .serverError: 500
    case .unavailable: 503
    case .gatewayTimeout: 504
    case .other(let status): status
    }
  }

  /// The reason phrase of the status, such as `Conflict`; empty for a status that has none.
  public var title: String { HTTP.reasonPhrase(of: status) }

  /// The delay for the client, in whole seconds, if the fault has one.
  public var retryAfter: Duration? {
    if case .rateLimited(let delay) = reason { delay } else { nil }
  }

  fileprivate var problemDetails: HTTP.Response {
    let details = JSONValue.object([
      .init("title", .string(title)), .init("status", .number("\(status)")),
    ])
    var response = HTTP.Response(
      status: status, body: Data(details.compactText.utf8), contentType: "application/problem+json")
    // A 401 includes an authentication challenge (RFC 9110 §15.5.2).
    if status == 401 { response.fields["WWW-Authenticate"] = "Bearer" }
    return response
  }
}

/// The former name.
@available(*, deprecated, renamed: "RejectedRequest")
public typealias HTTPRefusal = RejectedRequest

extension Fault {
  /// The HTTP answer for the fault, in place of the base's; `nil` for a fault that is not an answer.
  ///
  /// - Parameters:
  ///   - style: The error style of the backend.
  ///   - request: The rejected request, for a style that depends on it.
  public func response(in style: HTTPErrorStyle, to request: HTTP.Request? = nil) -> HTTP.Response? {
    switch effect {
    case .refusal(.other(let status)): response(with: status, in: style, to: request)
    case .refusal(let reason): style.response(to: RejectedRequest(reason, of: request))
    case .answer(let answer):
      HTTP.Response(
        status: answer.status,
        fields: HTTP.Fields(answer.fields.map { HTTP.Fields.Field(name: $0.name, value: $0.value) }),
        body: HTTP.Body(answer.body))
    case .handed(let handed): handed.value as? HTTP.Response
    default: nil
    }
  }

  /// An answer with a status: that of the reason with this status, if there is one.
  private func response(with status: Int, in style: HTTPErrorStyle, to request: HTTP.Request?)
    -> HTTP.Response
  {
    let named = Fault.failures(of: .call).compactMap { fault in
      if case .refusal(let reason) = fault.effect { reason } else { nil }
    }
    // Of two reasons with one status, the last one has no time to wait.
    let reason = named.last { RejectedRequest($0, of: request).status == status } ?? .other(status: status)
    var response = style.response(to: RejectedRequest(reason, of: request))
    // A style may write another status, which the body then has.
    response.status = status
    return response
  }

  /// The error that a transport throws for the fault; `nil` for a fault that is an answer, including one with an
  /// invalid body, or with which the call succeeds.
  package var transportError: TransportError? {
    let failure: (TransportError.Code, String)? =
      switch effect {
      case .failure(.offline): (.offline, "The device is offline.")
      case .failure(.hostNotFound): (.hostNotFound, "The host name cannot be resolved.")
      case .failure(.connectionRefused): (.connectionRefused, "No server listens at the address.")
      case .failure(.connectionLost): (.connectionLost, "The connection was reset by the peer.")
      case .failure(.cancelled): (.cancelled, "The call was cancelled while it was held.")
      case .unimplemented(let sentence): (.unknown, sentence)
      case .silence, .cut(_, .silence), .stream(.stall): (.timedOut, "Nothing arrived before the timeout.")
      case .lostAnswer, .cut, .stream(.drop), .stream(.end), .stream(.unterminated), .stream(.close),
        .stream(.abort):
        (.connectionLost, "The connection broke before the complete answer arrived.")
      case .redirectLoop: (.tooManyRedirects, "The redirects form a loop.")
      case .spoiled, .stream(.badFrame):
        (.unreadableResponse, "The received bytes are not a valid answer.")
      case .refusal, .answer, .handed, .unreadable, .latency, .drawnLatency, .dribble, .stream: nil
      }
    return failure.map { TransportError($0.0, $0.1) }
  }
}
