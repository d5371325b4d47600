/// What of a request must be the same for a recorded answer to be its answer.
///
/// Method, path and query always count; the items of the query in any order. Secrets are
/// compared apart: see ``ReplayingTransport``.
public struct RequestMatching: Sendable, Hashable {
  /// The header fields that count.
  public var fieldNames: Set<String>
  /// Items of the query that do not count.
  public var ignoredQueryItems: Set<String>
  /// Whether the body counts: JSON as its value, anything else as its bytes.
  public var comparesBody: Bool
  /// Whether scheme, host and port count.
  public var comparesOrigin: Bool

  /// Rules of these parts; `Authorization` counts, because a token decides the answer.
  public init(
    fieldNames: Set<String> = ["Authorization"], ignoredQueryItems: Set<String> = [],
    comparesBody: Bool = true, comparesOrigin: Bool = true
  ) {
    self.fieldNames = fieldNames
    self.ignoredQueryItems = ignoredQueryItems
    self.comparesBody = comparesBody
    self.comparesOrigin = comparesOrigin
  }
}
