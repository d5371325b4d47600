public import UnderstudyTransport

/// What an ``Intercepted/Operation`` holds.
///
/// It and the other cores know nothing of the base's type, so that what happens in each call is compiled once, for
/// concrete types. The generic types around them only keep adopters from mixing up their services.
@usableFromInline enum Site: Hashable, Sendable, CustomStringConvertible {
  case any
  case name(String)
  /// Indirect, so that those of services are small.
  indirect case request(HTTPMethod?, path: [String])

  init(_ method: HTTPMethod?, path: String) {
    self = .request(method, path: PathSegments(path).encoded.map(String.init))
  }

  init(_ request: HTTPRequest) {
    // Decoded after it is split, so that an encoded slash is part of its segment (RFC 3986 §2.2).
    self = .request(request.method, path: PathSegments(of: request.url).encoded.map(PathSegments.decoded))
  }

  func matches(_ site: Site) -> Bool {
    switch (self, site) {
    case (.any, _): true
    case (.name(let name), .name(let other)): name == other
    case (.request(let method, let path), .request(let otherMethod, let otherPath)):
      (method == nil || method == otherMethod) && path.count == otherPath.count
        && zip(path, otherPath).allSatisfy { $0 == "*" || $0 == $1 }
    default: false
    }
  }

  @usableFromInline var description: String {
    switch self {
    case .any: "any operation"
    case .name(let name): name
    case .request(let method, let path):
      "\(method?.rawValue ?? "any method") /\(path.joined(separator: "/"))"
    }
  }
}
