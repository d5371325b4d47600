import Foundation
package import SharedServices
package import UnderstudyHTTP

extension AppError {
  /// What an exchange without a whole answer means to the app: the one place where transport errors end.
  ///
  /// A server that is not trusted is one to which no connection can be made; there is nothing else that a
  /// user could do about it. The transport's error stays inside only where it is a fault of the app itself.
  package init(_ error: TransportError) {
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .network(.timeout)
    case .offline, .hostNotFound, .connectionRefused, .untrusted: self = .network(.noConnection)
    case .connectionLost: self = .network(.connectionLost)
    case .unreadableResponse, .bodyTooLarge, .tooManyRedirects: self = .network(.unreadableAnswer)
    case .webSocketRefused:
      // A success or a redirect in place of a WebSocket is nothing that was asked for.
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
  /// What a WebSocket that was not opened means to the app, with the delay that the server asks for.
  ///
  /// - Parameter now: What a `Retry-After` with a date counts from.
  init(connecting error: TransportError, now: Date) {
    guard let refusal = error.cause as? WebSocketRefusal, refusal.status == 429 else {
      self.init(error)
      return
    }
    let delay = refusal.fields["Retry-After"].flatMap { RetryAfter($0, now: now)?.delay }
    self = .network(.rateLimited(retryAfter: delay))
  }
}
