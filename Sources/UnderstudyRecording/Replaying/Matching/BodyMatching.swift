/// What of a body must be the same for a recorded answer to be its answer.
public struct BodyMatching: Sendable, Hashable {
  enum Comparison: Sendable, Hashable {
    case values, bytes, nothing
  }

  let comparison: Comparison
  /// Values of a JSON document that do not count, as if they were not there.
  ///
  /// A path begins with `$`, the document, and goes on with `.name` or `['any name']` for a member, `[3]` for an
  /// element counted from 0, `.*` or `[*]` for each of them: `$.client.id`, `$.items[*].createdAt`. These are the child
  /// segments of JSONPath (RFC 9535 §2.5.1) with one selector each; there are no others. A path that cannot be read
  /// fails each request with `.invalidRequest`, and the message says where it goes wrong.
  public var ignoredPaths: [String]
  /// Fields of a form, and parts of a multipart body, that do not count.
  public var ignoredFields: Set<String>

  private init(_ comparison: Comparison, paths: [String] = [], fields: Set<String> = []) {
    self.comparison = comparison
    ignoredPaths = paths
    ignoredFields = fields
  }

  /// The value of a body, which its `Content-Type` tells how to read.
  ///
  /// - A form (`application/x-www-form-urlencoded`) is its fields, in any order; those of one name in theirs.
  /// - A multipart body (RFC 2046 §5.1) is the names, file names, types and bytes of its parts, in any order; the
  ///   boundary does not count.
  /// - Anything else is compared as JSON if it is JSON: members in any order, numbers however they are written.
  /// - What is none of these, or not what it says, is compared byte by byte.
  public static let automatic: BodyMatching = BodyMatching(.values)

  /// The bytes.
  public static let bytes: BodyMatching = BodyMatching(.bytes)

  /// Nothing: any body will do.
  public static let ignored: BodyMatching = BodyMatching(.nothing)

  /// As ``automatic``, but some values of JSON documents do not count.
  ///
  /// - Parameter paths: Paths such as `$.requestId`; see ``ignoredPaths``.
  public static func json(ignoring paths: [String]) -> BodyMatching {
    BodyMatching(.values, paths: paths)
  }

  /// As ``automatic``, but some fields of forms, and parts of multipart bodies, do not count.
  public static func form(ignoring fields: Set<String>) -> BodyMatching {
    BodyMatching(.values, fields: fields)
  }
}
