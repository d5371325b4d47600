import Foundation

/// The host and the port to which a tunnel leads.
///
/// The host is a name of letters, digits, hyphens, underscores and dots, or an address. It is therefore safe in
/// arguments, names of files and configurations.
package struct TunnelTarget: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a host.
  package enum Kind: Sendable, Hashable {
    case name
    case address4
    case address6
  }

  /// The lower-case name without a last dot, or the address without brackets.
  package let host: String
  package let port: UInt16
  package let kind: Kind

  /// Reads a host and a port, such as `example.com:443` or `[::1]:443`; `nil` if the host or the port is invalid.
  ///
  /// - Parameter scheme: The scheme whose port is the default; `nil` requires a port.
  package init?(authority: String, scheme: String? = nil) {
    var name = authority[...]
    var port = scheme.map { Self.defaultPort(of: $0) }
    if let colon = authority.lastIndex(of: ":"), colon > authority.lastIndex(of: "]") ?? authority.startIndex
    {
      name = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      guard let number = UInt16(digits), number > 0, digits.utf8.allSatisfy(\.isDigit) else { return nil }
      port = number
    }
    guard let port else { return nil }
    self.init(host: String(name), port: port)
  }

  private init?(host: String, port: UInt16) {
    var host = host.lowercased()
    self.port = port
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      var address = in6_addr()
      guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
      kind = .address6
    } else {
      if host.hasSuffix(".") { host.removeLast() }
      guard Self.isName(host) else { return nil }
      var address = in_addr()
      kind = inet_pton(AF_INET, host, &address) == 1 ? .address4 : .name
    }
    self.host = host
  }

  /// Whether a host has valid labels (RFC 1123 §2.1), and underscores, which some services have in theirs.
  private static func isName(_ host: String) -> Bool {
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...253).contains(host.utf8.count)
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
          && label.allSatisfy { byte in
            byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
              || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          }
      }
  }

  private static func defaultPort(of scheme: String) -> UInt16 { scheme == "https" ? 443 : 80 }

  /// The host as in a URL, and the port unless it is that of the scheme.
  func authority(besides scheme: String) -> String {
    port == Self.defaultPort(of: scheme) ? hostInURL : description
  }

  private var hostInURL: String { kind == .address6 ? "[\(host)]" : host }

  /// The host as in a URL, and the port.
  package var description: String { "\(hostInURL):\(port)" }
}

/// The place where a connection receives requests, which completes their targets to URLs (RFC 9112 §3.3).
enum RequestPlace: Sendable {
  /// A server, whose authority requests without a host have.
  case server(authority: String)
  /// A forward proxy, where a target is a URL, or a host and a port for CONNECT.
  case proxy
  /// A tunnel through a forward proxy.
  case tunnel(scheme: String, TunnelTarget)
}
