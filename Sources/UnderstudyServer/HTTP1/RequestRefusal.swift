/// Why a request is not handed to the handler, and with which status it is answered.
package struct RequestRefusal: Error, Sendable, Hashable {
  package let status: Int
  /// One sentence for whoever wrote the client.
  package let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
