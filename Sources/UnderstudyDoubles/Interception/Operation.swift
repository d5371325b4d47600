import Foundation
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
    private enum Kind: Hashable, Sendable {
      case any
      case name(String)
      case request(HTTPMethod?, path: [String])
    }

    private let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    /// A method of a service.
    ///
    /// - Parameter name: The method's base name, such as `createChild`; it is what logs and reports show.
    public init(_ name: String) {
      kind = .name(name)
    }

    /// A request, or a pattern of requests.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` stands for every one.
    ///   - path: Percent-decoded and without query, such as `/rest/v1/children`. A segment `*` stands for any one
    ///     segment. A trailing slash counts.
    init(_ method: HTTPMethod?, path: String) {
      kind = .request(method, path: Self.segments(of: path))
    }

    /// The operation of a request that is about to be sent.
    init(_ request: HTTPRequest) {
      // Decoded after it is split, so that an encoded slash is part of its segment (RFC 3986 §2.2).
      let segments = Self.segments(of: request.url.path(percentEncoded: true))
      kind = .request(request.method, path: segments.map { $0.removingPercentEncoding ?? $0 })
    }

    /// Every operation there is.
    public static var any: Self { Self(.any) }

    /// Whether a call of `operation` is one that this operation, as a pattern, stands for.
    public func matches(_ operation: Self) -> Bool {
      switch (kind, operation.kind) {
      case (.any, _): true
      case (.name(let name), .name(let other)): name == other
      case (.request(let method, let path), .request(let otherMethod, let otherPath)):
        (method == nil || method == otherMethod) && path.count == otherPath.count
          && zip(path, otherPath).allSatisfy { $0 == "*" || $0 == $1 }
      default: false
      }
    }

    /// The name, or the method and the path.
    public var description: String {
      switch kind {
      case .any: "any operation"
      case .name(let name): name
      case .request(let method, let path):
        "\(method?.rawValue ?? "any method") /\(path.joined(separator: "/"))"
      }
    }

    /// An empty path is the same as `/` (RFC 9110 §4.2.3).
    private static func segments(of path: String) -> [String] {
      let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
      return path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
