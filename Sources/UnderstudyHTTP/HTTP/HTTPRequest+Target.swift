import Foundation

extension HTTP.Request {
  /// Checks that a transport can send to the URL.
  ///
  /// - Throws: `.invalidRequest` if not.
  package func checkTarget() throws(TransportError) {
    guard ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty else {
      throw TransportError(
        .invalidRequest, "Invalid URL \"\(url)\". Expected an absolute http or https URL.")
    }
  }
}
