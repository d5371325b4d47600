/// The reason why a request does not reach the handler, with the status of the response.
package struct RequestRefusal: Error, Sendable, Hashable {
  package let status: Int
  /// The reason in one sentence, for the author of the client.
  package let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
