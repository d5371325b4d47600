import UnderstudyHTTP

/// The request line (RFC 9112 §3).
struct RequestLine: Sendable {
  let method: HTTP.Method
  let target: ArraySlice<UInt8>
  /// The minor version of HTTP/1.
  let minorVersion: Int

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let methodEnd = line.firstIndex(of: .space), methodEnd > line.startIndex,
      line[..<methodEnd].allSatisfy(\.isToken)
    else {
      throw .malformed("A request begins with its method and a space (RFC 9112 §3).")
    }
    let rest = line[(methodEnd + 1)...]
    guard let targetEnd = rest.firstIndex(of: .space), targetEnd > rest.startIndex else {
      throw .malformed("The request line has no target, or no version after it (RFC 9112 §3).")
    }
    minorVersion = try Self.minorVersion(rest[(targetEnd + 1)...])
    method = Self.method(line[..<methodEnd])
    target = rest[..<targetEnd]
  }

  private static func method(_ name: ArraySlice<UInt8>) -> HTTP.Method {
    HTTP.Method(rawValue: String(decoding: name, as: UTF8.self))
  }

  /// Parses `HTTP/1.` and a digit (RFC 9112 §2.3).
  private static func minorVersion(_ version: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
    let start = version.startIndex
    guard version.count == 8, version.prefix(5).elementsEqual("HTTP/".utf8), version[start + 5].isDigit,
      version[start + 6] == UInt8(ascii: "."), version[start + 7].isDigit
    else {
      throw .malformed("The request line does not end with a version such as HTTP/1.1 (RFC 9112 §2.3).")
    }
    guard version[start + 5] == UInt8(ascii: "1") else {
      throw RequestRefusal(505, "Unsupported HTTP version. Supported versions: HTTP/1.1, HTTP/1.0.")
    }
    return Int(version[start + 7] - UInt8(ascii: "0"))
  }
}
