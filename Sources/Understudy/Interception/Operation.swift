import UnderstudyTransport

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
    @usableFromInline let site: Site

    init(_ site: Site) {
      self.site = site
    }

    /// A method of a service.
    ///
    /// - Parameter name: The method's base name, such as `createChild`; it is what logs and reports show.
    @inlinable public init(_ name: String) {
      site = .name(name)
    }

    /// A request, or a pattern of requests.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` stands for every one.
    ///   - path: Percent-decoded and without query, such as `/rest/v1/children`. A segment `*` stands for any one
    ///     segment. A trailing slash counts.
    init(_ method: HTTPMethod?, path: String) {
      site = Site(method, path: path)
    }

    /// Every operation there is.
    public static var any: Self { Self(Site.any) }

    /// Whether a call of `operation` is one that this operation, as a pattern, stands for.
    public func matches(_ operation: Self) -> Bool { site.matches(operation.site) }

    /// The name, or the method and the path.
    public var description: String { site.description }
  }
}
