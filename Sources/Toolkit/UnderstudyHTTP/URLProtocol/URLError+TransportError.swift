import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError.Code {
  /// The code of `NSURLErrorDomain` that an app receives; the inverse of `URLSessionFailure`.
  var platformCode: URLError.Code {
    switch self {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .offline: .notConnectedToInternet
    case .hostNotFound: .cannotFindHost
    case .connectionRefused: .cannotConnectToHost
    case .connectionLost: .networkConnectionLost
    case .unreadableResponse: .cannotParseResponse
    case .untrusted: .serverCertificateUntrusted
    case .tooManyRedirects: .httpTooManyRedirects
    case .invalidRequest: .badURL
    case .bodyTooLarge: .dataLengthExceedsMaximum
    case .webSocketRefused: .badServerResponse
    default: .unknown
    }
  }
}

extension URLError {
  /// Creates the error that a session reports for an error of a transport.
  init(_ error: TransportError, for url: URL?) {
    self.init(error.code.platformCode, for: url, error.message, underlying: error)
  }

  init(_ code: Code, for url: URL?, _ message: String, underlying: TransportError? = nil) {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info[NSUnderlyingErrorKey] = underlying
    info[NSURLErrorFailingURLErrorKey] = url
    self.init(code, userInfo: info)
  }
}
