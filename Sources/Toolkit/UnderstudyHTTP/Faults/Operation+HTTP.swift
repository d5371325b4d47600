import Foundation
public import Understudy

// The same members for the two injection points with requests. Members of `Operation` itself would also be available
// for services.

extension Intercepted.Operation where Base: HTTPTransport {
  /// The requests with a method, or with any, and a path such as `/todos/{id}`.
  ///
  /// `{name}` matches one segment, and a final `*` matches all remaining segments. The path has no query; a trailing
  /// slash is significant. A pattern that can never match is an issue of the test, at the caller's line.
  public static func request(
    _ method: HTTP.Method?, _ path: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Self {
    Self(method, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The GET requests to a path such as `/todos/{id}`, with the rules of `request`.
  public static func get(
    _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(.get, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The POST requests to a path such as `/todos/{id}`, with the rules of `request`.
  public static func post(
    _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(.post, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Intercepted.Operation where Base: HTTPHandler {
  /// The requests with a method, or with any, and a path such as `/todos/{id}`.
  ///
  /// `{name}` matches one segment, and a final `*` matches all remaining segments. The path has no query; a trailing
  /// slash is significant. A pattern that can never match is an issue of the test, at the caller's line.
  public static func request(
    _ method: HTTP.Method?, _ path: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Self {
    Self(method, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The GET requests to a path such as `/todos/{id}`, with the rules of `request`.
  public static func get(
    _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(.get, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The POST requests to a path such as `/todos/{id}`, with the rules of `request`.
  public static func post(
    _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(.post, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Intercepted.Operation where Base: WebSocketTransport {
  /// The handshakes at a path such as `/rooms/{id}`.
  ///
  /// `{name}` matches one segment, and a final `*` matches all remaining segments.
  public static func connect(
    _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(.get, path, CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Intercepted.Operation {
  fileprivate init(_ method: HTTP.Method?, _ path: String, _ place: CodePlace) {
    if let mistake = method?.mistake { PathPattern.report(mistake, at: place) }
    self.init(OperationCore.pattern(method: method?.rawValue, PathPattern(path, at: place)))
  }
}

extension Intercepted.Call where Base: HTTPTransport {
  /// The request to send.
  public var request: HTTP.Request? { arguments(as: HTTP.Request.self) }
}

extension Intercepted.Call where Base: HTTPHandler {
  /// The request to answer.
  public var request: HTTP.Request? { arguments(as: HTTP.Request.self) }
}

extension HTTP.Request: RequestArguments {
  package var operation: OperationCore {
    .request(method: method.rawValue, path: PathPattern.segments(of: url.path(percentEncoded: true)))
  }

  /// A stream if it accepts the media type of a stream of events first (WHATWG HTML §9.2.2).
  package var interaction: Fault.Interaction {
    let accepted = fields["Accept"]?.split(separator: ",").first.map(String.init)
    return EventFraming(contentType: accepted) == nil ? .call : .stream
  }

  package var callDescription: String { "\(method) \(url)" }
}

extension HTTP.Method {
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
