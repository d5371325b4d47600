import UnderstudyHTTP

extension HTTP.Response {
  /// The reason why HTTP/1.1 cannot carry this response, for the author of the handler; `nil` if it can.
  ///
  /// Handlers often copy field values from a request. A line break in such a value would begin another field or another
  /// response.
  var problem: String? {
    guard (200...999).contains(status) || status == 101 && webSocketSession != nil else {
      return "The handler answered with the status \(status). "
        + "A final status must be from 200 to 999 (RFC 9110 §15)."
    }
    var lengths = 0
    for field in fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isToken) else {
        return "The handler answered with a field whose name is \(field.name.debugDescription). "
          + "A name consists of letters, digits and !#$%&'*+-.^_`|~ (RFC 9110 §5.1)."
      }
      guard field.value.utf8.allSatisfy(\.isFieldContent) else {
        return
          "The handler answered with a field \(field.name) whose value is \(field.value.debugDescription). "
          + "A value must not contain line breaks or other control characters (RFC 9110 §5.5)."
      }
      if field.isNamed("content-length") {
        lengths += 1
        guard lengths == 1, ResponseHead.length(field.value) != nil else {
          return "The handler answered with the Content-Length "
            + fields.values(of: "Content-Length").map(\.debugDescription).joined(separator: " and ")
            + ". It must be one number of bytes (RFC 9110 §8.6). If it is missing, the server adds it."
        }
      }
    }
    return nil
  }
}
