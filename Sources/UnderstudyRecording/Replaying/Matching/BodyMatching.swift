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
  ///   in their order.
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
