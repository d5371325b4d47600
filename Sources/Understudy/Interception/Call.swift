public import UnderstudyTransport

extension Intercepted {
  /// One call: its operation and what it was called with.
  public struct Call: Sendable, CustomStringConvertible {
    let core: CallCore

    /// What is asked for.
    public var operation: Operation { Operation(core.site) }

    /// The arguments, if they have these types.
    ///
    /// - Parameter type: The type of the only argument, or the types of all in their order, without labels:
    ///   `call.arguments(as: (String, Int).self)`.
    public func arguments<Arguments>(as type: Arguments.Type) -> Arguments? {
      core.arguments as? Arguments
    }

    /// The operation, and the arguments in brackets.
    public var description: String { core.description }
  }
}

extension Intercepted.Call where Base: HTTPTransport {
  /// The request that is sent.
  public var request: HTTPRequest? { arguments(as: HTTPRequest.self) }
}

extension Intercepted.Call where Base: HTTPHandler {
  /// The request that is to be answered.
  public var request: HTTPRequest? { arguments(as: HTTPRequest.self) }
}

/// What an ``Intercepted/Call`` holds.
@usableFromInline struct CallCore: Sendable, CustomStringConvertible {
  /// The method of a service; `nil` for a request.
  @usableFromInline let method: Site?
  /// The argument itself where there is one, a tuple of them where there are several, `()` where there is none.
  @usableFromInline let arguments: any Sendable
  /// What the caller gets: an answer, a stream or a connection.
  @usableFromInline let interaction: Fault.Interaction

  @inlinable init(site: Site, arguments: any Sendable, interaction: Fault.Interaction = .call) {
    method = site
    self.arguments = arguments
    self.interaction = interaction
  }

  init(_ request: HTTPRequest) {
    method = nil
    arguments = request
    interaction = request.asksForEvents ? .stream : .call
  }

  /// What is asked for.
  ///
  /// A request's path is taken apart anew each time: most requests are only ever logged, and in a log of many the
  /// segments would need as much memory as the requests.
  var site: Site {
    if let method { return method }
    guard let request = arguments as? HTTPRequest else { return .any }
    return Site(request)
  }

  @usableFromInline var description: String {
    switch arguments {
    case is Void: "\(site)()"
    case let request as HTTPRequest: "\(request.method) \(request.url)"
    default: isTuple ? "\(site)\(arguments)" : "\(site)(\(arguments))"
    }
  }

  private var isTuple: Bool { Mirror(reflecting: arguments).displayStyle == .tuple }
}

extension HTTPRequest {
  /// Whether it accepts server-sent events alone (WHATWG HTML §9.2.2).
  fileprivate var asksForEvents: Bool {
    fields["Accept"]?.lowercased().hasPrefix("text/event-stream") == true
  }
}
