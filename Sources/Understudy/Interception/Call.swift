extension Intercepted {
  /// What a call asks for: a method of a service by name, or a request by method and path.
  ///
  /// An adopter names the operations of a service once, so that a typing error does not compile:
  ///
  /// ```swift
  /// extension Intercepted.Operation where Base: TodoService {
  ///   static var add: Self { Self("add") }
  /// }
  /// ```
  ///
  /// The type is nested because Foundation has a class of the same name, which would hide a top-level one in every
  /// file that imports both.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline package let site: Site

    package init(_ site: Site) {
      self.site = site
    }

    /// A method of a service.
    ///
    /// - Parameter name: The method's base name, such as `createChild`; logs and reports show it.
    @inlinable public init(_ name: String) {
      site = .name(name)
    }

    /// Every operation.
    public static var any: Self { Self(Site.any) }

    /// Whether this operation, as a pattern, matches that of a call.
    public func matches(_ operation: Self) -> Bool { site.matches(operation.site) }

    /// The name, or the method and the path.
    public var description: String { site.description }
  }

  /// One call: its operation and its arguments.
  public struct Call: Sendable, CustomStringConvertible {
    let core: CallCore

    /// What is called.
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

/// What an ``Intercepted/Operation`` holds: the site of a call, or a pattern of such sites.
///
/// It and the other cores are not generic over the base, so that what happens in each call is compiled once, for concrete
/// types. The generic types around them only keep adopters from confusing their services.
@usableFromInline package enum Site: Hashable, Sendable, CustomStringConvertible {
  case any
  case name(String)
  /// A request; indirect, so that the sites of services are small.
  indirect case request(method: String, path: [String])
  /// A pattern of requests; a method of `nil` matches all.
  indirect case pattern(method: String?, PathPattern)

  package func matches(_ site: Site) -> Bool {
    switch (self, site) {
    case (.any, _): true
    case (.name(let name), .name(let other)): name == other
    case (.pattern(let method, let pattern), .request(let otherMethod, let path)):
      (method == nil || method == otherMethod) && pattern.matches(path)
    default: self == site
    }
  }

  @usableFromInline package var description: String {
    switch self {
    case .any: "any operation"
    case .name(let name): name
    case .request(let method, let path): "\(method) /\(path.joined(separator: "/"))"
    case .pattern(let method, let pattern): "\(method ?? "any method") \(pattern)"
    }
  }
}

/// The arguments of a call that is a request, and so is named by what it asks for.
package protocol RequestArguments: Sendable {
  var site: Site { get }
  var interaction: Fault.Interaction { get }
  /// The request in a log.
  var callDescription: String { get }
}

/// What an ``Intercepted/Call`` holds.
@usableFromInline package struct CallCore: Sendable, CustomStringConvertible {
  /// The method of a service; `nil` for a request.
  @usableFromInline let method: Site?
  /// The argument itself where there is one, a tuple of them where there are several, `()` where there is none.
  @usableFromInline package let arguments: any Sendable
  /// What the caller gets: an answer, a stream or a connection.
  @usableFromInline package let interaction: Fault.Interaction

  @inlinable init(site: Site, arguments: any Sendable, interaction: Fault.Interaction = .call) {
    method = site
    self.arguments = arguments
    self.interaction = interaction
  }

  package init(_ request: some RequestArguments, interaction: Fault.Interaction? = nil) {
    method = nil
    arguments = request
    self.interaction = interaction ?? request.interaction
  }

  /// What is called.
  ///
  /// The site of a request is made each time: most requests are only ever logged, and in a log of many the segments of
  /// their paths would need as much memory as the requests.
  package var site: Site { method ?? (arguments as? any RequestArguments)?.site ?? .any }

  @usableFromInline package var description: String {
    switch arguments {
    case is Void: "\(site)()"
    case let request as any RequestArguments: request.callDescription
    default: isTuple ? "\(site)\(arguments)" : "\(site)(\(arguments))"
    }
  }

  private var isTuple: Bool { Mirror(reflecting: arguments).displayStyle == .tuple }
}
