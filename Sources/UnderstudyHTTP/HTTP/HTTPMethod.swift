extension HTTP {
  /// The method of a request (RFC 9110 §9), which is case-sensitive.
  public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Retrieves a resource.
    public static let get = HTTP.Method(rawValue: "GET")
    /// Retrieves only the head.
    public static let head = HTTP.Method(rawValue: "HEAD")
    /// Submits data to a resource.
    public static let post = HTTP.Method(rawValue: "POST")
    /// Creates or replaces a resource.
    public static let put = HTTP.Method(rawValue: "PUT")
    /// Changes a part of a resource (RFC 5789).
    public static let patch = HTTP.Method(rawValue: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTP.Method(rawValue: "DELETE")
    /// Retrieves the communication options of a resource.
    package static let options = HTTP.Method(rawValue: "OPTIONS")
    /// Opens a tunnel through a proxy.
    package static let connect = HTTP.Method(rawValue: "CONNECT")

    /// The method as it is sent.
    public var description: String { rawValue }

    /// Why no request has the method, with what to write instead; `nil` if one may have it.
    var mistake: String? {
      // RFC 9110 §9.3; other methods may have any letters.
      let standard = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
      let capitals = rawValue.uppercased()
      if rawValue != capitals, standard.contains(capitals) {
        return
          "The method \"\(rawValue)\" can never match: methods are case-sensitive; write \"\(capitals)\"."
      }
      let isWord = !rawValue.isEmpty && !rawValue.contains { $0.isWhitespace || $0 == "/" }
      return isWord
        ? nil : "The method \"\(rawValue)\" can never match: a method is one word, such as \"GET\"."
    }
  }
}
