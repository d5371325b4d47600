import Foundation

extension HTTP.Request {
  /// Refuses a URL that no transport can send to.
  package func checkTarget() throws(TransportError) {
    guard ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty else {
      throw TransportError(
        .invalidRequest, "\(url) is not an absolute http or https URL, so there is nowhere to send it.")
    }
  }
}
