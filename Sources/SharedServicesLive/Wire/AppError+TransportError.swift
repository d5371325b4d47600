import Foundation
package import SharedServices
package import UnderstudyHTTP

extension AppError {
  /// Creates the app's error for a transport error: the only place that maps them.
  ///
  /// An untrusted server counts as a missing connection, because the user cannot act differently. The transport's error
  /// is kept only for a mistake of the app itself.
  package init(_ error: TransportError) {
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .network(.timeout)
    case .offline, .hostNotFound, .connectionRefused, .untrusted: self = .network(.noConnection)
    case .connectionLost: self = .network(.connectionLost)
    case .unreadableResponse, .bodyTooLarge, .tooManyRedirects: self = .network(.unreadableAnswer)
    case .webSocketRefused:
      // A success or a redirect is an unexpected response to a WebSocket request.
      if let refusal = error.cause as? WebSocketRefusal, refusal.status >= 400 {
        self.init(Refusal(status: refusal.status, code: nil, message: error.message))
      } else {
        self = .network(.unreadableAnswer)
      }
    default: self = .unknown(error)
    }
  }
}

extension AppError {
  /// Creates the app's error for a WebSocket that could not be opened, with the delay that the server asks for.
  ///
  /// - Parameter now: The date from which a `Retry-After` date counts.
  init(connecting error: TransportError, now: Date) {
    guard let refusal = error.cause as? WebSocketRefusal, refusal.status == 429 else {
      self.init(error)
      return
    }
    let delay = refusal.fields["Retry-After"].flatMap { RetryAfter($0, now: now)?.delay }
    self = .network(.rateLimited(retryAfter: delay))
  }
}
