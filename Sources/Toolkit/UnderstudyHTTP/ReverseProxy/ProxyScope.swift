package import Foundation

/// The mapping between the URLs of an upstream and those that a client sees at its proxy.
package struct ProxyScope: Sendable {
  private let upstream: URLComponents
  /// The path of the upstream without a trailing slash.
  private let path: String

  package init(upstream: URL) {
    let parts = URLComponents(url: upstream, resolvingAgainstBaseURL: true) ?? URLComponents()
    self.upstream = parts
    let path = parts.percentEncodedPath
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The upstream URL for a URL that the client requested.
  func upstreamURL(for url: URL) -> URL {
    let asked = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let askedPath = asked?.percentEncodedPath ?? ""
    var parts = upstream
    parts.percentEncodedPath = path + (askedPath.isEmpty ? "/" : askedPath)
    parts.percentEncodedQuery = asked?.percentEncodedQuery
    parts.fragment = nil
    return parts.url ?? url
  }

  /// The fields of a response, rewritten for a client of the proxy.
  ///
  /// - Parameters:
  ///   - source: The URL of the upstream request.
  ///   - proxy: The URL of the client's request.
  package func visible(_ fields: HTTP.Fields, from source: URL, to proxy: URL) -> HTTP.Fields {
    // The client of a forward proxy has the URLs of the upstream.
    if path.isEmpty, let own = URLComponents(url: proxy, resolvingAgainstBaseURL: true), isUpstream(own) {
      return fields
    }
    return HTTP.Fields(
      fields.map { field in
        switch field.name.lowercased() {
        case "location":
          .init(
            name: field.name, value: location(field.value, from: source, to: proxy), isLatin1: field.isLatin1)
        case "set-cookie":
          .init(name: field.name, value: cookie(field.value, to: proxy), isLatin1: field.isLatin1)
        default: field
        }
      })
  }

  /// The target of a redirect (RFC 9110 §10.2.2), rewritten to the proxy if the client can reach it there.
  ///
  /// - Parameters:
  ///   - location: The upstream's `Location`.
  ///   - source: The URL of the upstream request.
  ///   - proxy: The URL of the client's request.
  func location(_ location: String, from source: URL, to proxy: URL) -> String {
    guard let target = URL(string: location, relativeTo: source)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true), isUpstream(parts),
      let own = URLComponents(url: proxy, resolvingAgainstBaseURL: true)
    else { return location }
    let isRelative = URLComponents(string: location)?.host == nil
    // The paths are equal on both sides, so a relative reference needs no rewriting.
    if isRelative, path.isEmpty { return location }
    guard let visible = visiblePath(parts.percentEncodedPath) else { return target.absoluteString }
    (parts.scheme, parts.percentEncodedHost, parts.port) = (own.scheme, own.percentEncodedHost, own.port)
    parts.percentEncodedPath = visible
    return parts.string ?? location
  }

  /// A cookie (RFC 6265 §4.1), rewritten so that a client stores it for the proxy as it would for the upstream.
  func cookie(_ cookie: String, to proxy: URL) -> String {
    var parts = cookie.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return cookie }
    parts = parts.enumerated().compactMap { index, part in
      if index == 0 { return part }
      let attribute = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      let value = attribute.count > 1 ? attribute[1] : ""
      switch attribute.first?.lowercased() {
      case "domain": return covers(domain: value) ? nil : part
      case "path": return visiblePath(value).map { " Path=\($0)" } ?? part
      case "secure":
        return upstream.scheme?.lowercased() == "https" && proxy.scheme?.lowercased() == "http" ? nil : part
      default: return part
      }
    }
    return parts.joined(separator: ";")
  }

  private func isUpstream(_ parts: URLComponents) -> Bool {
    parts.scheme?.lowercased() == upstream.scheme?.lowercased()
      && parts.percentEncodedHost?.lowercased() == upstream.percentEncodedHost?.lowercased()
      && parts.effectivePort == upstream.effectivePort
  }

  /// The client's path for a path of the upstream; `nil` if it is outside of the scope.
  private func visiblePath(_ target: String) -> String? {
    if path.isEmpty { return target }
    guard target == path || target.hasPrefix(path + "/") else { return nil }
    return target == path ? "/" : String(target.dropFirst(path.count))
  }

  private func covers(domain: String) -> Bool {
    let domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
    let host = upstream.host?.lowercased() ?? ""
    return host == domain || host.hasSuffix("." + domain)
  }
}

extension URLComponents {
  fileprivate var effectivePort: Int? { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
