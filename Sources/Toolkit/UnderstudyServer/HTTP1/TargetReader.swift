import Foundation
import UnderstudyHTTP

/// A cached conversion of a request's target and host to its URL (RFC 9112 §3.3).
///
/// The requests of a connection often have the same URL, and parsing a URL takes longer than parsing the rest of the
/// request.
struct TargetReader: Sendable {
  private let place: RequestPlace
  private var last: (target: ArraySlice<UInt8>, host: ArraySlice<UInt8>?, url: URL)?

  init(_ place: RequestPlace) {
    self.place = place
  }

  mutating func url(
    _ target: ArraySlice<UInt8>, method: HTTP.Method, host: ArraySlice<UInt8>?
  ) throws(RequestRefusal) -> URL {
    if method == .connect { return try tunnel(target, host) }
    if target.elementsEqual("*".utf8) {
      guard method == .options else {
        throw .malformed("The target * is only valid for OPTIONS (RFC 9112 §3.2.4).")
      }
      return try url(origin(host))
    }
    if let last, last.target.hasSameBytes(as: target), (last.host ?? []).hasSameBytes(as: host ?? []) {
      return last.url
    }
    let url =
      target.first == UInt8(ascii: "/")
      ? try url(origin(host) + encoded(target)) : try absolute(target, host)
    last = (ArraySlice(Array(target)), host.map { ArraySlice(Array($0)) }, url)
    return url
  }

  /// The scheme and the authority of a request whose target has none.
  private func origin(_ host: ArraySlice<UInt8>?) throws(RequestRefusal) -> String {
    switch place {
    case .server(let authority):
      return "http://" + (try checked(host) ?? authority)
    case .proxy:
      throw .malformed(
        "This is a forward proxy. Set HTTP_PROXY and HTTPS_PROXY to its address, and request the URL of the service."
      )
    case .tunnel(let scheme, let target):
      try check(host, leadsTo: target, scheme)
      return "\(scheme)://\(target.authority(besides: scheme))"
    }
  }

  /// Checks that a request in a tunnel is for its target, because only its connection leads there.
  private func check(
    _ host: ArraySlice<UInt8>?, leadsTo target: TunnelTarget, _ scheme: String
  ) throws(RequestRefusal) {
    guard let host = try checked(host) else { return }
    guard TunnelTarget(authority: host, scheme: scheme) == target else {
      throw RequestRefusal(
        421, "The host \(host) is not \(target), to which the tunnel leads (RFC 9110 §15.5.20).")
    }
  }

  /// The URL of a target of CONNECT, a host and a port (RFC 9112 §3.2.3).
  private func tunnel(
    _ target: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>?
  ) throws(RequestRefusal) -> URL {
    guard case .proxy = place else { throw RequestRefusal(501, "CONNECT is not supported.") }
    _ = try checked(host)
    guard let authority = try checked(target), let target = TunnelTarget(authority: authority) else {
      throw .malformed(
        "The target of CONNECT is not a host name or an address with a port (RFC 9112 §3.2.3).")
    }
    return try url("http://\(target)")
  }

  /// The URL of a target in absolute form.
  ///
  /// The Host field is ignored (RFC 9112 §3.2.2), but must be valid.
  private func absolute(
    _ target: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>?
  ) throws(RequestRefusal) -> URL {
    _ = try checked(host)
    let separator = Array("://".utf8)
    guard let colon = target.firstIndex(of: .colon), target[colon...].starts(with: separator),
      target[..<colon].isWord("http") || target[..<colon].isWord("https")
    else {
      throw .malformed("The target is neither a path nor an http URL (RFC 9112 §3.2).")
    }
    let rest = target[(colon + separator.count)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard end > rest.startIndex, let authority = try checked(rest[..<end]) else {
      throw .malformed("The target is a URL without a host.")
    }
    if case .tunnel(let scheme, let tunnel) = place {
      try check(rest[..<end], leadsTo: tunnel, scheme)
      return try url(origin(nil) + encoded(rest[end...]))
    }
    return try url(target[..<colon].text + "://" + authority + encoded(rest[end...]))
  }

  private func url(_ text: String) throws(RequestRefusal) -> URL {
    guard let url = URL(string: text) else {
      throw .malformed("The target and the host do not form a valid URL.")
    }
    return url
  }

  /// The validated host and port; `nil` if the request has none.
  private func checked(_ host: ArraySlice<UInt8>?) throws(RequestRefusal) -> String? {
    guard let host, !host.isEmpty else { return nil }
    let refusal = RequestRefusal.malformed(
      "The host is not a name or an address with an optional port (RFC 9110 §7.2).")
    var (name, port) = (host, ArraySlice<UInt8>())
    let bracket = host.lastIndex(of: UInt8(ascii: "]"))
    if let colon = host.lastIndex(of: .colon), colon > bracket ?? -1 {
      (name, port) = (host[..<colon], host[(colon + 1)...])
    }
    guard port.allSatisfy(\.isDigit), port.count <= 5, Int(port.text) ?? 0 <= 65_535, !name.isEmpty else {
      throw refusal
    }
    if name.first == UInt8(ascii: "[") {
      guard name.count > 2, name.last == UInt8(ascii: "]") else { throw refusal }
      let literal = name.dropFirst().dropLast()
      guard literal.isIPv6Address || literal.isFutureAddress else { throw refusal }
    } else {
      guard
        name.allSatisfy({ $0.isInPath && $0 != UInt8(ascii: "/") && $0 != .colon && $0 != UInt8(ascii: "@") })
      else { throw refusal }
    }
    return host.text
  }

  /// A path and a query, with invalid characters percent-encoded, as servers usually do.
  private func encoded(_ target: ArraySlice<UInt8>) throws(RequestRefusal) -> String {
    if target.allSatisfy(\.isInPath) { return String(decoding: target, as: UTF8.self) }
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for (index, byte) in zip(target.indices, target) {
      if byte.isInPath || byte == UInt8(ascii: "?") {
        result.append(byte)
      } else if byte == .percent {
        let code = target[(index + 1)...].prefix(2)
        result.append(byte)
        // Browsers and curl send a percent sign that does not begin an escape.
        if code.count < 2 || !code.allSatisfy({ $0.hexadecimalValue != nil }) { result += "25".utf8 }
      } else {
        guard byte > .space, byte != 0x7F, byte != UInt8(ascii: "#") else {
          throw .malformed("The target contains a control character or a fragment (RFC 9112 §3.2).")
        }
        result += [.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte is a path character (RFC 3986 §3.3) or a slash.
  fileprivate var isInPath: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default:
      isDigit || isLetter
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are an `IPv6address` (RFC 3986 §3.2.2).
  fileprivate var isIPv6Address: Bool {
    var rest = self
    var count = 0
    // "::" stands for at least one group, and occurs at most once.
    var isShortened = rest.starts(with: "::".utf8)
    if isShortened { rest = rest.dropFirst(2) }
    while !rest.isEmpty {
      // In place of the last two groups.
      if rest.isIPv4Address {
        count += 2
        break
      }
      let group = rest.prefix { $0.hexadecimalValue != nil }
      guard (1...4).contains(group.count) else { return false }
      count += 1
      rest = rest.dropFirst(group.count)
      if rest.isEmpty { break }
      guard rest.popFirst() == .colon, let next = rest.first else { return false }
      if next == .colon {
        guard !isShortened else { return false }
        isShortened = true
        rest.removeFirst()
      }
    }
    return isShortened ? count <= 7 : count == 8
  }

  /// Whether the bytes are an `IPv4address` (RFC 3986 §3.2.2): four numbers up to 255, without leading zeros.
  private var isIPv4Address: Bool {
    let numbers = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 4
      && numbers.allSatisfy { number in
        (1...3).contains(number.count) && number.allSatisfy(\.isDigit)
          && (number.count == 1 || number.first != UInt8(ascii: "0")) && Int(number.text) ?? 256 <= 255
      }
  }

  /// Whether the bytes are an `IPvFuture` (RFC 3986 §3.2.2), such as `v1.a:b`.
  fileprivate var isFutureAddress: Bool {
    guard first?.lowercased == UInt8(ascii: "v"), let dot = firstIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    let (version, address) = (self[..<dot].dropFirst(), self[dot...].dropFirst())
    return !version.isEmpty && version.allSatisfy { $0.hexadecimalValue != nil } && !address.isEmpty
      && address.allSatisfy { $0.isInPath && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }
  }

  fileprivate func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let one = mine.baseAddress, let two = theirs.baseAddress else { return true }
        return memcmp(one, two, mine.count) == 0
      }
    }
  }
}
