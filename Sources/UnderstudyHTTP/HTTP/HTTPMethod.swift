extension HTTP {
  /// The method of a request (RFC 9110 §9), which is case-sensitive.
  public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// A method by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Asks for a resource.
    public static let get = HTTP.Method(rawValue: "GET")
    /// Asks for the head alone.
    public static let head = HTTP.Method(rawValue: "HEAD")
    /// Hands data to a resource.
    public static let post = HTTP.Method(rawValue: "POST")
    /// Puts a resource in place.
    public static let put = HTTP.Method(rawValue: "PUT")
    /// Changes a part of a resource (RFC 5789).
    public static let patch = HTTP.Method(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTP.Method(rawValue: "DELETE")
    /// Asks what a resource can do.
    public static let options = HTTP.Method(rawValue: "OPTIONS")

    /// Whether sending the request again does the same as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
      switch self {
      case .get, .head, .put, .delete, .options: true
      default: false
      }
    }

    /// The method as it is sent.
    public var description: String { rawValue }
  }
}
