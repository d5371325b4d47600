package import Foundation

/// Which URLs of an upstream a client sees at its proxy, and where.
package struct ProxyScope: Sendable {
  private let upstream: URLComponents
  /// The path of the upstream without the slash at its end.
  private let path: String

  package init(upstream: URL) {
    let parts = URLComponents(url: upstream, resolvingAgainstBaseURL: true) ?? URLComponents()
    self.upstream = parts
    let path = parts.percentEncodedPath
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Where a request goes that the client has sent to this URL.
  func upstreamURL(for url: URL) -> URL {
    let asked = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let askedPath = asked?.percentEncodedPath ?? ""
    var parts = upstream
    parts.percentEncodedPath = path + (askedPath.isEmpty ? "/" : askedPath)
    parts.percentEncodedQuery = asked?.percentEncodedQuery
    parts.fragment = nil
    return parts.url ?? url
  }

  /// The fields of a response as they hold for a client of the proxy.
  ///
  /// - Parameters:
  ///   - source: What the upstream was asked for.
  ///   - proxy: What the client has asked for.
  package func visible(_ fields: HTTP.Fields, from source: URL, to proxy: URL) -> HTTP.Fields {
    HTTP.Fields(
      fields.map { field in
        switch field.name.lowercased() {
        case "location": .init(name: field.name, value: location(field.value, from: source, to: proxy))
        case "set-cookie": .init(name: field.name, value: cookie(field.value, to: proxy))
        default: field
        }
      })
  }

  /// Where a client is sent on to (RFC 9110 §10.2.2): to the proxy if that is where it sees the place.
  ///
  /// - Parameters:
  ///   - location: The upstream's `Location`.
  ///   - source: What the upstream was asked for.
  ///   - proxy: What the client has asked for.
  func location(_ location: String, from source: URL, to proxy: URL) -> String {
    guard let target = URL(string: location, relativeTo: source)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true), isUpstream(parts),
      let own = URLComponents(url: proxy, resolvingAgainstBaseURL: true)
    else { return location }
    let isRelative = URLComponents(string: location)?.host == nil
    // The same path here and there: it leads to the same place by itself.
    if isRelative, path.isEmpty { return location }
    guard let visible = visiblePath(parts.percentEncodedPath) else { return target.absoluteString }
    (parts.scheme, parts.percentEncodedHost, parts.port) = (own.scheme, own.percentEncodedHost, own.port)
    parts.percentEncodedPath = visible
    return parts.string ?? location
  }

  /// A cookie (RFC 6265 §4.1) that a client keeps for the proxy as it would for the upstream.
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

  /// The path by which a client sees a path of the upstream; `nil` if it does not.
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
