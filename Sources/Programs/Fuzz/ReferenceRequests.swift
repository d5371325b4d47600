import Foundation
import UnderstudyHTTP

/// A reference parser for the boundaries and contents of requests, by RFC 9112 §6 and §7.1 on all bytes at once.
///
/// It refuses only what it must refuse, to show how a lenient parser interprets the bytes.
enum ReferenceRequests {
  typealias Bytes = ArraySlice<UInt8>

  /// - Returns: The first request and its end.
  static func first(in bytes: Bytes) -> (RequestSubject.Request, end: Int)? {
    var rest = bytes
    // Empty lines before a request are ignored (§2.2).
    while rest.starts(with: [13, 10]) { rest = rest.dropFirst(2) }
    guard let line = nextLine(&rest), let space = line.firstIndex(of: 32) else { return nil }
    var fields: [HTTP.Fields.Field] = []
    while true {
      guard let line = nextLine(&rest) else { return nil }
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      fields.append(HTTP.Fields.Field(name: text(line[..<colon]), value: text(trimmed(line[(colon + 1)...]))))
    }
    var request = RequestSubject.Request(method: text(line[..<space]), fields: fields)
    if fields.contains(where: { $0.name.lowercased() == "transfer-encoding" }) {
      guard let body = chunked(&rest) else { return nil }
      request.body = body
    } else if let length = fields.first(where: { $0.name.lowercased() == "content-length" }) {
      guard let count = Int(length.value), count <= rest.count else { return nil }
      request.body = Data(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return (request, rest.startIndex)
  }

  private static func chunked(_ rest: inout Bytes) -> Data? {
    var body = Data()
    while true {
      guard let line = nextLine(&rest) else { return nil }
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
      guard let size = Int(text(digits), radix: 16) else { return nil }
      if size == 0 { break }
      guard size <= rest.count else { return nil }
      body += rest.prefix(size)
      rest = rest.dropFirst(size)
      guard nextLine(&rest)?.isEmpty == true else { return nil }
    }
    // The trailer section, which is ignored.
    while let line = nextLine(&rest) { if line.isEmpty { return body } }
    return nil
  }

  private static func nextLine(_ rest: inout Bytes) -> Bytes? {
    var index = rest.startIndex
    while index + 1 < rest.endIndex {
      if rest[index] == 13, rest[index + 1] == 10 {
        defer { rest = rest[(index + 2)...] }
        return rest[..<index]
      }
      index += 1
    }
    return nil
  }

  private static func trimmed(_ bytes: Bytes) -> Bytes {
    var bytes = bytes
    while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
    while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
    return bytes
  }

  /// The text in UTF-8, or in ISO 8859-1 if it is not valid UTF-8, as sent by old clients.
  private static func text(_ bytes: Bytes) -> String {
    String(exactlyUTF8: bytes)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
