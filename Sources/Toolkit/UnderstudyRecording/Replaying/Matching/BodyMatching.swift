import UnderstudyHTTP

/// Rules for comparing the body of a request with a recorded one.
public struct BodyMatching: Sendable, Hashable {
  enum Comparison: Sendable, Hashable {
    case values, bytes, nothing
  }

  let comparison: Comparison
  /// The paths of values of a JSON document that are ignored.
  package var ignoredPaths: [String]
  /// The names of form fields and multipart parts that are ignored.
  package var ignoredFields: Set<String>

  private init(_ comparison: Comparison, paths: [String] = [], fields: Set<String> = []) {
    self.comparison = comparison
    ignoredPaths = paths
    ignoredFields = fields
  }

  /// A comparison of the values of bodies, as specified by their `Content-Type`.
  ///
  /// - A form (`application/x-www-form-urlencoded`) is compared by its fields, in any order; fields with the same name
  ///   in their order. An object of JSON with this type, as `curl -d` sends it, is compared as JSON.
  /// - A multipart body (RFC 2046 §5.1) is compared by the names, file names, types and bytes of its parts, in any
  ///   order; the boundary is ignored.
  /// - Any other body is compared as JSON if it is JSON: members in any order, numbers in any notation.
  /// - A body of another type, or one that does not match its type, is compared byte by byte.
  public static let automatic: BodyMatching = BodyMatching(.values)

  /// A comparison byte by byte.
  public static let bytes: BodyMatching = BodyMatching(.bytes)

  /// No comparison of bodies.
  public static let ignored: BodyMatching = BodyMatching(.nothing)

  /// Returns a comparison like ``automatic`` that ignores some values of JSON documents.
  ///
  /// A path begins with `$`, the document, and continues with `.name` or `['any name']` for a member, `[3]` for an
  /// element counted from 0, and `.*` or `[*]` for all of them: `$.client.id`, `$.items[*].createdAt`. These are the
  /// child segments of JSONPath (RFC 9535 §2.5.1) with one selector each; other segments are not supported. An invalid
  /// path fails each request with `.invalidRequest` and a message with the position of the error.
  ///
  /// - Parameter paths: Paths such as `$.requestId`.
  public static func json(ignoring paths: [String]) -> BodyMatching {
    BodyMatching(.values, paths: paths)
  }

  /// Returns a comparison like ``automatic`` that ignores some form fields and multipart parts.
  ///
  /// - Parameter fields: The names of the fields and parts.
  public static func form(ignoring fields: Set<String>) -> BodyMatching {
    BodyMatching(.values, fields: fields)
  }
}

/// The decoded fields of a form (`application/x-www-form-urlencoded`), in order.
enum FormFields {
  /// - Returns: `nil` if an escape is invalid or does not decode to UTF-8, so that the bytes are compared.
  static func fields(of body: [UInt8]) -> [(name: String, value: [UInt8])]? {
    var fields: [(name: String, value: [UInt8])] = []
    for item in body.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      guard let text = decoded(name).flatMap({ String(exactlyUTF8: $0) }),
        let value = decoded(item.dropFirst(name.count + 1)), String(exactlyUTF8: value) != nil
      else { return nil }
      fields.append((text, value))
    }
    return fields
  }

  private static func decoded(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var rest = encoded
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      default:
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
